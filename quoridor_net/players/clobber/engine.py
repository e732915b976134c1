"""The project's Clobber engine as a player: it thinks in a worker thread, and stops when nobody waits."""

from __future__ import annotations

import threading

from attrs import evolve

from quoridor_net.clobber import Move, Position
from quoridor_net.clobber.engine import Engine, Limits, Progress
from quoridor_net.engine.timing import share
from quoridor_net.players.base import Clock
from quoridor_net.players.clobber.base import ClobberPlayer
from quoridor_net.players.thinking import think

#: Seconds for a move unless told otherwise.
DEFAULT_MOVE_TIME = 2.0


class EnginePlayer(ClobberPlayer):
    """Plays with an engine of its own.

    Call :meth:`warm_up` before the first game, so that no move waits for the compiler.

    Args:
        seed: for the same moves under the same node limit; None for others every time.
        limits: how long it thinks about one move, at most for as long as the clock allows.
    """

    def __init__(self, seed: int | None = None, limits: Limits | None = None) -> None:
        self.name = "engine"
        self._engine = Engine(seed)
        self._limits = limits
        self._in_use = threading.Lock()

    def warm_up(self, progress: Progress | None = None) -> None:
        """Load the engine, compiling it when that was not done before on this machine (some 20 s)."""
        self._engine.warm_up(progress)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the best move found in time. When cancelled, the search ends at once."""
        limits = limits_within(clock, self._limits, position.ply // 2)

        def search(abandoned: threading.Event) -> Move:
            # A search that was cancelled may need a moment to notice.
            with self._in_use:
                return self._engine.choose(position, limits, abandoned).move

        return await think(search, self._engine.cancel)


def limits_within(clock: Clock, limits: Limits | None, moves_played: int) -> Limits:
    """Return ``limits`` with the time that ``clock`` allows, where that is less."""
    allowed = share(clock.move_time, clock.game_time, clock.increment, moves_played)
    if limits is None:
        return Limits(seconds=DEFAULT_MOVE_TIME if allowed is None else allowed)
    times = [time for time in (limits.seconds, allowed) if time is not None]
    return evolve(limits, seconds=min(times, default=None))
