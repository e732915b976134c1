"""A position as the kernels see it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.position import Position
from quoridor_net.clobber.regions import EMPTY, SQUARES, STRIDE
from quoridor_net.clobber.values import Colour, Square


def square_number(square: Square) -> int:
    """Return the number that ``square`` has on the board of the kernels."""
    return (square.row + 1) * STRIDE + square.column + 1


def square_at(number: int) -> Square:
    """Return the square of that number."""
    return Square(number % STRIDE - 1, number // STRIDE - 1)


def grid_of(position: Position, first: Colour) -> NDArray[np.int8]:
    """Return the stones of ``position``: 0 for those of colour ``first``, 1 for the others."""
    grid = np.full(SQUARES, EMPTY, np.int8)
    for square, colour in position.stones().items():
        grid[square_number(square)] = colour is not first
    return grid
