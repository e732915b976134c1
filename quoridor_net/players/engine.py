"""The project's engine as a player: it thinks in a worker thread, and stops when nobody waits any more."""

from __future__ import annotations

import os
import random

import trio
from attrs import evolve

from quoridor_net.engine import Analysis, Limits, Searcher
from quoridor_net.players.base import Player, Seating
from quoridor_net.rules import Move, Position

#: Seconds for a move unless told otherwise.
DEFAULT_MOVE_TIME = 1.0

# As many searches at once as there are processors; the others wait for their turn.
_limiter = trio.CapacityLimiter(os.cpu_count() or 1)


class EnginePlayer(Player):
    """Plays one game with a searcher of its own.

    Call :func:`quoridor_net.engine.warm_up` before the first game, so that no move waits for the compiler.

    Args:
        seed: for the same moves under the same node or depth limit; None for others every time.
        limits: when a search ends; one second a move unless given.

    Attributes:
        move_time: seconds for the next move; None when only other limits count.
        analysis: what the last search found; None before the first.
    """

    def __init__(self, seed: int | None = None, limits: Limits | None = None) -> None:
        self.name = "qnt:engine"
        self._seed = random.randrange(2**31) if seed is None else seed
        self._limits = Limits(move_time=DEFAULT_MOVE_TIME) if limits is None else limits
        self.move_time = self._limits.move_time
        self.analysis: Analysis | None = None
        self._searcher: Searcher | None = None

    async def begin(self, seating: Seating) -> None:
        """Make the searcher for a game of this size and number of players."""
        position = seating.position
        # Its memory may be what the next one needs.
        self._searcher = None
        self._searcher = await trio.to_thread.run_sync(
            lambda: Searcher(position.size, position.players, seed=self._seed), limiter=_limiter
        )

    async def choose(self, position: Position) -> Move:
        """Return the best move found within the limits. When cancelled, the search ends at once."""
        searcher = self._searcher
        assert searcher is not None, "begin comes first"
        limits = evolve(self._limits, move_time=self.move_time)
        try:
            self.analysis = analysis = await trio.to_thread.run_sync(
                searcher.choose, position, limits, abandon_on_cancel=True, limiter=_limiter
            )
        except trio.Cancelled:
            searcher.cancel()
            raise
        return analysis.move

    async def leave(self) -> None:
        """Free the table."""
        self._searcher = None
