"""Searches for one size and number of players: choice of the method, time, levels and opening book."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from quoridor_net.engine import book
from quoridor_net.engine.board.moves import LARGEST, PLIES
from quoridor_net.engine.evaluation.network import knows
from quoridor_net.engine.evaluation.weights import check_names
from quoridor_net.engine.levels import consider_moves, limits_of_level, multipv_of_level, with_error
from quoridor_net.engine.limits import STRONGEST, Analysis, Choice, Limits
from quoridor_net.engine.search_method import SearchMethod
from quoridor_net.engine.time_management import SearchAlarm, search_time, time_left
from quoridor_net.engine.two_ply import TwoPly
from quoridor_net.jit import import_numba
from quoridor_net.moves import require
from quoridor_net.rules import Jumps, Move, Position, Wall

#: Maximum cost of solving a state, in seconds, and the maximum number of states to keep in memory.
_SECONDS_A_STATE = 1e-6
_MOST_STATES = 20_000_000

#: On smaller boards principal variation search plays better, because it sees the end of the game early.
_SMALLEST_FOR_TREE = 7
#: Default megabytes of the best-first tree for two players, of the tree for four, and of other searches.
_TREE_MB = 256
_MAXN_TREE_MB = 128
_TABLE_MB = 64
#: Megabytes of address space that a table leaves free.
_SPARE_MB = 64

if TYPE_CHECKING:
    from quoridor_net.engine.endgame.exact import Exact


class Searcher:
    """A searcher of moves that keeps what it learned between the moves of a game.

    The constructor imports numba and allocates the table. :meth:`choose` blocks and computes without the
    GIL, so call it from a worker thread; :meth:`cancel` may be called from any thread. One search runs at a
    time.

    Args:
        size: squares on a side, 3 to 25.
        players: 2 or 4.
        table_mb: megabytes for the tree or the transposition table. The default is 256 for two players on
            7x7 to 11x11, enough for two seconds on 9x9 before the tree grows more slowly; 128 for four
            players, half of it for a copy; and 64 otherwise. It is halved until it fits the address space.
        seed: decides between equal moves, and what weak levels overlook.
        clock: a monotonic clock, in seconds.
        weights: changed evaluation weights by name, for tuning.
        uses_book: whether short searches limited by time alone may answer from the opening book.

    Raises:
        ValueError: the game, the table or a weight does not exist.
        MemoryError: not even the smallest table fits into memory.
    """

    def __init__(
        self,
        size: int = 9,
        players: int = 2,
        table_mb: int | None = None,
        seed: int = 0,
        clock: Callable[[], float] = time.perf_counter,
        weights: dict[str, int] | None = None,
        uses_book: bool = True,
    ) -> None:
        # Rejects games that do not exist.
        Position(size, players, 0)
        if table_mb is not None and (type(table_mb) is not int or table_mb < 1):
            raise ValueError(f"table_mb must be a whole number of at least 1, not {table_mb!r}")
        check_names(weights or {})
        self._size = size
        self._players = players
        self._clock = clock
        self._seed = seed
        self._uses_book = uses_book
        if uses_book and book.covers(size, players):
            book.load()
        self._method = _make_method(size, players, table_mb, dict(weights or {}))
        self._exact: Exact | None = None
        if size <= LARGEST and players == 2:
            from quoridor_net.engine.endgame.exact import Exact

            self._exact = Exact(size)
        self._is_cancelled = False
        self._lock = threading.Lock()
        self._jumps: Jumps | None = None

    def cancel(self) -> None:
        """Make a running search return the best move so far at once."""
        self._is_cancelled = True
        self._method.stop()

    def clear(self) -> None:
        """Forget earlier searches, so that the next one depends on its limits and the seed only."""
        self._method.clear()

    def choose(
        self,
        position: Position,
        limits: Limits | None = None,
        multipv: int = 1,
        abandoned: threading.Event | None = None,
        moves: Collection[Move] | None = None,
        spent: float = 0.0,
        asks_book: bool = True,
    ) -> Analysis:
        """Search ``position`` and return the result.

        Args:
            position: a position of a running game, which :func:`check_question` accepts.
            limits: when the search ends; after one second by default.
            multipv: number of different moves to score; each further one costs about as much as the first.
            abandoned: set before :meth:`cancel` is called, it ends this search at once even if the search has
                not quite begun.
            moves: the legal moves to choose from; all by default. With two players they make principal
                variation search choose.
            spent: part of the time for this move that has already passed, in seconds.
            asks_book: whether the opening book may answer.

        Raises:
            ValueError: the game has another size or number of players than this searcher, or none of
                ``moves`` is legal.
        """
        limits = limits or Limits()
        if (position.size, position.players) != (self._size, self._players):
            raise ValueError(
                f"this searcher plays {self._players} on size {self._size},"
                f" not {position.players} on size {position.size}"
            )
        with self._lock:
            # Checked after the flag is reset, so that no cancel from now on is lost.
            self._is_cancelled = False
            if abandoned is not None and abandoned.is_set():
                self._is_cancelled = True
            started = self._clock()
            seconds = search_time(limits, position.ply // self._players)
            # With more time, a search finds better moves.
            is_quick = seconds is not None and seconds <= book.LONGEST_MOVE_TIME
            asks_book = asks_book and self._uses_book and multipv == 1 and moves is None
            entry = book.probe(position) if asks_book and is_quick and book.applies(limits) else None
            if entry is not None:
                found = Analysis((entry[0],), entry[1], 0)
            else:
                found = self._choose(position, limits, seconds, multipv, moves, spent)
        return evolve(found, seconds=self._clock() - started + spent)

    def _choose(
        self,
        position: Position,
        limits: Limits,
        seconds: float | None,
        multipv: int,
        moves: Collection[Move] | None,
        spent: float,
    ) -> Analysis:
        """Solve or search ``position`` within ``seconds``, None for no limit."""
        begun = time.perf_counter() - spent
        # Step 1. The moves to choose from: steps before walls, else in an order that the seed decides.
        source = random.Random(f"{self._seed} {position.ply}")
        if moves is None:
            order = consider_moves(position, position.legal_moves, limits)
        else:
            order = [move for move in position.legal_moves if move in moves]
            if not order:
                raise ValueError("none of the given moves is legal")
        source.shuffle(order)
        order.sort(key=lambda move: isinstance(move, Wall))
        # Step 2. Under another jump rule the same key means another position.
        if self._jumps not in {None, position.jumps}:
            self._method.clear()
        self._jumps = position.jumps
        # Step 3. Time management, and the limits of the level.
        allowed = limits_of_level(limits)
        left = time_left(seconds, begun)
        with SearchAlarm(left, self.cancel):
            # Step 4. A small endgame is solved. If it is drawn, the search chooses among the drawing moves.
            solved = self._solve(position, limits, left)
            if moves is not None:
                solved = [choice for choice in solved if choice.move in moves]
            if solved:
                if solved[0].score != 0:
                    return Analysis(tuple(solved[:multipv]), abs(solved[0].wins_in or 0), 0)
                drawn = {choice.move for choice in solved if choice.score == 0}
                order = [move for move in order if move in drawn]
            # Step 5. The search.
            # The best-first search for two players keeps a tree of all moves, so PVS searches a selection.
            depth = allowed.depth or (None if moves is None or self._players > 2 else PLIES)
            rest = evolve(allowed, time=time_left(seconds, begun), depth=depth)
            self._method.prepare(position, order, rest)
            if self._is_cancelled:
                self._method.stop()
            found = self._method.run(multipv_of_level(limits, multipv))
            # Step 6. Weak levels err.
            return with_error(found, limits, multipv, source)

    def _solve(self, position: Position, limits: Limits, seconds: float | None) -> list[Choice]:
        """Return every move with its exact score; none if that would take a large part of the limits."""
        if self._exact is None or limits.level < STRONGEST or limits.depth is not None:
            return []
        states = self._exact.states(position)
        if states > min(_MOST_STATES, limits.nodes or _MOST_STATES):
            return []
        if seconds is not None and states * _SECONDS_A_STATE > 0.4 * seconds:
            return []
        try:
            return self._exact.choices(position, lambda: self._is_cancelled) or []
        except MemoryError:
            self._exact.forget()
            return []


def check_question(position: Position, multipv: int) -> None:
    """Reject a search that has no answer.

    Raises:
        TypeError: ``position`` is not a position.
        ValueError: the game is over, or ``multipv`` is less than 1.
    """
    require("the position", Position, position)
    if type(multipv) is not int or multipv < 1:
        raise ValueError(f"multipv must be a whole number of at least 1, not {multipv!r}")
    if position.turn is None:
        raise ValueError("the game is over, so no move can be chosen")


def _make_method(size: int, players: int, table_mb: int | None, changes: dict[str, int]) -> SearchMethod:
    """Return the search for these games, with a table of ``table_mb``, or the largest that fits if None.

    Raises:
        ValueError: the requested table does not fit into memory.
        MemoryError: not even the smallest table fits into memory.
    """
    if size > LARGEST:
        return TwoPly()
    import_numba()
    from quoridor_net.engine.alphabeta.deepening import Deepening

    has_tree = knows(size, players) and size >= _SMALLEST_FOR_TREE
    method: Callable[[int, int, int, dict[str, int]], SearchMethod] = Deepening
    may_use_tree = changes.pop("tree", 1)
    if may_use_tree and players > 2:
        from quoridor_net.engine.maxn.max_n import MaxN

        method = MaxN
    elif may_use_tree and changes.get("network", 1) and has_tree:
        # Imported here, because other games do not need its kernels.
        from quoridor_net.engine.mcts.best_first import BestFirst

        method = BestFirst
    make = partial(method, size, players)
    if table_mb is not None:
        try:
            return make(table_mb, changes)
        except MemoryError:
            raise ValueError(f"a table of {table_mb} megabytes does not fit into memory") from None
    table_mb = _TREE_MB if has_tree else _MAXN_TREE_MB if players > 2 else _TABLE_MB
    while table_mb > 1:
        try:
            return _keep_spare_room(make, table_mb, changes)
        except MemoryError:
            table_mb //= 2
    return make(table_mb, changes)


def _keep_spare_room(
    make: Callable[[int, dict[str, int]], SearchMethod], table_mb: int, changes: dict[str, int]
) -> SearchMethod:
    """Return the result of ``make`` if it leaves memory for threads and the rest of a search.

    Raises:
        MemoryError: too little memory is left.
    """
    import numpy as np

    spare = np.empty(_SPARE_MB << 20, dtype=np.uint8)
    method = make(table_mb, changes)
    del spare
    return method
