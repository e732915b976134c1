"""Resizing of the network's tables from 9x9 to boards of other sizes.

Most features do not depend on the size: walls relative to a pawn, the offset of the pawns, distances,
threats. Offsets that do not occur on 9x9 get the column of the nearest offset that does. Rows and columns of
the board are *aligned* with those of 9x9: the ends match, and the rest is interpolated. On 9x9 every column
is as in the file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine.board.moves import HORIZONTAL, LARGEST, VERTICAL
from quoridor_net.engine.evaluation import places

#: The board that the network was trained on.
BOARD_SIZE = 9
BOARD_SQUARES = BOARD_SIZE * BOARD_SIZE
#: Number of rows in a table of walls: one for each number of a wall as a move.
WALL_NUMBERS = VERTICAL + BOARD_SQUARES - HORIZONTAL
#: A wall as seen from a pawn: 16 by 16 offsets, for both orientations.
WALL_OFFSETS = 2 * BOARD_SIZE - 2
RELATIVE_WALLS = 2 * WALL_OFFSETS * WALL_OFFSETS
#: Number of row differences between two pawns, and of column differences.
PAWN_OFFSETS = 2 * BOARD_SIZE - 1
#: Number of row differences of a step, and of column differences.
STEP_OFFSETS = 5
STEPS = STEP_OFFSETS * STEP_OFFSETS

Columns = NDArray[np.int16]
Ints = NDArray[np.int64]
Shares = NDArray[np.floating[Any]]


def resize(name: str, columns: Columns, size: int) -> Columns:
    """Return a table of the file in the layout of the kernels, for boards of ``size``.

    Args:
        name: name of the table in the file.
        columns: columns of the table, one in each row; a bias is a column of one number.
        size: squares on a side, up to LARGEST.
    """
    if name in ("own", "other"):
        line = align(BOARD_SIZE, size)
        return _mix_columns(np.kron(line, line), columns)
    if name in ("walls", "wall_moves", "wall_bias"):
        return _resize_walls(columns, size)
    if name in ("by_own", "by_other", "wall_by_own", "wall_by_other", "own_bias", "other_bias"):
        horizontal = _pairs(_clip_offsets(1 - BOARD_SIZE, BOARD_SIZE - 2), WALL_OFFSETS)
        both = np.concatenate([horizontal, horizontal + WALL_OFFSETS * WALL_OFFSETS])
        return columns.take(both, axis=0)
    if name == "apart":
        return columns.take(_pairs(_clip_offsets(1 - BOARD_SIZE, BOARD_SIZE - 1), PAWN_OFFSETS), axis=0)
    if name in ("step_moves", "step_bias"):
        found = np.zeros((places.STEPS, *columns.shape[1:]), np.int16)
        found[_pairs(np.arange(STEP_OFFSETS), places.OFFSETS)] = columns
        return found
    return columns


def align(before: int, after: int) -> Shares:
    """Return the weights that interpolate ``before`` places in a line to ``after`` places, one row each."""
    where = np.arange(after) * (before - 1) / (after - 1)
    shares: Shares = (1 - abs(where[:, None] - np.arange(before))).clip(0)
    return shares


def _mix_columns(shares: Shares, columns: Columns) -> Columns:
    """Return the sums of the columns weighted by ``shares``, rounded."""
    found: Columns = np.rint(shares @ columns).astype(np.int16)
    return found


def _clip_offsets(least: int, most: int) -> Ints:
    """Return each offset of the largest board, clipped to ``least`` and ``most``, minus ``least``."""
    found: Ints = np.arange(1 - LARGEST, LARGEST).clip(least, most) - least
    return found


def _pairs(offsets: Ints, width: int) -> Ints:
    """Return the rows, in a table of ``width`` by ``width`` offsets, of all pairs of ``offsets``."""
    found: Ints = (offsets[:, None] * width + offsets).reshape(-1)
    return found


def _resize_walls(columns: Columns, size: int) -> Columns:
    """Return the columns of walls for boards of ``size``, indexed by the walls' numbers as moves."""
    line = align(BOARD_SIZE - 1, size - 1)
    shares = np.kron(line, line)
    found = np.zeros((places.WALL_NUMBERS, *columns.shape[1:]), np.int16)
    for first in (0, VERTICAL - HORIZONTAL):
        found[first + _anchors(size)] = _mix_columns(shares, columns[first + _anchors(BOARD_SIZE)])
    return found


def _anchors(size: int) -> Ints:
    """Return the numbers of all anchors of walls, row by row."""
    return _pairs(np.arange(size - 1), size)
