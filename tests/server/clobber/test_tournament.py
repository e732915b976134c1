"""Complete tournaments in memory: both sides agree on all games, and a fault costs only its author."""

from __future__ import annotations

import errno
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio
import trio.testing
from attrs import asdict
from trio.abc import Stream
from trio.testing import MockClock

from client.clobber.session import ClobberOutcome
from quoridor_net.clobber import MAX_SIZE, ClobberPosition, Colour
from quoridor_net.match import GameEnded, MoveMade
from quoridor_net.net.networks import EVERYBODY
from quoridor_net.net.places import MAX_WAITING
from quoridor_net.output import ignore
from quoridor_net.players.olympiad import OlympiadPlayer
from quoridor_net.rules import Termination
from quoridor_net.testing import clobber_clients as clients
from quoridor_net.testing.clobber_clients import Script, misbehaves
from quoridor_net.tournament import (
    Event,
    GameEvent,
    Journal,
    TournamentStarted,
    TournamentState,
    standings,
)
from quoridor_net.tournament.formats import RoundRobin
from quoridor_net.ui.tournament_view import FieldDisplay
from server.clobber import command
from server.clobber.lobby import Lobby
from server.clobber.tournament import Terms, play_clobber
from tests.support.clobber_tournament import play_tournament, wait_settled
from tests.support.honest_client import HonestClient
from tests.support.tournament_events import pair_all, state_after

Act = Callable[[Stream, ClobberPosition], Awaitable[None]]


def ends(events: list[Event]) -> list[int]:
    """Return the numbers of finished games, in order."""
    return [
        event.game for event in events if isinstance(event, GameEvent) and isinstance(event.event, GameEnded)
    ]


async def test_both_sides_agree_on_every_game(autojump_clock: MockClock) -> None:
    honest = [HonestClient(f"c{number}", number) for number in range(5)]
    played = await play_tournament(honest, games=3)
    state = played.state
    assert state.is_over
    assert len(state.decided) == 3 * 10
    assert {verdict.termination for verdict in state.decided.values()} == {Termination.NO_MOVES}
    rows = {row.name: row for row in standings(state.entrants, state.results())}
    for number, client in enumerate(honest):
        assert client.session is not None
        row = rows[f"c{number}"]
        assert client.session.tally == {ClobberOutcome.WON: row.won, ClobberOutcome.LOST: row.lost}
        assert row.played == 12


async def test_the_journal_replays_to_the_stated_winner(autojump_clock: MockClock) -> None:
    played = await play_tournament([HonestClient(f"c{number}", number) for number in range(3)])
    for game, verdict in played.state.decided.items():
        position = ClobberPosition.start(4, 4)
        for event in played.events:
            match event:
                case GameEvent(number, MoveMade(move=move)) if number == game:
                    position.push(move)
        assert position.is_over
        assert verdict.plies == position.ply
        assert verdict.winner == (1 if position.winner is Colour.BLACK else 2)


async def test_clients_receive_only_the_protocol(autojump_clock: MockClock) -> None:
    played = await play_tournament([HonestClient(f"c{number}", number) for number in range(3)])
    line = re.compile(rb"4 4 [01]|[a-d] [1-4] [a-d] [1-4]")
    for wire in played.wires:
        assert wire.endswith(b"\n")
        assert all(line.fullmatch(each) for each in wire.splitlines())
        # "the client program is supposed to return to step 2": one m n b for each of its games.
        assert sum(each.startswith(b"4 4 ") for each in wire.splitlines()) == 4


