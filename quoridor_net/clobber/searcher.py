"""Heuristic search, for positions in which nothing can be proven.

Importing this module compiles the kernels, or loads them from numba's cache.
"""

from __future__ import annotations

import random

import numpy as np
from attrs import frozen

from quoridor_net.clobber import midgame as kernels
from quoridor_net.clobber.jit import UNLIMITED, clear_stop
from quoridor_net.clobber.patterns import read_worth
from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.clobber.regions import grid_of, square_at, square_number
from quoridor_net.clobber.values import Colour, Move

#: Entries of the transposition table.
PLACES = 1 << 18


@frozen
class Found:
    """The best move, its score in log-odds of winning, and the depth and nodes of the search."""

    move: Move
    score: float
    depth: int
    nodes: int
    is_won: bool


class ClobberSearcher:
    """Searches whole boards. One search at a time; :meth:`stop` may be called from any thread.

    Args:
        seed: breaks ties between equal moves; None for a different choice each time.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)
        worth, tempo = read_worth()
        self._state = kernels.new_state(worth, tempo)
        self._table = kernels.new_table(PLACES)
        self._size = (0, 0)

    def allow(self, seconds: float | None = None) -> None:
        """Clear an earlier :meth:`stop`; kernels that can read the clock stop again after ``seconds``."""
        clear_stop(self._state.stop, seconds)

    def stop(self) -> None:
        """End the current search soon, and every later one until :meth:`allow` is called."""
        self._state.stop.is_set = 1

    def best(self, position: ClobberPosition, default: Move, nodes: int | None = None) -> Found:
        """Search until stopped, certain of the result, or out of ``nodes``; return the best move.

        Returns ``default`` if the time did not suffice for one ply.
        """
        self._load(position)
        state = self._state
        state.nodes = 0
        state.node_limit = nodes or UNLIMITED
        colour = int(position.side is Colour.WHITE)
        found = Found(default, 0.0, 0, 0, False)
        for depth in range(1, min(kernels.PLIES, position.columns * position.rows + 1)):
            state.best_move = -1
            value = kernels.search(state, self._table, 0, depth, -kernels.INFINITE, kernels.INFINITE, colour)
            # An iteration starts with the previous best move, so its result counts even if it was cut short.
            if state.best_move >= 0:
                best = int(state.best_move)
                move = Move(square_at(kernels.origin_of(best)), square_at(kernels.target_of(best)))
                cut_short = abs(value) == kernels.CUT_SHORT
                score = found.score if cut_short else value / 1000
                done = found.depth if cut_short else depth
                is_won = found.is_won if cut_short else value > kernels.SURELY_WON
                found = Found(move, score, done, int(state.nodes), is_won)
            if abs(value) > kernels.SURELY_WON:
                break
        return found

    def _load(self, position: ClobberPosition) -> None:
        if self._size != (position.columns, position.rows):
            self._size = (position.columns, position.rows)
            squares = [square_number(square) for square in ClobberPosition.start(*self._size).stones()]
            # Moves are generated in the order of the squares, and the first of several equal ones is played.
            self._random.shuffle(squares)
            kernels.choose_squares(self._state, np.array(squares, np.int64))
        kernels.set_up(self._state, grid_of(position, Colour.BLACK))
