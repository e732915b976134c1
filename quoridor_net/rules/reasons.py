"""Reasons why a move is illegal: as data, as sentences in the reader's notation, and as exceptions."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TypeVar

from attrs import define, frozen

from quoridor_net.moves import MAX_SIZE, Move, Square, Wall
from quoridor_net.notation import Notation
from quoridor_net.notation.lan import LAN
from quoridor_net.phrases import Phrase, Translatable, Value, place

_Place = TypeVar("_Place", Square, Wall)


class Illegality(enum.Enum):
    """Kinds of reasons why a well-formed move is illegal. Comments name the fields of the :class:`Reason`."""

    GAME_OVER = "game over"
    #: ``player`` has none. Only games without a fixed turn order report this.
    NO_LEGAL_MOVE = "no legal move"
    #: The square or the wall that was tried, then the first and the last that the board has.
    OFF_BOARD = "off the board"
    #: ``player`` already stands on the square.
    SAME_SQUARE = "the pawn already stands there"
    #: ``player`` stands on the square.
    OCCUPIED = "the square is occupied"
    #: From the first square to the second.
    NOT_REACHABLE = "the pawn cannot get there in one move"
    #: From the first square to the second, and the wall between them.
    WALL_IN_THE_WAY = "a wall is in the way"
    #: From the first square to the second.
    ONLY_CLASSROOM = "allowed only by the classroom jump rule"
    #: ``player`` has placed all its walls.
    NO_WALLS_LEFT = "no walls left"
    #: The wall that was tried, and the one on the board.
    OVERLAP = "overlaps a wall"
    #: The wall that was tried, and the one on the board.
    CROSS = "crosses a wall"
    #: The wall that was tried, and the enclosed ``player``.
    NO_PATH = "leaves a player without a path"
    #: The square, in a position that is set up.
    SHARED_SQUARE = "two pawns on one square"


@frozen
class Reason:
    """Why one move is illegal in one position.

    The kind decides the meaning of the squares, the walls and the player.
    """

    kind: Illegality
    squares: tuple[Square, ...] = ()
    walls: tuple[Wall, ...] = ()
    player: int | None = None


@enum.unique
class ReasonPhrase(Phrase):
    """The sentences for the kinds, under the same names, and one more for walls off the board."""

    GAME_OVER = "the game is over"
    NO_LEGAL_MOVE = "player {player} has no legal move"
    OFF_BOARD = "{first} is off the board: squares go from {second} to {third}"
    WALL_OFF_BOARD = "no wall can lie there: walls go from {second} to {third}"
    SAME_SQUARE = "player {player} already stands on {first}"
    OCCUPIED = "player {player} stands on {first}"
    NOT_REACHABLE = "the pawn on {first} cannot get to {second} in one move"
    WALL_IN_THE_WAY = "a wall stands between {first} and {second}"
    ONLY_CLASSROOM = (
        "the official rules allow no such jump from {first} to {second};"
        " the classroom jump rule{option} would"
    )
    NO_WALLS_LEFT = "player {player} has no walls left"
    OVERLAP = "it would overlap the wall {second}"
    CROSS = "it would cross the wall {second}"
    NO_PATH = "the wall would leave player {player} without a path to its goal"
    SHARED_SQUARE = "two pawns cannot both stand on {first}"


def explain(reason: Reason, notation: Notation, *, names_option: bool = False) -> Translatable:
    """Return why a move is illegal, as a sentence without a capital or a full stop.

    Args:
        reason: a result of :meth:`Position.why_illegal`.
        notation: the reader's notation of squares and walls.
        names_option: whether to mention ``--jumps``, the commands' option for the jump rule.
    """
    is_wall_off_board = reason.kind is Illegality.OFF_BOARD and reason.walls
    phrase = ReasonPhrase.WALL_OFF_BOARD if is_wall_off_board else ReasonPhrase[reason.kind.name]
    squares = [_write(square, notation.format_square) for square in reason.squares]
    walls = [_write(wall, notation.format_move) for wall in reason.walls]
    values: dict[str, Value] = dict(zip(("first", "second", "third"), squares or walls, strict=False))
    values["player"] = reason.player or 0
    values["option"] = " (--jumps classroom)" if names_option else ""
    return phrase(**{name: values[name] for name in phrase.places})


def _write(where: _Place, write: Callable[[_Place], str]) -> Translatable:
    # Only the notation of 2016 can write squares and walls that lie off every board.
    is_on_some_board = 0 <= where.column < MAX_SIZE and 0 <= where.row < MAX_SIZE
    return place(write(where) if is_on_some_board else str(where), str(where))


@define
class IllegalMoveError(ValueError):
    """A well-formed move that the rules forbid in this position."""

    move: Move
    reason: Reason

    def __str__(self) -> str:
        return self.explain(LAN)

    def explain(self, notation: Notation) -> str:
        """Return the move and why it is illegal, in ``notation``."""
        return f"{notation.format_move(self.move)} is illegal: {explain(self.reason, notation)}"


@define
class IllegalPositionError(ValueError):
    """A set-up position that no game can reach, because a pawn or a wall has no place in it."""

    reason: Reason

    def __str__(self) -> str:
        return self.explain(LAN)

    def explain(self, notation: Notation) -> str:
        """Return the pawn or wall without a place and the reason, in ``notation``."""
        walls = [f"{notation.format_move(wall)}: " for wall in self.reason.walls[:1]]
        return "".join(walls) + explain(self.reason, notation)
