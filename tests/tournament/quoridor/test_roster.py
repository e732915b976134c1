"""Entrants fail in every way: the tournament still ends, and the entrant at fault loses."""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from attrs import evolve
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.match import GameEnded
from quoridor_net.net import sockets
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import Event, GameEvent, Tournament, TournamentEnded, TournamentStarted
from quoridor_net.tournament.formats import RoundRobin
from quoridor_net.tournament.quoridor.roster import Roster, open_roster
from quoridor_net.tournament.quoridor.terms import GameTerms
from tests.support.faulty_servers import Answering, FaultyServer, check_verdicts, faulty_servers

TERMS = GameTerms(move_time=10.0, no_show_time=30.0)

#: Absence of a server, in seconds: longer than the time to wait for an entrant, shorter than twice that.
AWAY = (40.0, 85.0)


class Network:
    """In-memory servers, by port; connecting takes no time, and other ports refuse it."""

    def __init__(self, servers: Sequence[FaultyServer], nursery: trio.Nursery) -> None:
        self._servers = servers
        self._nursery = nursery

    async def connect(self, host: str, port: int, seconds: float) -> Stream:
        await trio.lowlevel.checkpoint()
        server = self._servers[port - 1]
        if not server.is_up():
            raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
        ours, theirs = trio.testing.memory_stream_pair()
        self._nursery.start_soon(server.serve, theirs)
        return ours


@asynccontextmanager
async def match(
    monkeypatch: pytest.MonkeyPatch, *servers: FaultyServer, no_show_time: float = 30.0
) -> AsyncIterator[tuple[Roster, list[Event | tuple[int, int]]]]:
    """Yield the roster of these servers, and a list of the events and transcripts of their tournament."""
    told: list[Event | tuple[int, int]] = []

    def keep(game: int, seat: int, text: str) -> None:
        assert "HELLO" in text
        told.append((game, seat))

    async with trio.open_nursery() as nursery:
        monkeypatch.setattr(sockets, "connect", Network(servers, nursery).connect)
        async with open_roster(evolve(TERMS, no_show_time=no_show_time), keep) as roster:
            for port, server in enumerate(servers, 1):
                await roster.add(parse_spec(f"{server.name}=host:{port}"))
            yield roster, told
        nursery.cancel_scope.cancel()


async def play_round_robin(
    roster: Roster, told: list[Event | tuple[int, int]], games: int = 1
) -> list[Result]:
    """Play a round robin to its end and return its results."""
    tournament = Tournament(
        TournamentStarted("quoridor", roster.names), RoundRobin(games), roster.play, [told.append]
    )
    assert await tournament.run()
    return [result for _, result in tournament.state.results()]


def voids(told: Sequence[Event | tuple[int, int]]) -> list[str]:
    """Return the reasons of postponed games."""
    ends = [
        event.event for event in told if isinstance(event, GameEvent) and isinstance(event.event, GameEnded)
    ]
    return [end.result.sentence for end in ends if end.result.is_void]


class Busy(FaultyServer):
    """A server that closes all connections until a given time."""

    until = 0.0

    async def talk(self, stream: Stream) -> None:
        if trio.current_time() >= self.until:
            await super().talk(stream)


