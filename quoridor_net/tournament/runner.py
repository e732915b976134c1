"""Plays a schedule: as many games at once as the entrants allow, each entrant in one game at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable

import trio

from quoridor_net.tournament.events import Began, Finished, Listener
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.verdict import Verdict

#: How often a game that comes out void is played before that stays. The fault lies with this machine and not
#: with the players, so going on for ever would not help them.
ATTEMPTS = 3

#: Plays one game.
Play = Callable[[Pairing], Awaitable[Verdict]]


async def play_schedule(pairings: Iterable[Pairing], play: Play, listener: Listener) -> None:
    """Play all games; return when the last is over.

    A game begins as soon as its entrants are free, the first of the schedule first: nobody waits for the
    slowest table of a round.

    Args:
        pairings: the games still to be played.
        play: plays one game. Calls for different games run at the same time. A player's fault is a verdict;
            only a fault of the program may raise.
        listener: told when a game begins and ends.
    """
    await _Schedule(list(pairings), play, listener).run()


class _Schedule:
    def __init__(self, pairings: list[Pairing], play: Play, listener: Listener) -> None:
        self._pending = pairings
        self._play = play
        self._listener = listener
        self._busy: set[int] = set()
        self._attempts: Counter[int] = Counter()
        self._freed = trio.Event()

    async def run(self) -> None:
        async with trio.open_nursery() as nursery:
            while self._pending:
                self._freed = trio.Event()
                for pairing in self._take_ready():
                    nursery.start_soon(self._one, pairing)
                await self._freed.wait()

    def _take_ready(self) -> list[Pairing]:
        ready = []
        for pairing in self._pending:
            if self._busy.isdisjoint(pairing.seats):
                self._busy.update(pairing.seats)
                ready.append(pairing)
        for pairing in ready:
            self._pending.remove(pairing)
        return ready

    async def _one(self, pairing: Pairing) -> None:
        self._attempts[pairing.number] += 1
        self._listener(Began(pairing.number))
        verdict = await self._play(pairing)
        self._listener(Finished(pairing.number, verdict))
        if verdict.is_void and self._attempts[pairing.number] < ATTEMPTS:
            self._pending.append(pairing)
        self._busy.difference_update(pairing.seats)
        self._freed.set()
