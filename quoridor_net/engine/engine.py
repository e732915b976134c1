"""The engine for games of any size: one object that plays and analyses whatever position it is given."""

from __future__ import annotations

import threading
from collections.abc import Collection
from time import perf_counter
from types import TracebackType
from typing import Self

from attrs import evolve

from quoridor_net.engine.board.moves import LARGEST
from quoridor_net.engine.compilation import load_kernels
from quoridor_net.engine.evaluation.weights import check_names
from quoridor_net.engine.limits import STRONGEST, Analysis, Choice, Limits
from quoridor_net.engine.searcher import Searcher, check_question
from quoridor_net.engine.stream import AnalysisStream
from quoridor_net.rules import Move, Position


class Engine:
    """An engine that plays and analyses games of any size, for two or four players.

    It keeps what it learned from one move of a game for the next. The first position decides for which size
    and number of players it allocates tables, and a position of another kind replaces them; that counts as
    time of the move.

    The first search of a process loads the compiled code, which takes half a second; on a new machine it
    compiles for about 10 seconds. No limit counts that time. :func:`quoridor_net.engine.warm_up` does both
    ahead of time and shows progress.

    The methods block and compute without the GIL, so with trio::

        analysis = await trio.to_thread.run_sync(engine.play, position, Limits(time=1))

    As a context manager it frees its memory at the end of the block. One search runs at a time.

    Args:
        level: playing strength from 1, a beginner, to 10, full strength; the limits of a call can lower it.
        seed: decides between equal moves, and what weak levels overlook.
        table_mb: memory for searched positions, in megabytes. The default is 256 for two players on 7x7 to
            11x11, 128 for four players, and 64 otherwise, or less if the address space is limited.
        uses_book: whether searches of half a second or less may answer from the opening book.
        weights: changed evaluation weights by name, for tuning.

    Raises:
        TypeError: the level is not a whole number.
        ValueError: the level is out of range, or a weight is unknown.
    """

    def __init__(
        self,
        *,
        level: int = STRONGEST,
        seed: int = 0,
        table_mb: int | None = None,
        uses_book: bool = True,
        weights: dict[str, int] | None = None,
    ) -> None:
        check_names(weights or {})
        self._defaults = Limits(level=level)
        self._seed = seed
        self._table_mb = table_mb
        self._uses_book = uses_book
        self._weights = weights
        self._allocating = threading.Lock()
        self._searcher: Searcher | None = None
        self._kind: tuple[int, int] | None = None

    def prepare(self, size: int, players: int = 2) -> None:
        """Allocate the tables for games of this size and number of players, so that no move waits for that.

        Raises:
            ValueError: no such games exist, or the tables do not fit into memory.
            MemoryError: not even the smallest tables fit into memory.
        """
        self._searcher_for(size, players)

    def play(
        self,
        position: Position,
        limits: Limits | None = None,
        *,
        multipv: int = 1,
        abandoned: threading.Event | None = None,
    ) -> Analysis:
        """Return the move to play, ``.move``, and what the search found about it.

        Args:
            position: where to move; it is not changed.
            limits: when the search ends; after one second by default.
            multipv: number of different moves to score.
            abandoned: set before :meth:`stop` is called, it makes sure that this search ends at once.

        Raises:
            ValueError: the game is over.
        """
        return self._search(position, limits, multipv, abandoned)

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
            limits: when the search ends; after one second by default.
            multipv: number of different moves to score. The result is shorter if there are fewer moves, or if
                the search ended before it scored all of them.
            moves: the legal moves to score; all by default.
            abandoned: set before :meth:`stop` is called, it makes sure that this search ends at once.

        Raises:
            ValueError: the game is over, or none of ``moves`` is legal.
        """
        return self._search(position, limits, multipv, abandoned, moves).choices

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
            limits: when the stream ends; by default only a proven result ends it.
            multipv: number of different moves to score.

        Raises:
            ValueError: the game is over, or ``multipv`` is less than 1.
        """
        check_question(position, multipv)
        subject = position.copy()

        def search(limits: Limits, abandoned: threading.Event) -> Analysis:
            _load_for(subject)
            searcher = self._searcher_for(subject.size, subject.players)
            return searcher.choose(subject, limits, multipv, abandoned, asks_book=False)

        bounds = None if limits is None else self._within_level(limits)
        return AnalysisStream(search, self.stop, self._defaults, bounds, subject.ply // subject.players)

    def stop(self) -> None:
        """Make a search that runs in another thread return the best move so far at once."""
        if self._searcher is not None:
            self._searcher.cancel()

    def clear(self) -> None:
        """Forget earlier searches, so that the next one depends on its limits and the seed only."""
        if self._searcher is not None:
            self._searcher.clear()

    def close(self) -> None:
        """Free the tables; a later search allocates new ones."""
        self._searcher = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _within_level(self, limits: Limits | None) -> Limits:
        """Return ``limits``, at most at the level of this engine."""
        limits = limits or Limits()
        return evolve(limits, level=min(limits.level, self._defaults.level))

    def _search(
        self,
        position: Position,
        limits: Limits | None,
        multipv: int,
        abandoned: threading.Event | None,
        moves: Collection[Move] | None = None,
    ) -> Analysis:
        check_question(position, multipv)
        _load_for(position)
        begun = perf_counter()
        searcher = self._searcher_for(position.size, position.players)
        spent = perf_counter() - begun
        return searcher.choose(position, self._within_level(limits), multipv, abandoned, moves, spent=spent)

    def _searcher_for(self, size: int, players: int) -> Searcher:
        # An abandoned search may still be allocating in its thread.
        with self._allocating:
            searcher = self._searcher
            if searcher is None or self._kind != (size, players):
                # The new tables may need the memory of the old ones.
                searcher = self._searcher = None
                searcher = Searcher(
                    size,
                    players,
                    self._table_mb,
                    self._seed,
                    weights=self._weights,
                    uses_book=self._uses_book,
                )
                self._searcher, self._kind = searcher, (size, players)
            return searcher


def _load_for(position: Position) -> None:
    """Load the kernels that search this position; larger boards have none."""
    if position.size <= LARGEST:
        load_kernels(position.players)
