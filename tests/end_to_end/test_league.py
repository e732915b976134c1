"""Eight move servers in processes of their own, two of which misbehave, play a league for an hour."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
import trio
from attrs import define, field
from trio.testing import MockClock

from quoridor_net.match import GameEnded, GameStarted
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import EntrantAway, EntrantBack, Event, GameEvent, Journal, TournamentState
from quoridor_net.tournament.quoridor.archive import verify
from quoridor_net.tournament.quoridor.leaderboard import Leaderboard
from quoridor_net.tournament.quoridor.manager import Manager
from quoridor_net.tournament.quoridor.plan import LeagueTerms, Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from tests.end_to_end.conftest import Server, open_server

HOUR = 3600.0
#: Seconds of the league in a second of real time. Time limits are long, so that a busy machine keeps them.
RATE = 60.0
TERMS = GameTerms(seed=5, gap=0.0, move_time=1200.0, no_show_time=600.0)
#: With a limit on the games of an hour, servers are idle now and then.
PLAN = Plan("league", terms=TERMS, concurrency=4, league=LeagueTerms(rate=16))
NAMES = ("a", "b", "c", "d", "e", "f", "crashing", "wandering")
CRASHING, WANDERING = 7, 8
#: Seconds that the wandering server is there, and that it is away.
HERE, GONE = 300.0, 900.0


@define
class Class:
    """The servers of a class and the league that they play."""

    stack: ExitStack
    state: TournamentState = field(factory=TournamentState)
    servers: dict[int, tuple[ExitStack, Server]] = field(factory=dict)
    events: list[Event] = field(factory=list)
    running: dict[int, tuple[int, ...]] = field(factory=dict)
    #: The entrants that are away.
    away: set[int] = field(factory=set)
    crashes: int = 0
    #: Is set with the next event.
    changed: trio.Event = field(factory=trio.Event)

    def start(self, entrant: int, port: int = 0) -> str:
        """Start the server of an entrant, and return its address."""
        stack = self.stack.enter_context(ExitStack())
        server = stack.enter_context(open_server("--port", f"{port}"))
        self.servers[entrant] = stack, server
        return server.endpoint

    def kill(self, entrant: int) -> int:
        """Kill the server of an entrant, and return its port."""
        stack, server = self.servers[entrant]
        stack.close()
        return server.port

    def listen(self, event: Event) -> None:
        """Follow the league."""
        self.events.append(event)
        self.changed.set()
        self.changed = trio.Event()
        match event:
            case GameEvent(game, GameStarted()):
                self.running[game] = self.state.pairing(game).seats
                assert self.away.isdisjoint(self.running[game])
            case GameEvent(game, GameEnded(result=result)):
                # Only a game that was played can be lost by a fault.
                assert game in self.running or not result.termination.is_fault
                self.running.pop(game, None)
            case EntrantAway(entrant):
                assert not any(entrant in seats for seats in self.running.values())
                self.away.add(entrant)
            case EntrantBack(entrant):
                self.away.remove(entrant)

    def is_playing(self, entrant: int) -> bool:
        """Return whether an entrant plays, or a game of it is about to start."""
        return any(entrant in pairing.seats for pairing in self.state.pending)

    async def crash(self) -> None:
        """Crash a server in some of its games, and start it again."""
        chance = random.Random(1)
        seen: set[int] = set()
        while True:
            await trio.sleep(1)
            games = {game for game, seats in self.running.items() if CRASHING in seats} - seen
            seen |= games
            if games and chance.random() < 0.5:
                await trio.sleep(5)
                self.crashes += 1
                port = await trio.to_thread.run_sync(self.kill, CRASHING)
                await trio.to_thread.run_sync(self.start, CRASHING, port)

    async def wander(self) -> None:
        """Stop a server between two games, and start it again."""
        while True:
            await trio.sleep(HERE)
            while self.is_playing(WANDERING):
                await self.changed.wait()
            port = await trio.to_thread.run_sync(self.kill, WANDERING)
            await trio.sleep(GONE)
            await trio.to_thread.run_sync(self.start, WANDERING, port)

    async def play(self, path: Path) -> None:
        """Play for an hour."""
        addresses = [await trio.to_thread.run_sync(self.start, entrant) for entrant in range(1, 9)]
        specs = tuple(parse_spec(f"{name}={each}") for name, each in zip(NAMES, addresses, strict=True))
        with Journal.create(path) as journal:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.crash)
                nursery.start_soon(self.wander)
                with trio.move_on_after(HOUR) as scope:
                    await Manager(journal, self.state, PLAN, specs).run([self.listen])
                assert scope.cancelled_caught
                nursery.cancel_scope.cancel()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_eight_servers_play_a_league_for_an_hour(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    with ExitStack() as stack:
        league = Class(stack)
        trio.run(league.play, path, clock=MockClock(rate=RATE))
    decided = league.state.decided
    assert verify(path) == []
    assert len(decided) > 30
    faults: Counter[int] = Counter()
    for game, result in decided.items():
        if result.termination.is_fault:
            faults.update(set(league.state.pairing(game).seats) - {winner_of(league.state, game)})
    # The wandering server never leaves while it plays, so that it loses nothing.
    assert set(faults) == {CRASHING}
    assert 0 < faults[CRASHING] <= league.crashes
    assert {event.entrant for event in league.events if isinstance(event, EntrantAway)} >= {WANDERING}
    with Leaderboard.open(path) as board:
        rows = {row.entrant: row for row in board.read()}
    for entrant, row in rows.items():
        games = [game for game in decided if entrant in league.state.pairing(game).seats]
        assert row.played == row.won + row.drawn + row.lost == len(games)
        assert row.won == sum(winner_of(league.state, game) == entrant for game in games)
        assert row.forfeited == faults[entrant]
        assert games


def winner_of(state: TournamentState, game: int) -> int | None:
    winner = state.decided[game].winner
    return None if winner is None else state.pairing(game).seats[winner - 1]