async def test_a_server_that_is_busy_is_waited_for(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = Busy("busy")
    busy.until = trio.current_time() + 25
    async with match(monkeypatch, FaultyServer("sound"), busy) as (roster, told):
        (result,) = await play_round_robin(roster, told)
    assert result.termination is Termination.GOAL
    assert voids(told) == []
    assert busy.connections <= 27


class Crowded(FaultyServer):
    """A server that counts its concurrent connections."""

    now = 0
    most = 0

    async def talk(self, stream: Stream) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await super().talk(stream)
        finally:
            self.now -= 1


async def test_entrants_at_one_server_do_not_exceed_its_connections(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowded = Crowded("crowded")
    async with trio.open_nursery() as nursery:
        monkeypatch.setattr(sockets, "connect", Network([crowded], nursery).connect)
        async with open_roster(TERMS) as roster:
            for entrant in ("a=localhost:1,games=2", "b=127.0.0.1:1,games=2", "random", "simple"):
                await roster.add(parse_spec(entrant))
            assert await roster.introduce() == {}
            tournament = Tournament(
                TournamentStarted("quoridor", roster.names),
                RoundRobin(2),
                roster.play,
                capacities=roster.capacities,
                servers=roster.servers,
            )
            assert await tournament.run()
        nursery.cancel_scope.cancel()
    assert len(tournament.state.decided) == 12
    assert {result.termination for _, result in tournament.state.results()} == {Termination.GOAL}
    assert crowded.most == 2


async def test_a_server_that_closes_while_waiting_loses_nothing(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move server that closes after half a minute without a game gets a second connection."""
    late = trio.current_time() + 45
    sound = FaultyServer("sound")
    other = FaultyServer("late", is_up=lambda: trio.current_time() >= late)
    async with match(monkeypatch, sound, other, no_show_time=60.0) as (roster, told):
        (result,) = await play_round_robin(roster, told)
    assert result.termination is Termination.GOAL
    assert (sound.connections, other.connections) == (2, 1)


async def test_an_entrant_does_not_forfeit_for_an_earlier_absence_of_the_other(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = trio.current_time()
    ann = FaultyServer("ann", is_up=lambda: trio.current_time() >= began + 31)
    bob = FaultyServer("bob", is_up=lambda: not 1 < trio.current_time() - began < 61)
    async with match(monkeypatch, ann, bob) as (roster, told):
        (result,) = await play_round_robin(roster, told)
    assert result.termination is Termination.GOAL
    assert voids(told) == [
        f"The game is postponed: {name} cannot be reached: Connection refused." for name in ("ann", "bob")
    ]


async def test_a_second_no_show_forfeits(autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    began = trio.current_time()
    gone = FaultyServer("gone", is_up=lambda: False)
    async with match(monkeypatch, FaultyServer("sound"), gone) as (roster, told):
        results = await play_round_robin(roster, told, games=2)
        assert [(result.winner, result.termination) for result in results] == [
            (1, Termination.DISCONNECTED),
            (2, Termination.DISCONNECTED),
        ]
        assert len(voids(told)) == 2
    assert 115 < trio.current_time() - began < 125


async def test_a_game_without_players_has_no_winner(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = [FaultyServer(name, is_up=lambda: False) for name in ("ann", "bob")]
    async with match(monkeypatch, *servers) as (roster, told):
        (result,) = await play_round_robin(roster, told)
    assert (result.winner, result.termination) == (None, Termination.DISCONNECTED)
    assert len(voids(told)) == 1


async def test_transcripts_are_kept_before_the_result(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = Answering("bob", Termination.UNPARSABLE_MOVE, 1, data=b"TESUJI e4\n")
    async with match(monkeypatch, FaultyServer("ann"), bob) as (roster, told):
        await play_round_robin(roster, told)
    kinds = [event if isinstance(event, tuple) else type(getattr(event, "event", event)) for event in told]
    assert kinds[-4:] == [(1, 1), (1, 2), GameEnded, TournamentEnded]


async def test_transcripts_of_faultless_games_are_not_kept(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with match(monkeypatch, FaultyServer("ann"), FaultyServer("bob")) as (roster, told):
        await play_round_robin(roster, told)
    assert not [event for event in told if isinstance(event, tuple)]


async def test_twelve_faulty_servers_get_the_right_verdicts(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = faulty_servers(9.0, lambda: AWAY[0] <= trio.current_time() - began < AWAY[1])
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        monkeypatch.setattr(sockets, "connect", Network(servers, nursery).connect)
        async with open_roster(TERMS) as roster:
            for port, server in enumerate(servers, 1):
                await roster.add(parse_spec(f"{server.name}=host:{port}"))
            start = TournamentStarted("quoridor", roster.names)
            tournament = Tournament(start, RoundRobin(1), roster.play, concurrency=6)
            with trio.fail_after(7200):
                assert await tournament.run()
        nursery.cancel_scope.cancel()
    check_verdicts(tournament.state, servers)


async def test_the_reason_on_the_page_of_a_league_contains_no_command() -> None:
    async with open_roster(TERMS) as roster:
        await roster.add(parse_spec("qtp:/opt/nowhere/bot --key 123"), "bob")
        failures = await roster.introduce()
        assert failures[1].startswith("cannot be started: there is no program")
        assert "--key" not in failures[1]
        assert roster.describe(1) == "bob: qtp:/opt/nowhere/bot --key 123"
