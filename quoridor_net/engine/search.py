"""The engine as everything above it sees it: give it a position and limits, get an analysis."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from quoridor_net.engine import layout, openings
from quoridor_net.engine.levels import candidates, err, thought_of, weaken
from quoridor_net.engine.limits import STRONGEST, Analysis, Choice, Limits
from quoridor_net.engine.network import knows
from quoridor_net.engine.plain import Plain
from quoridor_net.engine.timing import Alarm, seconds_for
from quoridor_net.engine.weights import check_names
from quoridor_net.rules import Jumps, Move, Position, Wall

#: What solving a state costs at most, and the most states worth keeping in memory.
_SECONDS_A_STATE = 1e-6
_MOST_STATES = 20_000_000

#: Megabytes for a game on 9x9 for two, and for any other.
_TREE_MB = 256
_TABLE_MB = 64
#: Megabytes of address space that a table leaves to everything else.
_SPARE_MB = 64

if TYPE_CHECKING:
    from quoridor_net.engine.deepening import Deepening
    from quoridor_net.engine.exact import Exact


class Searcher:
    """Finds moves. Keeps what it learned from one move of a game to the next.

    Making one imports numba and allocates the table; :func:`quoridor_net.engine.warm_up` has everything
    compiled beforehand. :meth:`choose` computes without the GIL and blocks, so call it from a worker thread;
    :meth:`cancel` may be called from any thread meanwhile. One search at a time.

    Args:
        size: squares on a side, 3 to 25.
        players: 2 or 4.
        table_mb: megabytes for what is kept of positions searched: the tree, or the transposition table.
            Unless given 256 for two players on 9x9, room for two seconds of thinking (with less the tree
            grows more slowly in the end), and 64 otherwise; halved as often as it takes where the address
            space is limited to less.
        seed: decides between equal moves, and what weak levels overlook.
        clock: seconds that never go back.
        weights: changes of weights by name, for tuning.
        uses_openings: whether known openings are played without thinking, where only time limits the search
            and there is little of it.

    Raises:
        ValueError: there are no such games, no such table, or no such weight.
        MemoryError: there is no room even for the smallest table.
    """

    def __init__(
        self,
        size: int = 9,
        players: int = 2,
        table_mb: int | None = None,
        seed: int = 0,
        clock: Callable[[], float] = time.perf_counter,
        weights: dict[str, int] | None = None,
        uses_openings: bool = True,
    ) -> None:
        # Refuses games that there are none of.
        Position(size, players, 0)
        if table_mb is not None and (type(table_mb) is not int or table_mb < 1):
            raise ValueError(f"the table takes a whole number of megabytes, at least 1, not {table_mb!r}")
        check_names(weights or {})
        self._size = size
        self._players = players
        self._clock = clock
        self._seed = seed
        self._uses_openings = uses_openings
        if uses_openings and knows(size, players):
            openings.prepare()
        self._method: Plain | Deepening
        if size > layout.LARGEST:
            self._method = Plain()
        else:
            self._method = _make_kernel_method(size, players, table_mb, dict(weights or {}))
        self._exact: Exact | None = None
        if size <= layout.LARGEST and players == 2:
            from quoridor_net.engine.exact import Exact

            self._exact = Exact(size)
        self._is_cancelled = False
        self._lock = threading.Lock()
        self._jumps: Jumps | None = None

    def cancel(self) -> None:
        """Have the search that is running, if any, answer at once with the best move so far."""
        self._is_cancelled = True
        self._method.stop()

    def clear(self) -> None:
        """Forget earlier searches, so that the next depends on its own limits and the seed only."""
        self._method.clear()

    def choose(
        self,
        position: Position,
        limits: Limits | None = None,
        multipv: int = 1,
        abandoned: threading.Event | None = None,
        moves: Collection[Move] | None = None,
    ) -> Analysis:
        """Search ``position`` and return what was found.

        Args:
            position: a position that is not over.
            limits: when the search ends; after one second unless given.
            multipv: how many different moves to score; each further one costs about as much as the first.
            abandoned: set before :meth:`cancel` is called, it makes sure that this search ends at once, also
                when it has not quite begun.
            moves: the legal moves to choose from, by principal variation search; all unless given.

        Raises:
            ValueError: the game is over, or is not of the size and number of players of this searcher, or
                fewer moves than one are asked for, or none of ``moves`` is legal.
        """
        limits = limits or Limits()
        if type(multipv) is not int or multipv < 1:
            raise ValueError(f"multipv is a whole number of at least 1, not {multipv!r}")
        if position.turn is None:
            raise ValueError("the game is over: there is no move to choose")
        if (position.size, position.players) != (self._size, self._players):
            raise ValueError(
                f"this searcher plays {self._players} on size {self._size},"
                f" not {position.players} on size {position.size}"
            )
        with self._lock:
            # Looked at after the flag was reset: a cancel from now on reaches this search.
            self._is_cancelled = False
            if abandoned is not None and abandoned.is_set():
                self._is_cancelled = True
            started = self._clock()
            listed = (
                openings.known(position)
                if self._uses_openings
                and multipv == 1
                and moves is None
                and self._may_be_listed(position, limits)
                else None
            )
            if listed is not None:
                found = Analysis((listed[0],), listed[1], 0)
            else:
                found = self._choose(position, limits, multipv, moves)
        return evolve(found, seconds=self._clock() - started)

    def _may_be_listed(self, position: Position, limits: Limits) -> bool:
        """Return whether the best move is asked for in little time: in more, thinking finds better."""
        if (limits.level, limits.nodes, limits.depth) != (STRONGEST, None, None):
            return False
        seconds = seconds_for(limits, position.ply // self._players)
        return seconds is not None and seconds <= openings.WORTH_SECONDS

    def _choose(
        self, position: Position, limits: Limits, multipv: int, moves: Collection[Move] | None
    ) -> Analysis:
        begun = time.perf_counter()
        source = random.Random(f"{self._seed} {position.ply}")
        if moves is None:
            order = thought_of(position, position.legal_moves, limits)
        else:
            order = [move for move in position.legal_moves if move in moves]
            if not order:
                raise ValueError("none of the moves to choose from is legal")
        source.shuffle(order)
        order.sort(key=lambda move: isinstance(move, Wall))
        if self._jumps not in {None, position.jumps}:
            # Equal keys mean equal positions under one jump rule only.
            self._method.clear()
        self._jumps = position.jumps
        allowed = weaken(limits)
        seconds = seconds_for(limits, position.ply // self._players)
        with Alarm(seconds, self.cancel):
            solved = self._solve(position, limits, seconds)
            if moves is not None:
                solved = [choice for choice in solved if choice.move in moves]
            if solved:
                if solved[0].score != 0:
                    return Analysis(tuple(solved[:multipv]), abs(solved[0].wins_in or 0), 0)
                drawn = {choice.move for choice in solved if choice.score == 0}
                order = [move for move in order if move in drawn]
            left = None if seconds is None else seconds - (time.perf_counter() - begun)
            self._method.prepare(position, order, allowed.nodes, left)
            if self._is_cancelled:
                self._method.stop()
            # The tree that a best-first search keeps has all moves.
            depth = allowed.depth or (None if moves is None else layout.PLIES)
            found = self._method.run(depth, candidates(limits, multipv))
            return err(found, limits, multipv, source)

    def _solve(self, position: Position, limits: Limits, seconds: float | None) -> list[Choice]:
        """Return every move with its exact worth if that takes a small part of the limits, else none."""
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


def _make_kernel_method(size: int, players: int, table_mb: int | None, changes: dict[str, int]) -> Deepening:
    """Return the kernel's search with a table of ``table_mb``, or the largest there is room for if None.

    Raises:
        ValueError: there is no room for the table that was asked for.
        MemoryError: there is no room even for the smallest table.
    """
    from quoridor_net.engine.bestfirst import BestFirst
    from quoridor_net.engine.deepening import Deepening

    grows = changes.pop("tree", 1) and changes.get("network", 1) and knows(size, players)
    make = partial(BestFirst if grows else Deepening, size, players)
    if table_mb is not None:
        try:
            return make(table_mb, changes)
        except MemoryError:
            raise ValueError(f"there is no room for a table of {table_mb} megabytes") from None
    table_mb = _TREE_MB if knows(size, players) else _TABLE_MB
    while table_mb > 1:
        try:
            return _leaving_spare_room(make, table_mb, changes)
        except MemoryError:
            table_mb //= 2
    return make(table_mb, changes)


def _leaving_spare_room(
    make: Callable[[int, dict[str, int]], Deepening], table_mb: int, changes: dict[str, int]
) -> Deepening:
    """Return what ``make`` does if that leaves room for threads and whatever else a search takes.

    Raises:
        MemoryError: it does not.
    """
    import numpy as np

    spare = np.empty(_SPARE_MB << 20, dtype=np.uint8)
    method = make(table_mb, changes)
    del spare
    return method


def _say_nothing(_line: str) -> None:
    """Tell nobody."""


def warm_up(progress: Callable[[str], None] = _say_nothing) -> None:
    """Compile the kernel, or load it from numba's disk cache, so that no search has to wait for it.

    The first time takes about a minute of one core, later ones about one second.

    Args:
        progress: called with one line about each step before it begins, and at the end; not at all when
            everything has been compiled before.
    """
    # Imported here, as it imports numba.
    from quoridor_net.engine.compiled import CACHE

    tell_ready = _say_nothing if CACHE.is_complete else progress
    with CACHE.compiling(progress):
        if CACHE.is_complete:
            progress = _say_nothing
        progress("compiling 1 of 4: the search for 2 players (about a minute in all; what is done is kept)")
        Searcher(5, 2, 1).choose(Position(5, 2, 2), Limits(depth=3))
        progress("compiling 2 of 4: the search for 4 players")
        Searcher(5, 4, 1).choose(Position(5, 4, 2), Limits(depth=3))
        progress("compiling 3 of 4: the search that is led by the network")
        searcher, position = Searcher(9, 2, 1), Position()
        for nodes in (20, 20, 20, 3000):
            position.push(searcher.choose(position, Limits(nodes=nodes)).move)
        progress("compiling 4 of 4: the solver of races")
        Searcher(3, 2, 1).choose(Position(3, 2, 1), Limits(nodes=10_000))
        CACHE.note_complete()
    tell_ready("ready")
