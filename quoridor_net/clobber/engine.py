"""The Clobber engine: chooses moves within a time limit, and proves the winner as early as it can.

It uses no event loop. :meth:`ClobberEngine.choose` blocks its thread but releases the interpreter lock while
it computes; :meth:`ClobberEngine.cancel` may be called from any other thread. Importing this module is cheap,
because :meth:`ClobberEngine.warm_up` imports numba and the kernels.
"""

from __future__ import annotations

import importlib
import math
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.clobber.values import Colour, Move
from quoridor_net.jit import import_numba

if TYPE_CHECKING:
    from quoridor_net.clobber.searcher import ClobberSearcher
    from quoridor_net.clobber.solver import Solver

#: The kernel modules, each after those that it imports.
_KERNELS = ("jit", "games", "weights", "regions", "sums", "midgame", "searcher", "solver")
#: A board with more pairs of opposing neighbours than this is never solved within the time of a move.
_SOLVABLE_PAIRS = 90
#: Fraction of the time for a proof, before the heuristic search starts.
_PROOF_SHARE = 0.6
#: Reserve for the delay between the stop flag and the answer: seconds, and fractions of the time limit.
_RESERVE_SECONDS = 0.02
_RESERVE_SHARE = 0.05
_LARGEST_RESERVE = 0.5
_DEFAULT_SECONDS = 1.0
#: Boards solved during warm-up, so that the most frequent games are known before the clock runs.
_FIRST_BOARDS = ((3, 5), (4, 4), (2, 9))

#: Called with the step in progress and the fraction done, from 0 to 1.
Progress = Callable[[str, float], None]


@frozen
class ClobberLimits:
    """Limits of the search for one move; None for no limit.

    ``nodes`` limits the states and boards searched, ``seconds`` the wall-clock time from the call.
    ``seconds`` defaults to one. It defaults to None if ``nodes`` is given, because an answer is reproducible
    only without a clock.

    Raises:
        TypeError: a limit is not a number, or that of nodes not a whole one.
        ValueError: a limit is not above 0.
    """

    nodes: int | None = field(default=None, kw_only=True)
    seconds: float | None = field()

    @seconds.default
    def _seconds_unless_nodes(self) -> float | None:
        return _DEFAULT_SECONDS if self.nodes is None else None

    def __attrs_post_init__(self) -> None:
        # A bool is an int in Python.
        nodes, seconds = self.nodes, self.seconds
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            kind = ValueError if type(nodes) is int else TypeError
            raise kind(f"the limit of nodes must be a whole number above 0, not {nodes!r}")
        is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if seconds is not None and (not is_number or not 0 < seconds < math.inf):
            kind = ValueError if is_number else TypeError
            raise kind(f"the limit of seconds must be a number above 0, not {seconds!r}")


@frozen
class ClobberChoice:
    """A chosen move with its score and the effort of the search."""

    move: Move
    #: The proven winner; None when nothing is proven.
    winner: Colour | None
    #: Score for the player to move, in log-odds of winning; None without a heuristic search.
    score: float | None
    #: Search depth in plies; 0 for a proof.
    depth: int
    #: Number of states and boards searched.
    nodes: int
    seconds: float = 0.0


class ClobberEngine:
    """A player of Clobber on boards of any size. One choice at a time.

    Args:
        seed: breaks ties between equal moves; None for a different choice each time.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._searches: tuple[Solver, ClobberSearcher] | None = None
        self._thinking = threading.Lock()

    def warm_up(self, progress: Progress | None = None) -> None:
        """Load the kernels; the first time on a machine, compile them (about 20 s).

        :meth:`choose` does this too if needed, but within its time limit.
        """
        import_numba()
        for index, name in enumerate(_KERNELS):
            if progress is not None:
                progress(name, index / len(_KERNELS))
            importlib.import_module(f"quoridor_net.clobber.{name}")
        if self._searches is None:
            from quoridor_net.clobber.searcher import ClobberSearcher
            from quoridor_net.clobber.solver import Solver

            solver, searcher = Solver(), ClobberSearcher(self._seed)
            for columns, rows in _FIRST_BOARDS:
                solver.outcome(ClobberPosition.start(columns, rows))
            self._searches = solver, searcher
        if progress is not None:
            progress("ready", 1.0)

    def cancel(self) -> None:
        """End a running choice at once with the best move so far; do nothing otherwise."""
        for search in self._searches or ():
            search.stop()

    def choose(
        self,
        position: ClobberPosition,
        limits: ClobberLimits | None = None,
        abandoned: threading.Event | None = None,
    ) -> ClobberChoice:
        """Choose a move for the player to move, without changing ``position``.

        Set ``abandoned`` before you call :meth:`cancel`: then this choice ends at once even if its search has
        not started yet.

        Raises:
            ValueError: the game is over.
            RuntimeError: the engine is already choosing a move.
        """
        started = time.monotonic()
        if position.is_over:
            raise ValueError("the game is over: there is no move to choose")
        if not self._thinking.acquire(blocking=False):
            raise RuntimeError("the engine is already choosing a move")
        try:
            self.warm_up()
            return self._choose(position, limits or ClobberLimits(), started, abandoned)
        finally:
            self._thinking.release()

    def _choose(
        self,
        position: ClobberPosition,
        limits: ClobberLimits,
        started: float,
        abandoned: threading.Event | None,
    ) -> ClobberChoice:
        from quoridor_net.jit.clock import TELLS_TIME

        assert self._searches is not None
        solver, searcher = self._searches
        timers = []
        proof_time = search_time = None
        if limits.seconds is not None:
            reserve = _RESERVE_SECONDS + _RESERVE_SHARE * limits.seconds
            usable = limits.seconds - min(reserve, _LARGEST_RESERVE * limits.seconds)
            late = time.monotonic() - started
            proof_time, search_time = max(0.0, usable * _PROOF_SHARE - late), max(0.0, usable - late)
            if not TELLS_TIME:
                timers = [threading.Timer(proof_time, solver.stop), threading.Timer(search_time, self.cancel)]
        solver.allow(proof_time)
        searcher.allow(search_time)
        # Check this after clearing the stop flags: a later cancel reaches the search itself.
        if abandoned is not None and abandoned.is_set():
            self.cancel()
        for timer in timers:
            timer.daemon = True
            timer.start()
        try:
            choice = _think(solver, searcher, position, limits.nodes)
            return evolve(choice, seconds=time.monotonic() - started)
        finally:
            for timer in timers:
                timer.cancel()


def _think(
    solver: Solver, searcher: ClobberSearcher, position: ClobberPosition, node_limit: int | None
) -> ClobberChoice:
    moves, nodes, winner = position.legal_moves, 0, None
    if position.move_count() <= _SOLVABLE_PAIRS:
        verdict = solver.wins(position, node_limit)
        nodes = solver.nodes
        if verdict and (move := solver.winning_move(position, node_limit)) is not None:
            return ClobberChoice(move, position.side, None, 0, nodes)
        if verdict is False:
            winner = position.side.other
    if len(moves) == 1:
        return ClobberChoice(moves[0], winner, None, 0, nodes)
    found = searcher.best(position, moves[0], node_limit)
    if found.is_won and winner is None:
        winner = position.side
    return ClobberChoice(found.move, winner, found.score, found.depth, nodes + found.nodes)
