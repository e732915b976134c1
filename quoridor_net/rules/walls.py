"""Where walls fit, and which of them could cut anything: bit operations on all anchors at once.

A :class:`WallSet` is immutable, so a position can keep old ones for undoing and share them with copies.
"""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter

from attrs import define

from quoridor_net.moves import Orientation, Wall
from quoridor_net.notation.position_line import format_walls
from quoridor_net.rules.board import Board


# With a dictionary, for the cached properties.
@define(eq=False, slots=False)
class WallSet:
    """The walls on a board and what follows from them.

    Attributes:
        board: the tables for this size.
        horizontal: anchors of the horizontal walls; vertical likewise.
        east_open: squares with an open passage to the square on the right.
        south_open: squares with an open passage to the square below.
        points: corner points that a wall or the edge touches.
    """

    board: Board
    horizontal: int
    vertical: int
    east_open: int
    south_open: int
    points: int

    @classmethod
    def empty(cls, board: Board) -> WallSet:
        """Return the set without any wall."""
        return cls(board, 0, 0, board.east_open, board.south_open, board.edge_points)

    def with_wall(self, anchor: int, is_vertical: bool) -> WallSet:
        """Return this set and one more wall, which must fit."""
        board, horizontal, vertical = self.board, self.horizontal, self.vertical
        bit, stride = 1 << anchor, board.stride
        if is_vertical:
            east_open = self.east_open & ~(bit | bit << stride)
            points = self.points | (bit | bit << stride | bit << 2 * stride) << 1
            return WallSet(board, horizontal, vertical | bit, east_open, self.south_open, points)
        south_open = self.south_open & ~(bit | bit << 1)
        points = self.points | (bit | bit << 1 | bit << 2) << stride
        return WallSet(board, horizontal | bit, vertical, self.east_open, south_open, points)

    def has(self, wall: Wall) -> bool:
        """Return whether ``wall`` is on the board."""
        anchor = self.board.anchor_number(wall)
        placed = self.horizontal if wall.orientation is Orientation.HORIZONTAL else self.vertical
        return anchor >= 0 and placed >> anchor & 1 == 1

    @cached_property
    def fitting(self) -> tuple[int, int]:
        """Anchors at which a (horizontal, vertical) wall neither overlaps nor crosses another."""
        stride = self.board.stride
        horizontal, vertical = self.horizontal, self.vertical
        taken = horizontal | vertical
        anchors = self.board.anchors
        return (
            anchors & ~(taken | horizontal << 1 | horizontal >> 1),
            anchors & ~(taken | vertical << stride | vertical >> stride),
        )

    @cached_property
    def cutting(self) -> tuple[int, int]:
        """Fitting anchors of (horizontal, vertical) walls that could close something off.

        A wall that touches walls or the edge with fewer than two of its three points (end, middle, end)
        leaves a way around one of its ends, so it can close nothing.
        """
        stride = self.board.stride
        points = self.points
        middle = points >> (stride + 1)
        west, east = points >> stride, points >> (stride + 2)
        north, south = points >> 1, points >> (2 * stride + 1)
        fit_horizontal, fit_vertical = self.fitting
        return (
            fit_horizontal & (middle & (west | east) | west & east),
            fit_vertical & (middle & (north | south) | north & south),
        )

    @cached_property
    def line(self) -> str:
        """The walls as the line of a position has them."""
        return format_walls(self.board.walls_at(self.horizontal, self.vertical))

    def walls(self) -> list[Wall]:
        """Return the walls, ordered."""
        # Attributes compare faster one by one than whole walls do.
        return sorted(
            self.board.walls_at(self.horizontal, self.vertical),
            key=attrgetter("column", "row", "orientation"),
        )

    def neighbours(self, number: int) -> int:
        """Return the squares next to square ``number`` with no wall between."""
        here = 1 << number
        stride = self.board.stride
        return (
            (here & self.east_open) << 1
            | (here & self.south_open) << stride
            | here >> 1 & self.east_open
            | here >> stride & self.south_open
        )
