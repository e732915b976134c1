"""The values a game is made of: squares, walls, moves, seats and jump rules.

All coordinates are those of the 2016 client/server document, section "Coordinates": ``(column, row)``,
both counted from 0, origin at the top left, rows growing downward. Every value is immutable, hashable,
ordered, and prints itself in the notation of that document.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from attrs import Attribute, field, frozen
from attrs.validators import optional

#: What attrs calls with an instance, one of its attributes and the value for it.
Validator = Callable[[Any, "Attribute[Any]", Any], None]

MIN_SIZE = 3
MAX_SIZE = 25
STANDARD_SIZE = 9

#: Walls each player starts with on a standard board, by number of players.
STANDARD_WALLS = {2: 10, 4: 5}


def default_walls(size: int, players: int = 2) -> int:
    """Return the walls each player starts with unless given: 7/4·size - 23/4 for two (the referee's README).

    Four players have half of that, as on the standard board; nobody has less than none.
    """
    return max(0, (7 * size - 23) // 4) * 2 // players


#: Player numbers in order of play, by number of players. Section "Initial Contacted": players are
#: numbered 1, 4, 2, 3 clockwise from the top of the board, and play goes clockwise from player 1.
TURN_ORDER: dict[int, tuple[int, ...]] = {2: (1, 2), 4: (1, 4, 2, 3)}


class Jumps(enum.StrEnum):
    """What a pawn may do about an adjacent pawn (docs/decisions.md, Rules)."""

    #: Straight over it; if the square behind is closed by a wall, the edge or another pawn, to its sides.
    OFFICIAL = "official"
    #: From its square to any open free neighbour, chained over several pawns.
    CLASSROOM = "classroom"


class Orientation(enum.StrEnum):
    """The direction in which a wall lies; the value is the letter on the wire."""

    HORIZONTAL = "h"
    VERTICAL = "v"

    def __repr__(self) -> str:
        # What a Wall shows of it can be typed.
        return f"Orientation.{self.name}"


def require(what: str, kind: type[object], value: object) -> None:
    """Refuse a value of another kind than ``kind``; text in particular, which is for ``notation`` to read.

    Raises:
        TypeError: it is of another kind; the message begins with ``what``.
    """
    # True and False are numbers to Python, but a coordinate or a count is none of them.
    if not isinstance(value, kind) or isinstance(value, bool):
        article = "" if kind is bytes else "an " if kind.__name__[0] in "aeioAEIO" else "a "
        raise TypeError(f"{what} must be {article}{kind.__name__}, not {value!r:.80}")


def of_kind(kind: type[object]) -> Validator:
    """Return an attrs validator that refuses values of another kind than ``kind``."""

    def check(instance: object, attribute: Attribute[Any], value: Any) -> None:
        # The usual case in one comparison: values are made often.
        if type(value) is not kind:
            require(f"the {attribute.name} of a {type(instance).__name__}", kind, value)

    return check


@frozen(order=True, cache_hash=True)
class Square:
    """A square on which a pawn can stand.

    Raises:
        TypeError: a coordinate is not an integer. Whether a board has such a square is not looked at.
    """

    column: int = field(validator=of_kind(int))
    row: int = field(validator=of_kind(int))

    def __str__(self) -> str:
        return f"({self.column}, {self.row})"


@frozen(order=True, cache_hash=True)
class Step:
    """A move of the pawn: its target square, as in ``TESUJI (4, 1)``.

    Raises:
        TypeError: the target is not a :class:`Square`; text is for :mod:`quoridor_net.notation` to read.
    """

    square: Square = field(validator=of_kind(Square))

    def __str__(self) -> str:
        return str(self.square)


@frozen(order=True, cache_hash=True)
class Wall:
    """A wall, both as a thing on the board and as the move that places it.

    ``[(c, r), h]`` lies below squares (c, r) and (c+1, r); ``[(c, r), v]`` lies right of squares
    (c, r) and (c, r+1). Valid anchors have both coordinates in 0 ... size-2.

    Raises:
        TypeError: a coordinate is not an integer, or the orientation is a letter, say, instead of an
            :class:`Orientation`.
    """

    column: int = field(validator=of_kind(int))
    row: int = field(validator=of_kind(int))
    orientation: Orientation = field(validator=of_kind(Orientation))

    def __str__(self) -> str:
        return f"[({self.column}, {self.row}), {self.orientation}]"


def walls_between(here: Square, there: Square) -> list[Wall]:
    """Return the walls that would close the step between two neighbouring squares, on the board or not."""
    column, row = min(here.column, there.column), min(here.row, there.row)
    if here.row == there.row:
        return [Wall(column, row - 1, Orientation.VERTICAL), Wall(column, row, Orientation.VERTICAL)]
    return [Wall(column - 1, row, Orientation.HORIZONTAL), Wall(column, row, Orientation.HORIZONTAL)]


Move = Step | Wall
_MOVES = (Step, Wall)


def require_move(move: object) -> None:
    """Refuse what is not a move.

    Raises:
        TypeError: it is neither a :class:`Step` nor a :class:`Wall`.
    """
    if not isinstance(move, _MOVES):
        raise TypeError(f"a move must be a Step or a Wall, not {move!r}")


@frozen
class Ply:
    """One entry of a game's history: what a player did, or that it was eliminated (move None).

    Raises:
        TypeError: the player is not an integer, or the move neither a move nor None.
    """

    player: int = field(validator=of_kind(int))
    move: Move | None = field(validator=optional(lambda _ply, _field, move: require_move(move)))
