"""Plays the games of a tournament, as many at once as the entrants and the machine allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import trio
from attrs import define, field

from quoridor_net import match
from quoridor_net.outcome import Result
from quoridor_net.tournament.events import (
    Event,
    GameEvent,
    Listener,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
)
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.standings import GameResult
from quoridor_net.tournament.state import TournamentState

#: How often a game that comes out void is played before that stays. The fault lies with this machine and not
#: with the players, so going on for ever would not help them.
ATTEMPTS = 3

#: Plays one game, calls the listener with all its events, and returns the result that is in the last one.
Play = Callable[[Pairing, match.MatchListener[Any, Any]], Awaitable[Result]]


async def play_tournament(
    plan: TournamentStarted,
    play: Play,
    listeners: Iterable[Listener] = (),
    *,
    state: TournamentState | None = None,
    concurrency: int | None = None,
    capacities: Mapping[int, int] | None = None,
    attempts: int = ATTEMPTS,
) -> list[GameResult]:
    """Play all games of a tournament, or those that are left of it, and return the results by game number.

    A game begins as soon as its entrants can play it, the first of the schedule first: nobody waits for the
    slowest table of a round. When this is cancelled, ``state`` has the results of the games that are over.

    Args:
        plan: who plays, and which games.
        play: plays one game. Calls for different games run at the same time. A player's fault is a result;
            only a fault of the program may raise.
        listeners: called with every event, in order; ``state`` includes it by then.
        state: what was played before; empty for a new tournament.
        concurrency: most games at once; None for no limit.
        capacities: most games at once of an entrant, by its number; 1 for those that are missing.
        attempts: how often a game is played until it is not void.
    """
    state = TournamentState() if state is None else state
    runner = _Runner(state, play, tuple(listeners), concurrency, capacities or {}, attempts)
    runner.record(plan if state.plan is None else TournamentResumed())
    await runner.run(state.pending)
    runner.record(TournamentEnded())
    return state.results()


@define
class _Runner:
    _state: TournamentState
    _play: Play
    _listeners: tuple[Listener, ...]
    _concurrency: int | None
    _capacities: Mapping[int, int]
    _attempts: int
    _waiting: list[Pairing] = field(factory=list)
    _running: int = 0
    # How many games each entrant is playing, and how often each game was begun.
    _playing: Counter[int] = field(factory=Counter)
    _begun: Counter[int] = field(factory=Counter)
    _freed: trio.Event = field(factory=trio.Event)

    def record(self, event: Event) -> None:
        self._state.apply(event)
        for listener in self._listeners:
            listener(event)

    async def run(self, pairings: Iterable[Pairing]) -> None:
        self._waiting = list(pairings)
        async with trio.open_nursery() as nursery:
            while self._waiting or self._running:
                self._freed = trio.Event()
                for pairing in self._take_ready():
                    nursery.start_soon(self._one, pairing)
                await self._freed.wait()

    def _take_ready(self) -> list[Pairing]:
        ready = []
        for pairing in self._waiting:
            if self._running == self._concurrency:
                break
            if all(self._playing[entrant] < self._capacities.get(entrant, 1) for entrant in pairing.seats):
                self._playing.update(pairing.seats)
                self._running += 1
                ready.append(pairing)
        for pairing in ready:
            self._waiting.remove(pairing)
        return ready

    async def _one(self, pairing: Pairing) -> None:
        self._begun[pairing.number] += 1
        result = await self._play(pairing, lambda event: self.record(GameEvent(pairing.number, event)))
        if result.is_void and self._begun[pairing.number] < self._attempts:
            self._waiting.append(pairing)
        self._playing.subtract(pairing.seats)
        self._running -= 1
        self._freed.set()
