"""The project's Clobber engine as a player: it thinks in a worker thread, and stops when nobody waits."""

from __future__ import annotations

import threading

import trio

from quoridor_net.clobber import Move, Position
from quoridor_net.clobber.engine import Engine, Limits, Progress
from quoridor_net.players.clobber.base import ClobberPlayer

#: Seconds for a move unless told otherwise.
DEFAULT_MOVE_TIME = 2.0


class EnginePlayer(ClobberPlayer):
    """Plays with an engine of its own.

    Call :meth:`warm_up` before the first game, so that no move waits for the compiler.

    Args:
        seed: for the same moves under the same node limit; None for others every time.
        limits: how long it thinks about one move.
    """

    def __init__(self, seed: int | None = None, limits: Limits | None = None) -> None:
        self.name = "engine"
        self._engine = Engine(seed)
        self._limits = Limits(seconds=DEFAULT_MOVE_TIME) if limits is None else limits
        self._in_use = threading.Lock()

    def warm_up(self, progress: Progress | None = None) -> None:
        """Load the engine, compiling it when that was not done before on this machine (some 20 s)."""
        self._engine.warm_up(progress)

    async def choose(self, position: Position) -> Move:
        """Return the best move found in time. When cancelled, the search ends at once."""
        abandoned = threading.Event()
        try:
            return await trio.to_thread.run_sync(self._think, position, abandoned, abandon_on_cancel=True)
        except trio.Cancelled:
            # In this order, or a choice that is just beginning would go on and keep the next one waiting.
            abandoned.set()
            self._engine.cancel()
            raise

    def _think(self, position: Position, abandoned: threading.Event) -> Move:
        # A search that was cancelled may need a moment to notice.
        with self._in_use:
            return self._engine.choose(position, self._limits, abandoned).move
