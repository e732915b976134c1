"""The client against a scripted server, and against servers that end, refuse or err."""

from __future__ import annotations

from collections.abc import Sequence

import trio
import trio.testing
from attrs import define, field
from trio.testing import MockClock

from client.clobber_session import (
    ClobberSession,
    Ended,
    Event,
    Farewell,
    Introduction,
    Outcome,
    Remarked,
)
from quoridor_net.clobber import Move, Position
from quoridor_net.players import PlayerFault
from quoridor_net.players.clobber import ClobberPlayer
from quoridor_net.players.clobber.simple import RandomPlayer
from quoridor_net.rules import Termination
from tests.support.clobber_clients import lines_of

#: What the server does: bytes are sent, text is a line that is awaited, a number is seconds to wait.
Step = bytes | str | float


class SlowPlayer(ClobberPlayer):
    """Needs a while for every move."""

    name = "slow"

    def __init__(self) -> None:
        self.cancelled = 0

    async def choose(self, position: Position) -> Move:
        try:
            await trio.sleep(1)
        except trio.Cancelled:
            self.cancelled += 1
            raise
        return position.legal_moves()[0]


class QuittingPlayer(ClobberPlayer):
    """Gives up at once."""

    name = "quitter"

    def __init__(self, termination: Termination) -> None:
        self._termination = termination

    async def choose(self, position: Position) -> Move:
        raise PlayerFault(self._termination, "gave up")


@define
class Met:
    """What became of a session."""

    farewell: Farewell = Farewell.BROKEN
    outcomes: list[Outcome] = field(factory=list)
    events: list[Event] = field(factory=list)

    def said(self, words: str) -> bool:
        return any(isinstance(event, Remarked) and words in event.sentence for event in self.events)


async def meet(
    steps: Sequence[Step], player: ClobberPlayer | None = None, *, rows_first: bool = False
) -> Met:
    """Let a client meet a server that does ``steps`` and then closes."""
    met = Met()
    here, there = trio.testing.memory_stream_pair()
    introduction = Introduction("bob", rows_first, met.events.append)
    session = ClobberSession(there, player or RandomPlayer(1), introduction)

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
            met.farewell = await session.run()
    met.outcomes = list(session.outcomes.values())
    return met


async def test_closing_at_step_2_is_the_normal_end(autojump_clock: MockClock) -> None:
    assert (await meet([])).farewell is Farewell.NORMAL
    met = await meet([b"1 2 1\n", "a 1 a 2"])
    assert (met.farewell, met.outcomes) == (Farewell.NORMAL, [Outcome.WON])
    met = await meet([b"1 2 0\n", b"a 1 a 2\n"])
    assert (met.farewell, met.outcomes) == (Farewell.NORMAL, [Outcome.LOST])


async def test_games_follow_each_other_on_other_boards(autojump_clock: MockClock) -> None:
    steps: list[Step] = [b"1 2 1\n", "a 1 a 2", b"2 1 1\r\n", "a 1 b 1", b" 1  1 0\n", b"1 1 1\n"]
    met = await meet(steps)
    # On a board without a move black has lost before anything is said.
    assert met.outcomes == [Outcome.WON, Outcome.WON, Outcome.WON, Outcome.LOST]
    assert met.farewell is Farewell.NORMAL


async def test_everything_in_one_breath(autojump_clock: MockClock) -> None:
    met = await meet([b"1 2 0\na 1 a 2\n2 1 0\na 1 b 1\n1 2 0\nend\n"])
    assert met.outcomes == [Outcome.LOST, Outcome.LOST, Outcome.WON]


async def test_verdicts(autojump_clock: MockClock) -> None:
    assert (await meet([b"10 10 0\n", b"end\n"])).outcomes == [Outcome.WON]
    assert (await meet([b"10 10 1\n", 1.0, b"error\n"])).outcomes == [Outcome.LOST]


async def test_thinking_stops_when_the_game_is_over(autojump_clock: MockClock) -> None:
    player = SlowPlayer()
    met = await meet([b"10 10 1\n", 0.5, b"error\n10 10 1\n", 0.5, b"end\n1 2 1\n", "a 1 a 2"], player)
    assert met.outcomes == [Outcome.LOST, Outcome.WON, Outcome.WON]
    assert player.cancelled == 2


async def test_a_verdict_that_crosses_the_winning_move_counts(autojump_clock: MockClock) -> None:
    met = await meet([b"1 2 1\n", "a 1 a 2", b"error\n"])
    assert met.outcomes == [Outcome.LOST]
    ends = [event.outcome for event in met.events if isinstance(event, Ended)]
    assert ends == [Outcome.WON, Outcome.LOST]


async def test_refused(autojump_clock: MockClock) -> None:
    assert (await meet([b"error\n"])).farewell is Farewell.REFUSED


async def test_lost_in_the_middle_of_a_game(autojump_clock: MockClock) -> None:
    either: list[list[Step]] = [[b"10 10 0\n"], [b"10 10 1\n", 1.0]]
    for steps in either:
        met = await meet(steps)
        assert (met.farewell, met.outcomes) == (Farewell.BROKEN, [Outcome.BROKEN_OFF])


async def test_a_game_that_the_server_drops(autojump_clock: MockClock) -> None:
    met = await meet([b"10 10 0\n1 2 1\n", "a 1 a 2"])
    assert met.outcomes == [Outcome.BROKEN_OFF, Outcome.WON]


async def test_rows_first(autojump_clock: MockClock) -> None:
    # Two rows and one column, to a client that is told so.
    assert (await meet([b"2 1 1\n", "a 1 a 2"], rows_first=True)).outcomes == [Outcome.WON]


async def test_an_impossible_move_ends_that_game_only(autojump_clock: MockClock) -> None:
    met = await meet([b"2 13 0\n", b"m 1 m 2\n", 5.0, b"error\n", b"1 2 1\n", "a 1 a 2"])
    assert met.outcomes == [Outcome.LOST, Outcome.WON]
    assert met.said("the opponent played m1m2, but m1 is off the board: squares go from a1 to b13")
    assert met.said("--rows-first")


async def test_nonsense_is_told_and_ignored(autojump_clock: MockClock) -> None:
    met = await meet([b"welcome to the tournament\n\xff\x1b[2J\n", b"1 2 1\n", "a 1 a 2"])
    assert met.outcomes == [Outcome.WON]
    assert met.said("Ignored the line 'welcome to the tournament'")
    assert met.said(r"\x1b[2J")
    assert (await meet([b"x\n" * 200])).farewell is Farewell.MISBEHAVED
    assert (await meet([b"x" * 5000])).farewell is Farewell.MISBEHAVED


async def test_giving_up_is_said_with_an_illegal_move(autojump_clock: MockClock) -> None:
    met = await meet([b"10 10 1\n", "a 1 a 1", b"error\n"], QuittingPlayer(Termination.RESIGNED))
    assert (met.farewell, met.outcomes) == (Farewell.NORMAL, [Outcome.LOST])


async def test_leaving(autojump_clock: MockClock) -> None:
    met = await meet([b"10 10 1\n"], QuittingPlayer(Termination.ABORTED))
    assert (met.farewell, met.outcomes) == (Farewell.LEFT, [Outcome.BROKEN_OFF])
