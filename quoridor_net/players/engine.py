"""The project's engine as a player: it thinks in a worker thread, and stops when nobody waits any more."""

from __future__ import annotations

import random
import threading

import trio
from attrs import evolve

from quoridor_net.engine import Analysis, Limits, Searcher
from quoridor_net.players.base import Clock, Player, Seating
from quoridor_net.players.thinking import processors, think
from quoridor_net.rules import Move, Position


class EnginePlayer(Player[Position, Move]):
    """Plays one game with a searcher of its own.

    Call :func:`quoridor_net.engine.warm_up` before the first game, so that no move waits for the compiler.

    Args:
        seed: for the same moves under the same node or depth limit; None for others every time.
        limits: when a search ends, at the latest when the clock says so. Where neither limits anything, one
            second a move.

    Attributes:
        analysis: what the last search found; None before the first.
    """

    def __init__(self, seed: int | None = None, limits: Limits | None = None) -> None:
        self.name = "qnt:engine"
        self._seed = random.randrange(2**31) if seed is None else seed
        self._limits = limits or Limits()
        self.analysis: Analysis | None = None
        self._searcher: Searcher | None = None

    async def begin(self, seating: Seating[Position]) -> None:
        """Make the searcher for a game of this size and number of players."""
        position = seating.position
        # Its memory may be what the next one needs.
        self._searcher = None
        self._searcher = await trio.to_thread.run_sync(
            lambda: Searcher(position.size, position.players, seed=self._seed), limiter=processors
        )

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the best move found within the limits. When cancelled, the search ends at once."""
        limits = limits_within(clock, self._limits)

        def search(abandoned: threading.Event) -> Analysis:
            # Looked up here, so that an idle thread does not keep the table in memory.
            assert self._searcher is not None, "begin comes first"
            return self._searcher.choose(position, limits, abandoned=abandoned)

        def cancel() -> None:
            if self._searcher is not None:
                self._searcher.cancel()

        self.analysis = await think(search, cancel)
        return self.analysis.move

    async def leave(self) -> None:
        """Free the table."""
        self._searcher = None


def limits_within(clock: Clock, limits: Limits) -> Limits:
    """Return ``limits`` with the time that ``clock`` allows, where that is less."""

    def smaller(own: float | None, allowed: float | None) -> float | None:
        return min((time for time in (own, allowed) if time is not None), default=None)

    return evolve(
        limits,
        time=smaller(limits.time, clock.move_time),
        game_time=smaller(limits.game_time, clock.game_time),
        increment=limits.increment or clock.increment,
    )
