"""Constant tables of a board of one size, and the bit layout that all rules modules share.

Everything is a Python integer used as a bit set over a grid with *stride* ``size + 1``: square (c, r),
wall anchor (c, r) and corner point (c, r) (the top left corner of that square) all have the number
``r * stride + c``. The spare column at the right keeps shifts from wrapping into the next row and gives
the corner points of the right edge a place.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from quoridor_net.moves import MAX_SIZE, MIN_SIZE, Orientation, Square, Step, Wall, require


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits set in ``mask``, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Board:
    """Tables for boards of ``size`` × ``size`` squares. Use :func:`board_of_size` to get one.

    Attributes:
        stride: distance between the numbers of vertically adjacent squares.
        anchors: bit set of all wall anchors (both coordinates below ``size - 1``).
        east_open: squares that have a right neighbour, on a board without walls.
        south_open: squares that have a neighbour below, on a board without walls.
        edge_points: corner points on the edge of the board.
        goals: bit set of the goal line, by player number (index 0 unused).
        starts: start square number, by player number (index 0 unused).
        square_of: the :class:`Square` with a given number; in the spare column it means nothing.
        step_of: the :class:`Step` to that square.
        horizontal_of: the horizontal :class:`Wall` with a given anchor number; likewise vertical_of.
    """

    def __init__(self, size: int) -> None:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError(f"board size must be {MIN_SIZE} to {MAX_SIZE}, not {size}")
        self.size = size
        self.stride = stride = size + 1
        line = (1 << size) - 1
        short = line >> 1
        self.anchors = sum(short << (row * stride) for row in range(size - 1))
        self.east_open = sum(short << (row * stride) for row in range(size))
        self.south_open = sum(line << (row * stride) for row in range(size - 1))
        self.edge_points = sum(
            1 << (row * stride + column)
            for row in range(size + 1)
            for column in range(size + 1)
            if row in {0, size} or column in {0, size}
        )
        top, bottom = line, line << ((size - 1) * stride)
        left = sum(1 << (row * stride) for row in range(size))
        right = left << (size - 1)
        middle = size // 2
        self.goals = (0, bottom, top, right, left)
        self.starts = (
            -1,
            middle,
            (size - 1) * stride + middle,
            middle * stride,
            middle * stride + size - 1,
        )
        squares = [Square(number % stride, number // stride) for number in range(size * stride)]
        self.square_of = squares
        self.step_of = [Step(square) for square in squares]
        self.horizontal_of = [Wall(square.column, square.row, Orientation.HORIZONTAL) for square in squares]
        self.vertical_of = [Wall(square.column, square.row, Orientation.VERTICAL) for square in squares]

    def number(self, square: Square) -> int:
        """Return the number of ``square``, or -1 when it is not on this board."""
        if 0 <= square.column < self.size and 0 <= square.row < self.size:
            return square.row * self.stride + square.column
        return -1

    def anchor_number(self, wall: Wall) -> int:
        """Return the number of the anchor of ``wall``, or -1 when no wall can lie there."""
        if 0 <= wall.column < self.size - 1 and 0 <= wall.row < self.size - 1:
            return wall.row * self.stride + wall.column
        return -1

    def walls_at(self, horizontal: int, vertical: int) -> list[Wall]:
        """Return the walls at the given sets of anchors: horizontal ones first, by row and column."""
        found = [self.horizontal_of[anchor] for anchor in bits(horizontal)]
        return found + [self.vertical_of[anchor] for anchor in bits(vertical)]


# Typed, as a cache would otherwise take 9.0 for 9.
@lru_cache(maxsize=None, typed=True)
def board_of_size(size: int) -> Board:
    """Return the tables for boards of ``size``; they are made once.

    Raises:
        TypeError: ``size`` is not an integer.
        ValueError: it is not 3 to 25.
    """
    require("the board size", int, size)
    return Board(size)
