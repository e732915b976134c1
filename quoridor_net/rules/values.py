"""The values a game is made of: squares, walls, moves, seats and jump rules.

All coordinates are those of the 2016 client/server document, section "Coordinates": ``(column, row)``,
both counted from 0, origin at the top left, rows growing downward. Every value is immutable, hashable,
ordered, and prints itself in the notation of that document.
"""

from __future__ import annotations

import enum
from functools import total_ordering

from attrs import frozen

MIN_SIZE = 3
MAX_SIZE = 25
STANDARD_SIZE = 9

#: Walls each player starts with on a standard board, by number of players.
STANDARD_WALLS = {2: 10, 4: 5}

#: Player numbers in order of play, by number of players. Section "Initial Contacted": players are
#: numbered 1, 4, 2, 3 clockwise from the top of the board, and play goes clockwise from player 1.
TURN_ORDER: dict[int, tuple[int, ...]] = {2: (1, 2), 4: (1, 4, 2, 3)}


class Jumps(enum.Enum):
    """What a pawn may do about an adjacent pawn (DESIGN section 3)."""

    #: Straight over it; if the square behind is closed by a wall, the edge or another pawn, to its sides.
    OFFICIAL = "official"
    #: From its square to any open free neighbour, chained over several pawns.
    CLASSROOM = "classroom"

    def __str__(self) -> str:
        return self.value


@total_ordering
class Orientation(enum.Enum):
    """The direction in which a wall lies; the value is the letter on the wire."""

    HORIZONTAL = "h"
    VERTICAL = "v"

    def __str__(self) -> str:
        return self.value

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Orientation):
            return NotImplemented
        return self.value < other.value


@frozen(order=True, cache_hash=True)
class Square:
    """A square on which a pawn can stand."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"({self.column}, {self.row})"


@frozen(order=True, cache_hash=True)
class Step:
    """A move of the pawn: its target square, as in ``TESUJI (4, 1)``."""

    square: Square

    def __str__(self) -> str:
        return str(self.square)


@frozen(order=True, cache_hash=True)
class Wall:
    """A wall, both as a thing on the board and as the move that places it.

    ``[(c, r), h]`` lies below squares (c, r) and (c+1, r); ``[(c, r), v]`` lies right of squares
    (c, r) and (c, r+1). Valid anchors have both coordinates in 0 ... size-2.
    """

    column: int
    row: int
    orientation: Orientation

    def __str__(self) -> str:
        return f"[({self.column}, {self.row}), {self.orientation}]"


Move = Step | Wall


@frozen
class Ply:
    """One entry of a game's history: what a player did, or that it was eliminated (move None)."""

    player: int
    move: Move | None
