"""The client against a scripted server, and against servers that stop, refuse or fail."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import trio
import trio.testing
from attrs import define, field
from trio.testing import MockClock

from client.clobber.session import ClobberOutcome, ClobberSession, ClosingReason, Remarked, SessionEvent
from quoridor_net.clobber import ClobberPosition, Move
from quoridor_net.match import GameEnded
from quoridor_net.outcome import ForfeitError
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.random import RandomPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Termination
from quoridor_net.testing.clobber_clients import lines_of
from quoridor_net.tournament import GameEvent
from server.clobber.lobby import Lobby
from server.clobber.tournament import Terms
from server.listener import MoveServer
from server.session import ServerSettings

#: The script of a server: send bytes, wait for a line of text, or sleep for a number of seconds.
Step = bytes | str | float


class SlowPlayer(Player[ClobberPosition, Move]):
    """Takes a while for every move."""

    name = "slow"

    def __init__(self) -> None:
        self.cancelled = 0

    async def choose(self, position: ClobberPosition, clock: Clock) -> Move:
        try:
            await trio.sleep(1)
        except trio.Cancelled:
            self.cancelled += 1
            raise
        return position.legal_moves[0]


class QuittingPlayer(Player[ClobberPosition, Move]):
    """Gives up at once."""

    name = "quitter"

    def __init__(self, termination: Termination) -> None:
        self._termination = termination

    async def choose(self, position: ClobberPosition, clock: Clock) -> Move:
        raise ForfeitError(self._termination, Translatable("gave up"))


@define
class Met:
    """The outcome of a session."""

    farewell: ClosingReason = ClosingReason.BROKEN
    outcomes: list[ClobberOutcome] = field(factory=list)
    events: list[SessionEvent] = field(factory=list)
    seconds: float = 0.0

    def has_remarked(self, words: str) -> bool:
        return any(isinstance(event, Remarked) and words in event.sentence for event in self.events)


async def meet(
    steps: Sequence[Step],
    player: Player[ClobberPosition, Move] | None = None,
    *,
    rows_first: bool = False,
    start_time: float = math.inf,
) -> Met:
    """Run a client against a server that follows ``steps`` and then closes."""
    met = Met()
    here, there = trio.testing.memory_stream_pair()
    session = ClobberSession(
        there,
        player or RandomPlayer(1),
        "bob",
        rows_first=rows_first,
        start_time=start_time,
        listener=met.events.append,
    )

    async def serve() -> None:
        lines = lines_of(here)
        assert await anext(lines) == b"play clobber bob"
        for step in steps:
            match step:
                case bytes():
                    await here.send_all(step)
                case str():
                    assert await anext(lines) == step.encode()
                case _:
                    await trio.sleep(step)
        await here.send_eof()

    with trio.fail_after(100):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            started = trio.current_time()
            met.farewell = await session.run()
            met.seconds = trio.current_time() - started
    met.outcomes = list(session.outcomes.values())
    return met


async def test_closing_at_step_2_is_the_normal_end(autojump_clock: MockClock) -> None:
    met = await meet([b"1 2 1\n", "a 1 a 2"])
    assert (met.farewell, met.outcomes) == (ClosingReason.NORMAL, [ClobberOutcome.WON])
    met = await meet([b"1 2 0\n", b"a 1 a 2\n"])
    assert (met.farewell, met.outcomes) == (ClosingReason.NORMAL, [ClobberOutcome.LOST])


async def test_games_follow_each_other_on_other_boards(autojump_clock: MockClock) -> None:
    steps: list[Step] = [b"1 2 1\n", "a 1 a 2", b"2 1 1\r\n", "a 1 b 1", b" 1  1 0\n", b"1 1 1\n"]
    met = await meet(steps)
    # On a board without a move, black has lost before any message.
    assert met.outcomes == [ClobberOutcome.WON, ClobberOutcome.WON, ClobberOutcome.WON, ClobberOutcome.LOST]
    assert met.farewell is ClosingReason.NORMAL


async def test_messages_in_one_packet_are_all_handled(autojump_clock: MockClock) -> None:
    met = await meet([b"1 2 0\na 1 a 2\n2 1 0\na 1 b 1\n1 2 0\nend\n"])
    assert met.outcomes == [ClobberOutcome.LOST, ClobberOutcome.LOST, ClobberOutcome.WON]


async def test_verdicts_decide_the_game(autojump_clock: MockClock) -> None:
    assert (await meet([b"10 10 0\n", b"end\n"])).outcomes == [ClobberOutcome.WON]
    assert (await meet([b"10 10 1\n", 1.0, b"error\n"])).outcomes == [ClobberOutcome.LOST]


async def test_thinking_stops_when_the_game_is_over(autojump_clock: MockClock) -> None:
    player = SlowPlayer()
    met = await meet([b"10 10 1\n", 0.5, b"error\n10 10 1\n", 0.5, b"end\n1 2 1\n", "a 1 a 2"], player)
    assert met.outcomes == [ClobberOutcome.LOST, ClobberOutcome.WON, ClobberOutcome.WON]
    assert player.cancelled == 2


async def test_a_verdict_that_crosses_the_winning_move_counts(autojump_clock: MockClock) -> None:
    met = await meet([b"1 2 1\n", "a 1 a 2", b"error\n"])
    assert met.outcomes == [ClobberOutcome.LOST]
    ends = [event.event for event in met.events if isinstance(event, GameEvent)]
    assert [(end.result.winner, end.result.termination) for end in ends if isinstance(end, GameEnded)] == [
        (1, Termination.NO_MOVES),
        (2, Termination.PUT_OUT),
    ]


async def test_closing_before_the_first_game_is_not_the_end_of_a_tournament(
    autojump_clock: MockClock,
) -> None:
    met = await meet([])
    assert (met.farewell, met.outcomes) == (ClosingReason.UNPLAYED, [])
    assert "a Quoridor move server" in met.farewell.value


async def test_a_server_that_begins_no_game_is_left(autojump_clock: MockClock) -> None:
    started = trio.current_time()
    met = await meet([90.0], start_time=60.0)
    assert (met.farewell, met.outcomes) == (ClosingReason.SILENT, [])
    assert met.seconds == pytest.approx(60)
    assert started + 90 == pytest.approx(trio.current_time())
    assert met.has_remarked("If it is a Quoridor move server, it will never answer.")


async def test_a_waiting_client_gets_a_hint_and_then_plays(autojump_clock: MockClock) -> None:
    met = await meet([50.0, b"1 2 1\n", "a 1 a 2", 40.0], start_time=60.0)
    assert (met.farewell, met.outcomes) == (ClosingReason.NORMAL, [ClobberOutcome.WON])
    assert met.has_remarked("The server may be waiting for other entrants.")
    met = await meet([9.0, b"1 2 1\n", "a 1 a 2", 60.0], start_time=60.0)
    assert (met.farewell, met.outcomes) == (ClosingReason.NORMAL, [ClobberOutcome.WON])
    assert not any(isinstance(event, Remarked) for event in met.events)


async def test_a_move_server_is_recognised_by_its_silence(autojump_clock: MockClock) -> None:
    here, there = trio.testing.memory_stream_pair()
    server = MoveServer(ServerSettings("xyz:test", SimplePlayer))
    session = ClobberSession(there, RandomPlayer(1), "bob", start_time=60.0)
    with trio.fail_after(100):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.serve_connection, here)
            # Some move servers close connections that do not say HELLO.
            assert await session.run() in {ClosingReason.SILENT, ClosingReason.UNPLAYED}
            nursery.cancel_scope.cancel()


async def test_a_display_client_that_meets_a_clobber_server_is_refused_at_once(
    autojump_clock: MockClock,
) -> None:
    here, there = trio.testing.memory_stream_pair()
    player = LanPlayer(there, 1)
    started = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Lobby(Terms(4, 4, 5.0), 2).serve_connection, here)
        with pytest.raises(ForfeitError) as fault:
            await player.greet()
        await player.leave()
    assert fault.value.line == "error"
    assert trio.current_time() - started < 1


async def test_a_refusal_ends_the_session(autojump_clock: MockClock) -> None:
    assert (await meet([b"error\n"])).farewell is ClosingReason.REFUSED


async def test_a_connection_lost_in_a_game_is_reported(autojump_clock: MockClock) -> None:
    either: list[list[Step]] = [[b"10 10 0\n"], [b"10 10 1\n", 1.0]]
    for steps in either:
        met = await meet(steps)
        assert (met.farewell, met.outcomes) == (ClosingReason.BROKEN, [ClobberOutcome.BROKEN_OFF])


async def test_a_game_dropped_by_the_server_is_broken_off(autojump_clock: MockClock) -> None:
    met = await meet([b"10 10 0\n1 2 1\n", "a 1 a 2"])
    assert met.outcomes == [ClobberOutcome.BROKEN_OFF, ClobberOutcome.WON]


async def test_rows_first_swaps_the_board(autojump_clock: MockClock) -> None:
    # Two rows and one column, read by a client with rows_first.
    assert (await meet([b"2 1 1\n", "a 1 a 2"], rows_first=True)).outcomes == [ClobberOutcome.WON]


async def test_an_impossible_move_ends_that_game_only(autojump_clock: MockClock) -> None:
    met = await meet([b"2 13 0\n", b"m 1 m 2\n", 5.0, b"error\n", b"1 2 1\n", "a 1 a 2"])
    assert met.outcomes == [ClobberOutcome.LOST, ClobberOutcome.WON]
    assert met.has_remarked("The opponent played m1m2, but m1 is off the board: squares go from a1 to b13")
    assert met.has_remarked("--rows-first")


async def test_nonsense_is_reported_and_ignored(autojump_clock: MockClock) -> None:
    met = await meet([b"welcome to the tournament\n\xff\x1b[2J\n", b"1 2 1\n", "a 1 a 2"])
    assert met.outcomes == [ClobberOutcome.WON]
    assert met.has_remarked("Ignored the line 'welcome to the tournament'")
    assert met.has_remarked(r"\x1b[2J")
    assert (await meet([b"x\n" * 200])).farewell is ClosingReason.MISBEHAVED
    assert (await meet([b"x" * 5000])).farewell is ClosingReason.MISBEHAVED


async def test_an_illegal_move_resigns(autojump_clock: MockClock) -> None:
    met = await meet([b"10 10 1\n", "a 1 a 1", b"error\n"], QuittingPlayer(Termination.RESIGNED))
    assert (met.farewell, met.outcomes) == (ClosingReason.NORMAL, [ClobberOutcome.LOST])


async def test_the_end_of_the_input_ends_the_session(autojump_clock: MockClock) -> None:
    met = await meet([b"10 10 1\n"], QuittingPlayer(Termination.ABORTED))
    assert (met.farewell, met.outcomes) == (ClosingReason.LEFT, [ClobberOutcome.BROKEN_OFF])