FAULTS: dict[str, tuple[Act, Termination]] = {
    "garbage": (clients.says(b"\x00\xff\x1b[2J garbage\n"), Termination.UNPARSABLE_MOVE),
    "half a move": (clients.says(b"a 1 b\n"), Termination.UNPARSABLE_MOVE),
    "another handshake": (clients.says(b"play clobber again\n"), Termination.UNPARSABLE_MOVE),
    "illegal move": (clients.says(b"a 1 a 1\n"), Termination.ILLEGAL_MOVE),
    "off the board": (clients.says(b"z 1 z 2\n"), Termination.ILLEGAL_MOVE),
    "two lines at once": (clients.moves_twice, Termination.OUT_OF_TURN),
    "endless line": (clients.floods, Termination.FLOODING),
    "blank lines": (clients.says(b"\r\n" * 1000), Termination.FLOODING),
    "silence": (clients.says_nothing, Termination.TOO_SLOW),
    "close": (clients.hangs_up, Termination.DISCONNECTED),
    "half a line, then close": (clients.hangs_up_in_a_line, Termination.DISCONNECTED),
}
#: Faults after which the connection is closed and the remaining games are forfeited.
FATAL = {Termination.FLOODING, Termination.DISCONNECTED}


@pytest.mark.parametrize("ply", [0, 2])
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_costs_only_its_author(fault: str, ply: int, autojump_clock: MockClock) -> None:
    act, termination = FAULTS[fault]
    honest = [HonestClient(f"c{number}", number) for number in range(3)]
    with trio.fail_after(200):
        played = await play_tournament([misbehaves("bad", act, ply), *honest], games=2)
    state = played.state
    assert state.is_over
    assert state.pending == ()
    later = {termination, Termination.DISCONNECTED} if termination in FATAL else {termination}
    faults = set()
    for pairing, verdict in state.results():
        if 1 in pairing.seats:
            # A game can end before the client misbehaves.
            assert verdict.termination in {*later, Termination.NO_MOVES}
            faults.add(verdict.termination)
            if verdict.termination.is_fault:
                assert verdict.winner != pairing.seats.index(1) + 1
        else:
            assert verdict.termination is Termination.NO_MOVES
    assert termination in faults
    rows = {row.name: row for row in standings(state.entrants, state.results())}
    assert rows["bad"].played == 6
    for number, client in enumerate(honest):
        row = rows[f"c{number}"]
        assert row.forfeited == 0
        # A client that knows of a game has the server's view of it; it knows nothing of the others.
        assert client.session is not None
        told = client.session.tally
        assert told[ClobberOutcome.LOST] == row.lost
        assert told[ClobberOutcome.WON] <= row.won
        assert termination in FATAL or told[ClobberOutcome.WON] == row.won
    wire = bytes(played.wires[0])
    # "'error' if the move was illegal": the last message of each such game.
    if termination not in FATAL:
        errors = sum(verdict.termination is termination for verdict in state.decided.values())
        assert wire.count(b"error\n") == errors
        assert wire.count(b"4 4 ") == 6


@pytest.mark.parametrize("after", [0, 1, 6, 7, 20, 60, 100, 150])
async def test_a_reset_at_any_point_costs_only_its_client(after: int, autojump_clock: MockClock) -> None:
    """The client resets the connection once it has read ``after`` bytes."""
    partner = HonestClient("reset", 1)

    async def script(stream: Stream) -> None:
        receive, left = stream.receive_some, after

        async def receive_some(max_bytes: int | None = None) -> bytes:
            nonlocal left
            data = bytes(await receive(max_bytes))
            left -= len(data)
            if left <= 0:
                await trio.aclose_forcefully(stream)
                raise trio.ClosedResourceError
            return data

        stream.receive_some = receive_some  # type: ignore[method-assign]
        await partner(stream)

    honest = [HonestClient(f"c{number}", number) for number in range(3)]
    with trio.fail_after(200):
        played = await play_tournament([script, *honest], games=2, terms=Terms(5, 4, 5.0))
    assert played.state.pending == ()
    rows = standings(played.state.entrants, played.state.results())
    assert all(row.forfeited == 0 for row in rows if row.name != "reset")
    assert next(row for row in rows if row.name == "reset").forfeited > 0


async def test_when_everybody_hangs_up_the_tournament_still_ends(autojump_clock: MockClock) -> None:
    scripts = [misbehaves(f"bad{number}", clients.hangs_up) for number in range(4)]
    with trio.fail_after(200):
        played = await play_tournament(scripts)
    assert played.state.pending == ()
    assert sorted(ends(played.events)) == list(range(1, 13))
    nobody = [verdict for verdict in played.state.decided.values() if verdict.winner is None]
    assert nobody
    assert all(verdict.sentence.startswith("Nobody wins: both") for verdict in nobody)


