"""The project's engines as players: they think in worker threads, and stop when nobody waits any more."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from typing import TypeVar

import trio
from attrs import evolve
from trio.lowlevel import RunVar

from quoridor_net import clobber
from quoridor_net.clobber.engine import Engine, Progress
from quoridor_net.clobber.engine import Limits as ClobberLimits
from quoridor_net.engine import Analysis, Limits, Searcher
from quoridor_net.engine.time_management import allotted_time
from quoridor_net.players.base import Clock, Player, Seating
from quoridor_net.rules import Move, Position

T = TypeVar("T")

#: As many searches at once as there are processors; the others wait for their turn. Several event loops can
#: run in threads of one process, and none may touch what another one waits for.
_processors: RunVar[trio.CapacityLimiter] = RunVar("processors")

#: Seconds for a move of Clobber where nothing else limits it.
CLOBBER_MOVE_TIME = 2.0


async def think(search: Callable[[threading.Event], T], cancel: Callable[[], None]) -> T:
    """Return what ``search`` finds in a thread of its own. When cancelled, leave the search to end by itself.

    Args:
        search: gets an event that is set once nobody waits for the answer, before ``cancel`` is called: a
            search that has not quite begun would miss the latter.
        cancel: has the search that is running end at once.
    """
    abandoned = threading.Event()
    try:
        return await trio.to_thread.run_sync(search, abandoned, abandon_on_cancel=True, limiter=_limiter())
    except trio.Cancelled:
        abandoned.set()
        cancel()
        raise


def _limiter() -> trio.CapacityLimiter:
    try:
        return _processors.get()
    except LookupError:
        _processors.set(trio.CapacityLimiter(os.cpu_count() or 1))
        return _processors.get()


class EnginePlayer(Player[Position, Move]):
    """Plays one game of Quoridor with a searcher of its own.

    Call :func:`quoridor_net.engine.warm_up` before the first game, so that no move waits for the compiler.

    Args:
        seed: for the same moves under the same node or depth limit; None for others every time.
        limits: when a search ends, at the latest when the clock says so. Where neither limits anything, one
            second a move.
        table_mb: megabytes for what is kept of positions searched; see
            :class:`~quoridor_net.engine.Searcher`.

    Attributes:
        analysis: what the last search found; None before the first.
    """

    def __init__(
        self, seed: int | None = None, limits: Limits | None = None, table_mb: int | None = None
    ) -> None:
        self.name = "qnt:engine"
        self._seed = random.randrange(2**31) if seed is None else seed
        self._limits = limits or Limits()
        self._table_mb = table_mb
        self.analysis: Analysis | None = None
        self._searcher: Searcher | None = None

    async def begin(self, seating: Seating[Position]) -> None:
        """Make the searcher for a game of this size and number of players."""
        position = seating.position
        # Its memory may be what the next one needs.
        self._searcher = None
        self._searcher = await trio.to_thread.run_sync(
            lambda: Searcher(position.size, position.players, table_mb=self._table_mb, seed=self._seed),
            limiter=_limiter(),
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


class ClobberEnginePlayer(Player[clobber.Position, clobber.Move]):
    """Plays Clobber with an engine of its own.

    Call :meth:`warm_up` before the first game, so that no move waits for the compiler.

    Args:
        seed: for the same moves under the same node limit; None for others every time.
        limits: how long it thinks about a move, at most for as long as the clock says. Where neither limits
            anything, two seconds.
    """

    def __init__(self, seed: int | None = None, limits: ClobberLimits | None = None) -> None:
        self.name = "engine"
        self._engine = Engine(seed)
        self._limits = limits or ClobberLimits(seconds=None)
        self._in_use = threading.Lock()

    def warm_up(self, progress: Progress | None = None) -> None:
        """Load the engine, compiling it when that was not done before on this machine (some 20 s)."""
        self._engine.warm_up(progress)

    async def choose(self, position: clobber.Position, clock: Clock) -> clobber.Move:
        """Return the best move found in time. When cancelled, the search ends at once."""
        limits = clobber_limits_within(clock, self._limits, position.ply // position.players)

        def search(abandoned: threading.Event) -> clobber.Move:
            # A search that was cancelled may need a moment to notice.
            with self._in_use:
                return self._engine.choose(position, limits, abandoned).move

        return await think(search, self._engine.cancel)


def limits_within(clock: Clock, limits: Limits) -> Limits:
    """Return ``limits`` with the time that ``clock`` allows, where that is less."""
    return evolve(
        limits,
        time=_smallest(limits.time, clock.move_time),
        game_time=_smallest(limits.game_time, clock.game_time),
        increment=limits.increment or clock.increment,
    )


def clobber_limits_within(clock: Clock, limits: ClobberLimits, moves_played: int) -> ClobberLimits:
    """Return ``limits`` with the time that ``clock`` allows, where that is less."""
    seconds = _smallest(
        limits.seconds, allotted_time(clock.move_time, clock.game_time, clock.increment, moves_played)
    )
    if seconds is None and limits.nodes is None:
        seconds = CLOBBER_MOVE_TIME
    return evolve(limits, seconds=seconds)


def _smallest(*times: float | None) -> float | None:
    return min((time for time in times if time is not None), default=None)
