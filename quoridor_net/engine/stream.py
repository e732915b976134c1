"""Streams of ever deeper analyses: ``Engine.analysis``."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from attrs import evolve

from quoridor_net.engine.limits import Analysis, Limits
from quoridor_net.engine.time_management import search_time

#: Limit of the first search, in seconds or, if nodes are limited, in nodes. Each later search gets twice as
#: much and continues from the results before it.
_FIRST_SECONDS = 0.1
_FIRST_NODES = 1000

#: A search that ends before it has used this part of its time or nodes has nothing more to find.
_UNUSED = 0.5

#: Maximum number of searches in one stream; nobody would wait for the last.
_MOST_SEARCHES = 40


class AnalysisStream:
    """An iterator over ever deeper analyses of one position. Made by :meth:`Engine.analysis`.

    The stream ends when its limits are used up, when the best move is proven to win or to lose, or when a
    search has nothing more to find. ``nodes`` and ``seconds`` of each analysis count from the beginning of
    the stream. The time between two results, which the caller spends, does not count.

    Args:
        search: runs one search; stops early once the event is set and ``stop`` is called.
        stop: ends the running search.
        defaults: limits of each search if ``bounds`` is None.
        bounds: limits of the whole stream; None for no limits.
        moves_played: number of moves that the player to move has made, for limits of a whole game.
    """

    def __init__(
        self,
        search: Callable[[Limits, threading.Event], Analysis],
        stop: Callable[[], None],
        defaults: Limits,
        bounds: Limits | None,
        moves_played: int,
    ) -> None:
        self._search = search
        self._stop = stop
        self._limits = bounds or defaults
        self._seconds_left = math.inf
        if bounds is not None:
            seconds = search_time(bounds, moves_played)
            self._seconds_left = math.inf if seconds is None else seconds
        self._nodes_left = self._limits.nodes
        self._seconds = 0.0
        self._nodes = 0
        self._has_ended = False
        self._abandoned = threading.Event()
        self._searches = self._plan()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Analysis:
        limits = next(self._searches)
        return self._note(limits, self._search(limits, self._abandoned))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Analysis:
        # Imported here: most users of the engine run no event loop.
        import anyio.to_thread

        limits = next(self._searches, None)
        if limits is None:
            raise StopAsyncIteration
        try:
            found = await anyio.to_thread.run_sync(
                self._search, limits, self._abandoned, abandon_on_cancel=True
            )
        except BaseException:
            self.close()
            raise
        return self._note(limits, found)

    def close(self) -> None:
        """End the stream and any running search at once."""
        self._has_ended = True
        self._abandoned.set()
        self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _plan(self) -> Iterator[Limits]:
        """Yield the limits of one search after the other."""
        limits = evolve(self._limits, game_time=None, increment=0.0)
        for number in range(_MOST_SEARCHES):
            is_used_up = self._seconds_left <= 0 or self._nodes_left == 0
            if self._has_ended or is_used_up or number == limits.depth:
                return
            seconds = None if math.isinf(self._seconds_left) else self._seconds_left
            nodes = self._nodes_left
            if limits.depth is not None:
                yield evolve(limits, depth=number + 1, time=seconds, nodes=nodes)
            elif nodes is not None:
                yield evolve(limits, time=seconds, nodes=min(_FIRST_NODES << number, nodes))
            else:
                yield evolve(limits, time=min(_FIRST_SECONDS * 2**number, self._seconds_left))

    def _note(self, limits: Limits, found: Analysis) -> Analysis:
        """Count the time and nodes of a search; return its result with the totals of the stream."""
        self._seconds += found.seconds
        self._seconds_left -= found.seconds
        self._nodes += found.nodes
        if self._nodes_left is not None:
            self._nodes_left = max(self._nodes_left - found.nodes, 0)
        is_proven = found.choices[0].wins_in is not None
        has_time_left = limits.time is None or found.seconds < _UNUSED * limits.time
        has_nodes_left = limits.nodes is None or found.nodes < _UNUSED * limits.nodes
        has_no_more = limits.depth is None and has_time_left and has_nodes_left
        self._has_ended |= is_proven or has_no_more
        return evolve(found, nodes=self._nodes, seconds=self._seconds)