async def test_white_loses_by_moving_first(autojump_clock: MockClock) -> None:
    async def play_eagerly(stream: Stream) -> None:
        await stream.send_all(b"play clobber eager\n")
        async for line in clients.lines_of(stream):
            if line == b"4 4 0":
                await stream.send_all(b"a 2 a 1\n")

    played = await play_tournament([HonestClient("c", 1), play_eagerly], games=1)
    verdict = played.state.decided[1]
    assert (verdict.termination, verdict.winner) == (Termination.OUT_OF_TURN, 1)
    assert bytes(played.wires[1]) == b"4 4 0\nerror\n"
    assert bytes(played.wires[0]) == b"4 4 1\nend\n"


async def test_a_late_move_of_a_confused_loser_is_drained(autojump_clock: MockClock) -> None:
    """On 1x2, black's first move wins; the loser answers anyway, and then plays its next game."""

    async def play_confused(stream: Stream) -> None:
        await stream.send_all(b"play clobber confused\n")
        async for line in clients.lines_of(stream):
            if line in {b"a 1 a 2", b"1 2 1"}:
                await stream.send_all(b"a 1 a 2\n")

    played = await play_tournament([HonestClient("c", 1), play_confused], games=2, terms=Terms(1, 2, 5.0))
    assert [verdict.winner for verdict in played.state.decided.values()] == [1, 1]
    assert {verdict.termination for verdict in played.state.decided.values()} == {Termination.NO_MOVES}
    assert any("dropped 'a 1 a 2'" in report for report in played.reports)


async def test_a_thinker_that_answers_after_the_end_keeps_its_next_game(autojump_clock: MockClock) -> None:
    """White commits a fault while black thinks; black sends its move long after ``end``."""

    async def slow(stream: Stream) -> None:
        await stream.send_all(b"play clobber slow\n")
        async for line in clients.lines_of(stream):
            if line == b"1 2 1":
                await trio.sleep(4)
                await stream.send_all(b"a 1 a 2\n")

    async def send_rudely(stream: Stream) -> None:
        await stream.send_all(b"play clobber rude\n")
        async for line in clients.lines_of(stream):
            if line == b"1 2 0":
                await stream.send_all(b"hurry up\n")

    played = await play_tournament([slow, send_rudely], games=3, terms=Terms(1, 2, 5.0))
    decided = played.state.decided
    assert [decided[game].termination for game in (1, 2, 3)] == [
        Termination.OUT_OF_TURN,
        Termination.TOO_SLOW,
        Termination.OUT_OF_TURN,
    ]
    assert [decided[game].winner for game in (1, 2, 3)] == [1, 2, 1]
    assert bytes(played.wires[0]) == b"1 2 1\nend\n1 2 0\nend\n1 2 1\nend\n"


async def test_bad_handshakes_get_error_and_are_closed(autojump_clock: MockClock) -> None:
    said = {
        b"HELLO\n": "did not send play clobber NAME",
        b"play chess bob\n": "the game must be clobber",
        b"play clobber two names\n": "without spaces in the name",
        b"x" * clients.MEGABYTE: "more than 1024 bytes",
        b"play clobber " + b"x" * 300 + b"\n": "a name has at most 200 bytes",
    }

    def stranger(data: bytes) -> Script:
        async def script(stream: Stream) -> None:
            await stream.send_all(data)
            # It waits for the server to close.
            async for _ in clients.lines_of(stream):
                pass

        return script

    honest = [HonestClient("one", 1), HonestClient("other", 2)]
    scripts: list[Script] = [*(stranger(data) for data in said), *honest]
    played = await play_tournament(scripts, entrants=2)
    assert [bytes(wire) for wire in played.wires[: len(said)]] == [b"error\n"] * len(said)
    for sentence in said.values():
        assert any(sentence in report for report in played.reports), sentence
    assert played.state.entrants == ("one", "other")


