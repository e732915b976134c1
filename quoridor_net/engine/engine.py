"""The engine for games of any size: one object that plays and analyses whatever position it is given."""

from __future__ import annotations

import threading
from collections.abc import Collection
from time import perf_counter
from types import TracebackType
from typing import Self

from attrs import evolve

from quoridor_net.engine.limits import STRONGEST, Analysis, Choice, Limits
from quoridor_net.engine.searcher import Searcher, check_question
from quoridor_net.engine.stream import AnalysisStream
from quoridor_net.rules import Move, Position


class Engine:
    """Plays and analyses games of any size, for two or four players.

    What it learned from one move of a game serves the next. The tables are allocated for the size and the
    number of players of the first position, and anew when these change; that counts as time of the move. The
    first search on a machine compiles the kernel for about 10 seconds, unless
    :func:`quoridor_net.engine.warm_up` has done so.

    The methods block and compute without the GIL, so with trio::

        analysis = await trio.to_thread.run_sync(engine.play, position, Limits(time=1))

    As a context manager it frees its memory at the end of the block.

    Args:
        level: playing strength from 1, a beginner, to 10, full strength; limits of a call can lower it.
        seed: decides between equal moves, and what weak levels overlook.
        table_mb: megabytes for what is kept of positions searched; see
            :class:`~quoridor_net.engine.Searcher`.

    Raises:
        TypeError: the level is not a whole number.
        ValueError: the level is out of range.
    """

    def __init__(self, *, level: int = STRONGEST, seed: int = 0, table_mb: int | None = None) -> None:
        self._defaults = Limits(level=level)
        self._seed = seed
        self._table_mb = table_mb
        self._searcher: Searcher | None = None
        self._kind: tuple[int, int] | None = None

    def play(self, position: Position, limits: Limits | None = None) -> Analysis:
        """Return the move to play, ``.move``, and what the search found about it.

        Args:
            position: where to move; it is not changed.
            limits: when the search ends; after one second unless given.

        Raises:
            ValueError: the game is over.
        """
        begun = perf_counter()
        searcher = self._searcher_for(position)
        return searcher.choose(position, self._within_level(limits), spent=perf_counter() - begun)

    def analyse(
        self,
        position: Position,
        limits: Limits | None = None,
        *,
        multipv: int = 1,
        moves: Collection[Move] | None = None,
        abandoned: threading.Event | None = None,
    ) -> tuple[Choice, ...]:
        """Return the best moves, best first, each with its score and the line expected.

        Args:
            position: what to analyse; it is not changed.
            limits: when the search ends; after one second unless given.
            multipv: how many different moves to score; there are fewer if there are no more, or if the search
                ended before it came to them.
            moves: the legal moves to score; all unless given.
            abandoned: set before :meth:`stop` is called, it makes sure that this search ends at once.

        Raises:
            ValueError: the game is over, or none of ``moves`` is legal.
        """
        begun = perf_counter()
        searcher = self._searcher_for(position)
        spent = perf_counter() - begun
        limits = self._within_level(limits)
        return searcher.choose(position, limits, multipv, abandoned, moves, spent=spent).choices

    def analysis(
        self, position: Position, limits: Limits | None = None, *, multipv: int = 1
    ) -> AnalysisStream:
        """Return a stream of analyses of ``position``, each deeper than the one before.

        Iterate over it in plain code, or with ``async for`` under trio or asyncio. As a context manager, with
        ``with`` or ``async with``, it can be left at any time, which stops the search::

            with engine.analysis(position) as results:
                for found in results:
                    print(found.depth, found.move)
                    if found.depth > 8:
                        break

        Args:
            position: what to analyse; it is copied.
            limits: when the stream ends; only with a proven result unless given.
            multipv: how many different moves to score.

        Raises:
            ValueError: the game is over, or fewer than one move is asked for.
        """
        check_question(position, multipv)
        subject = position.copy()

        def search(limits: Limits, abandoned: threading.Event) -> Analysis:
            searcher = self._searcher_for(subject)
            return searcher.choose(subject, limits, multipv, abandoned, asks_book=False)

        bounds = None if limits is None else self._within_level(limits)
        return AnalysisStream(search, self.stop, self._defaults, bounds, subject.ply // subject.players)

    def stop(self) -> None:
        """Have the search that runs in another thread, if any, answer at once with the best move so far."""
        if self._searcher is not None:
            self._searcher.cancel()

    def close(self) -> None:
        """Free the tables; a later search allocates them anew."""
        self._searcher = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _within_level(self, limits: Limits | None) -> Limits:
        """Return ``limits`` with the level of this engine if that is lower."""
        limits = limits or Limits()
        return evolve(limits, level=min(limits.level, self._defaults.level))

    def _searcher_for(self, position: Position) -> Searcher:
        kind = (position.size, position.players)
        if self._searcher is None or kind != self._kind:
            # The memory of the old tables may be what the new ones need.
            self._searcher = None
            self._searcher = Searcher(*kind, self._table_mb, self._seed)
            self._kind = kind
        return self._searcher
