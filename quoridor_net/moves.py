"""The values a game is made of: squares, walls, moves, seats and jump rules.

All coordinates are those of the 2016 client/server document, section "Coordinates": ``(column, row)``,
both counted from 0, origin at the top left, rows growing downward. Every value is immutable, hashable,
ordered, and prints itself in the notation of that document.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from operator import index
from typing import Any, Literal, SupportsIndex, TypeVar

from attrs import Attribute, field, frozen

#: What attrs calls with an instance, one of its attributes and the value for it.
Validator = Callable[[Any, "Attribute[Any]", Any], None]

MIN_SIZE = 3
MAX_SIZE = 25
STANDARD_SIZE = 9

#: Walls each player starts with on a standard board, by number of players.
STANDARD_WALLS = {2: 10, 4: 5}


def default_walls(size: int, players: int = 2) -> int:
    """Return the default number of walls per player: 7/4·size - 23/4 for two (the referee's README).

    Four players have half of that, as on the standard board. The minimum is 0.
    """
    return max(0, (7 * size - 23) // 4) * 2 // players


#: Player numbers in order of play, by number of players. Section "Initial Contacted": players are
#: numbered 1, 4, 2, 3 clockwise from the top of the board, and play goes clockwise from player 1.
TURN_ORDER: dict[int, tuple[int, ...]] = {2: (1, 2), 4: (1, 4, 2, 3)}


class _Word(enum.StrEnum):
    """A word whose ``repr`` can be evaluated where the exported names are known."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Jumps(_Word):
    """The jump rule: how a pawn may pass an adjacent pawn (docs/decisions.md, Rules)."""

    #: Straight over it; to its sides if a wall, the edge or another pawn blocks the square behind.
    OFFICIAL = "official"
    #: From the square of that pawn to any free neighbour without a wall between, also over several pawns.
    CLASSROOM = "classroom"


#: A jump rule, or its name.
JumpsLike = Jumps | Literal["official", "classroom"]


class Orientation(_Word):
    """The direction of a wall; the value is its letter on the wire."""

    HORIZONTAL = "h"
    VERTICAL = "v"


def require(what: str, kind: type[object], value: object) -> None:
    """Check that ``value`` is of type ``kind``; written moves are read by ``notation`` instead.

    Raises:
        TypeError: it is of another type; the message begins with ``what``.
    """
    # bool is a subclass of int, but True is neither a coordinate nor a count.
    if not isinstance(value, kind) or isinstance(value, bool):
        article = "" if kind is bytes else "an " if kind.__name__[0] in "aeioAEIO" else "a "
        raise TypeError(f"{what} must be {article}{kind.__name__}, not {value!r:.80}")


def of_kind(kind: type[object]) -> Validator:
    """Return an attrs validator that accepts only values of type ``kind``."""

    def check(instance: object, attribute: Attribute[Any], value: Any) -> None:
        # One comparison in the usual case, because values are created often.
        if type(value) is not kind:
            require(f"the {attribute.name} of a {type(instance).__name__}", kind, value)

    return check


def _coordinate(value: SupportsIndex) -> int:
    """Return ``value`` as an int; integers of other libraries are converted.

    Raises:
        TypeError: it is not an integer.
    """
    # One comparison in the usual case, because values are created often.
    if type(value) is int:
        return value
    # bool has __index__ too, but passing one is a mistake.
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        require("a column or row", int, value)
    return index(value)


_W = TypeVar("_W", bound=_Word)


def as_word(what: str, kind: type[_W], value: str) -> _W:
    """Return the member of ``kind`` given as itself or by its value.

    Raises:
        TypeError: it is neither; the message begins with ``what``.
    """
    if type(value) is kind:
        return value
    if value in [str(word) for word in kind]:
        return kind(value)
    words = " or ".join(repr(str(word)) for word in kind)
    raise TypeError(f"{what} must be a member of {kind.__name__}, {words}, not {value!r:.80}")


def as_jumps(value: str) -> Jumps:
    """Return the jump rule given as itself or by name.

    Raises:
        TypeError: it is neither.
    """
    return as_word("the jump rule", Jumps, value)


@frozen(order=True, cache_hash=True)
class Square:
    """A square where a pawn can stand. It unpacks: ``column, row = square``.

    Raises:
        TypeError: a coordinate is not an integer. Whether a board has such a square is not checked.
    """

    column: int = field(converter=_coordinate)
    row: int = field(converter=_coordinate)

    def __iter__(self) -> Iterator[int]:
        yield self.column
        yield self.row

    def __str__(self) -> str:
        return f"({self.column}, {self.row})"


def as_square(what: str, value: object) -> Square:
    """Return ``value``, a square or a pair of column and row, as a square.

    Raises:
        TypeError: it is neither; the message begins with ``what``.
    """
    if isinstance(value, Square):
        return value
    if isinstance(value, tuple) and len(value) == 2:
        return Square(*value)
    raise TypeError(f"{what} must be a Square or a pair of column and row, not {value!r:.80}")


def _target(value: Square | tuple[int, int]) -> Square:
    # One comparison in the usual case, because values are created often.
    return value if type(value) is Square else as_square("the square of a Step", value)


def _orientation(value: Orientation | Literal["h", "v"]) -> Orientation:
    return value if type(value) is Orientation else as_word("the orientation of a Wall", Orientation, value)


@frozen(order=True, cache_hash=True)
class Step:
    """A move of the pawn: its target square, as in ``TESUJI (4, 1)``; ``Step((4, 1))`` makes one.

    Raises:
        TypeError: the target is neither a :class:`Square` nor a pair of integers; written moves are read by
            :mod:`quoridor_net.notation`.
    """

    square: Square = field(converter=_target)

    def __str__(self) -> str:
        return str(self.square)


@frozen(order=True, cache_hash=True)
class Wall:
    """A wall on the board, and the move that places it; ``Wall(3, 1, "h")`` makes one.

    ``[(c, r), h]`` lies below squares (c, r) and (c+1, r); ``[(c, r), v]`` lies right of squares
    (c, r) and (c, r+1). Valid anchors have both coordinates in 0 ... size-2.

    Raises:
        TypeError: a coordinate is not an integer, or the orientation is neither an :class:`Orientation` nor
            its letter.
    """

    column: int = field(converter=_coordinate)
    row: int = field(converter=_coordinate)
    orientation: Orientation = field(converter=_orientation)

    def __str__(self) -> str:
        return f"[({self.column}, {self.row}), {self.orientation}]"


def walls_between(here: Square, there: Square) -> list[Wall]:
    """Return the walls that would block a step between two neighbours; some may lie off the board."""
    column, row = min(here.column, there.column), min(here.row, there.row)
    if here.row == there.row:
        return [Wall(column, row - 1, Orientation.VERTICAL), Wall(column, row, Orientation.VERTICAL)]
    return [Wall(column - 1, row, Orientation.HORIZONTAL), Wall(column, row, Orientation.HORIZONTAL)]


Move = Step | Wall
_MOVES = (Step, Wall)


def require_move(move: object) -> None:
    """Check that ``move`` is a move.

    Raises:
        TypeError: it is neither a :class:`Step` nor a :class:`Wall`.
    """
    if not isinstance(move, _MOVES):
        advice = "; play it with push_text, or read it with parse_move" if isinstance(move, str) else ""
        raise TypeError(f"a move must be a Step or a Wall, not {move!r:.80}{advice}")


@frozen
class Ply:
    """One entry of a game's history: a player's move, or its elimination (``move`` is None).

    Raises:
        TypeError: the player is not an integer, or the move neither a move nor None.
    """

    player: int
    move: Move | None

    def __attrs_post_init__(self) -> None:
        # Faster than a validator for each field, because plies are created often.
        if type(self.player) is not int:
            require("the player of a Ply", int, self.player)
        if self.move is not None:
            require_move(self.move)