async def test_a_missing_handshake_gets_error(autojump_clock: MockClock) -> None:
    reports: list[str] = []
    lobby = Lobby(Terms(4, 4, 5.0), 2, report=reports.append)
    here, there = trio.testing.memory_stream_pair()
    started = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lobby.serve_connection, here)
        assert [line async for line in clients.lines_of(there)] == [b"error"]
        await there.aclose()
    assert trio.current_time() - started == pytest.approx(10.0, abs=1)
    assert reports == ["connection 1 was closed: no handshake within 10 s"]


@pytest.mark.parametrize("flood", [b"x" * 2000, b"\n" * 200, b"nonsense\n" * 200])
async def test_a_flood_before_the_first_game_gets_error(flood: bytes, autojump_clock: MockClock) -> None:
    lobby = Lobby(Terms(4, 4, 5.0), 2)
    here, there = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lobby.serve_connection, here)
        await there.send_all(b"play clobber ann\n" + flood)
        assert [line async for line in clients.lines_of(there)] == [b"error"]
        await there.aclose()
    assert lobby.present == {}


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (["bob"], [1]),
        (["12"], [0]),
        (["bob", "bob"], [1, 2]),
        (["bo"], []),
        (["bob#2"], [2]),
        (["zoe\u0308"], [4]),
    ],
)
async def test_a_resumed_tournament_admits_its_entrants(
    names: list[str], places: list[int], autojump_clock: MockClock
) -> None:
    lobby = Lobby(Terms(4, 4, 5.0), expected=["12", "bob", "bob#2", "bob#x", "zo\u00eb"])
    async with trio.open_nursery() as nursery:
        for name in names:
            here, there = trio.testing.memory_stream_pair()
            nursery.start_soon(lobby.serve_connection, here)
            await there.send_all(f"play clobber {name}\n".encode())
            await trio.sleep(1)
        assert sorted(lobby.present) == places
        nursery.cancel_scope.cancel()


async def test_strangers_leave_room_for_named_clients(autojump_clock: MockClock) -> None:
    reports: list[str] = []
    lobby = Lobby(Terms(4, 4, 5.0), 2, report=reports.append)
    closed: list[int] = []

    async def listen(number: int, stream: Stream) -> None:
        # One more connection is closed for the first honest client, without a message. Those that are
        # silent too long get ``error``.
        assert [line async for line in clients.lines_of(stream)] == ([b"error"] if number >= 51 else [])
        closed.append(number)
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        for number in range(MAX_WAITING + 50):
            here, there = trio.testing.memory_stream_pair()
            nursery.start_soon(lobby.serve_connection, here)
            nursery.start_soon(listen, number, there)
            await wait_settled()
        assert closed == list(range(50))
        honest = [trio.testing.memory_stream_pair() for _ in range(2)]
        for here, there in honest:
            await there.send_all(b"play clobber bob\n")
            nursery.start_soon(lobby.serve_connection, here)
            await wait_settled()
        assert len(lobby.present) == 2
        for _, there in honest:
            await there.aclose()
    assert len(closed) == MAX_WAITING + 50
    assert reports[0] == (
        "more than 64 connections without a handshake: closing the oldest from the busiest address"
    )
    assert sum("oldest" in report for report in reports) == 1


async def test_strangers_do_not_push_out_a_client_of_another_address(autojump_clock: MockClock) -> None:
    lobby = Lobby(Terms(4, 4, 5.0), 2)
    async with trio.open_nursery() as nursery:
        here, honest = trio.testing.memory_stream_pair()
        nursery.start_soon(lobby.serve_connection, here, "10.0.0.1")
        await wait_settled()
        for _ in range(2 * MAX_WAITING):
            nursery.start_soon(lobby.serve_connection, trio.testing.memory_stream_pair()[0], "10.0.0.66")
            await wait_settled()
        await honest.send_all(b"play clobber bob\n")
        await wait_settled()
        assert [player.name for player in lobby.present.values()] == ["bob"]
        nursery.cancel_scope.cancel()


async def test_the_number_of_entrants_is_limited(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.clobber.lobby.MAX_ENTRANTS", 2)
    reports: list[str] = []
    lobby = Lobby(Terms(4, 4, 5.0), report=reports.append)
    async with trio.open_nursery() as nursery:
        for name in ("ann", "bob", "eve"):
            here, there = trio.testing.memory_stream_pair()
            nursery.start_soon(lobby.serve_connection, here)
            await there.send_all(b"play clobber %s\n" % name.encode())
            await wait_settled()
        assert [line async for line in clients.lines_of(there)] == [b"error"]
        nursery.cancel_scope.cancel()
    assert [player.name for player in lobby.present.values()] == ["ann", "bob"]
    assert reports[-1] == "eve was refused: the tournament already has 2 entrants, the maximum"


async def test_an_extra_line_of_a_winner_gets_no_reply(autojump_clock: MockClock) -> None:
    """On 1x2, the first move wins; a second line in the same packet changes nothing."""

    async def talkative(stream: Stream) -> None:
        await stream.send_all(b"play clobber talkative\n")
        async for line in clients.lines_of(stream):
            if line == b"1 2 1":
                await stream.send_all(b"a 1 a 2\ngood game\n")

    played = await play_tournament([talkative, HonestClient("c", 1)], games=1, terms=Terms(1, 2, 5.0))
    verdict = played.state.decided[1]
    assert (verdict.termination, verdict.winner) == (Termination.NO_MOVES, 1)
    assert bytes(played.wires[0]) == b"1 2 1\n"
    assert bytes(played.wires[1]) == b"1 2 0\na 1 a 2\n"


def delay_client(seconds: float, script: Script) -> Script:
    async def play_late(stream: Stream) -> None:
        await trio.sleep(seconds)
        await script(stream)

    return play_late


async def test_a_client_that_leaves_before_the_beginning_does_not_count(autojump_clock: MockClock) -> None:
    async def visitor(stream: Stream) -> None:
        await stream.send_all(b"play clobber visitor\n")
        await trio.sleep(1)

    scripts: list[Script] = [visitor, HonestClient("one", 1), delay_client(2, HonestClient("other", 2))]
    played = await play_tournament(scripts, entrants=2)
    # The visitor was the first of two when the second arrived, so the tournament began with both.
    assert played.state.entrants == ("visitor", "one")
    scripts = [visitor, delay_client(2, HonestClient("one", 1)), delay_client(3, HonestClient("other", 2))]
    played = await play_tournament(scripts, entrants=2)
    assert played.state.entrants == ("one", "other")


async def test_a_connection_whose_transcript_cannot_be_opened_costs_only_itself(
    autojump_clock: MockClock,
) -> None:
    @contextmanager
    def refuse_first(number: int) -> Iterator[None]:
        if number == 1:
            raise OSError(errno.EMFILE, "Too many open files")
        yield

    reports: list[str] = []
    lobby = Lobby(Terms(4, 4, 5.0), open_transcript=refuse_first, report=reports.append)
    async with trio.open_nursery() as nursery:
        for name in (b"ann", b"bob"):
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(lobby.serve_connection, ours)
            await theirs.send_all(b"play clobber %b\n" % name)
            await trio.testing.wait_all_tasks_blocked()
        assert [player.name for player in lobby.present.values()] == ["bob"]
        nursery.cancel_scope.cancel()
    assert reports == [
        "connection 1 was closed after an internal error: OSError(24, 'Too many open files')",
        "bob has joined, 1",
    ]


async def test_an_entrant_that_leaves_right_after_enter_still_takes_part(
    tmp_path: Path, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, typed = trio.testing.memory_stream_one_way_pair()
    monkeypatch.setattr(command, "_has_terminal", lambda: True)
    monkeypatch.setattr(command, "open_input", lambda _descriptor: typed)
    terms = Terms(4, 4, 5.0)
    lobby = Lobby(terms)
    with Journal.create(tmp_path / "a.db") as journal:
        job = command.Job(
            terms, 2, lobby, ignore, FieldDisplay.QUIET, journal, TournamentState(), EVERYBODY, 5353
        )
        async with trio.open_nursery() as nursery:
            for name in (b"ann", b"bob"):
                ours, theirs = trio.testing.memory_stream_pair()
                nursery.start_soon(lobby.serve_connection, ours)
                await theirs.send_all(b"play clobber %b\n" % name)
                await trio.testing.wait_all_tasks_blocked()
            await keys.send_all(b"\n")
            assert await command._gather(job)
            await theirs.aclose()
            await trio.testing.wait_all_tasks_blocked()
            assert [player and player.name for player in lobby.close()] == ["ann", "bob"]
            nursery.cancel_scope.cancel()


async def test_a_late_client_gets_error(autojump_clock: MockClock) -> None:
    honest = [HonestClient("one", 1), HonestClient("other", 2)]
    played = await play_tournament([*honest, delay_client(0.05, HonestClient("late", 3))], entrants=2)
    assert bytes(played.wires[2]) == b"error\n"
    assert "late was refused: the tournament has begun" in played.reports


async def test_duplicate_names_get_numbers(autojump_clock: MockClock) -> None:
    played = await play_tournament([HonestClient("bob", number) for number in range(3)], games=1)
    assert played.state.entrants == ("bob", "bob#2", "bob#3")
    assert any("bob#2" in verdict.sentence for verdict in played.state.decided.values())


async def test_names_outside_ascii_are_kept(autojump_clock: MockClock) -> None:
    names = ["zo\u00eb:\u65e5\u672c", "zoe\u0308:\u65e5\u672c", "a\u202eb"]
    played = await play_tournament([HonestClient(name, 1) for name in names], games=1)
    assert played.state.entrants == ("zo\u00eb:\u65e5\u672c", "zo\u00eb:\u65e5\u672c#2", "a\\u202eb")
    assert "zo\u00eb:\u65e5\u672c has joined, 1 of 3" in played.reports


async def test_a_resumed_tournament_plays_the_remaining_games(autojump_clock: MockClock) -> None:
    names = ["bob", "ann", "bob"]
    first = await play_tournament([HonestClient(name, 1) for name in names])
    # At the crash, four games were over and others were running.
    survived = first.events
    while len(ends(survived)) > 4:
        survived = survived[:-1]
    state = state_after(survived)
    kept = dict(state.decided)
    # They return in another order, and a stranger tries to enter.
    scripts = [HonestClient(name, 2) for name in ("ann", "eve", "bob", "bob")]
    second = await play_tournament(scripts, state=state)
    assert bytes(second.wires[1]) == b"error\n"
    assert second.state.is_over
    assert second.state.entrants == ("bob", "ann", "bob#2")
    assert not any(isinstance(event, TournamentStarted) for event in second.events)
    assert sorted([*kept, *ends(second.events)]) == list(range(1, 7))
    assert {game: second.state.decided[game] for game in kept} == kept
    # Both halves wrote one journal.
    assert state_after([*survived, *second.events]).decided == second.state.decided


async def test_no_game_begins_against_an_entrant_that_did_not_come_back(autojump_clock: MockClock) -> None:
    terms = Terms(4, 4, 5.0)
    opened = TournamentStarted("clobber", ("ann", "bob"), asdict(terms) | {"games": 2})
    state = state_after([opened, *pair_all(RoundRobin(2), 2)])
    here, there = trio.testing.memory_stream_pair()
    await play_clobber(terms, [OlympiadPlayer(here, 1, move_time=5.0), None], 2, [], state)
    for result in state.decided.values():
        assert (result.termination, result.plies) == (Termination.DISCONNECTED, 0)
        assert result.sentence.startswith("ann (")
        assert result.sentence.endswith(") did not come back.")
    assert len(state.decided) == 2
    # ann was told nothing.
    await here.aclose()
    assert await there.receive_some() == b""


@pytest.mark.parametrize("size", [1, MAX_SIZE])
def test_boards_of_all_sizes_can_be_resumed(size: int) -> None:
    terms = Terms(size, size, 5.0)
    opened = TournamentStarted("clobber", ("ann", "bob"), asdict(terms) | {"games": 2})
    assert Terms.of(state_after([opened])) == terms
