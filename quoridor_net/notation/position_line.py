"""Parse and format a position in one line, as in all commands (docs/decisions.md, Rules).

``<horizontal walls> / <vertical walls> / <pawns> / <walls left> / <player to move> [/ <size>]`` in standard
notation; the start of a game of two is `` /  / e1 e9 / 10 10 / 1``.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from quoridor_net.moves import MAX_SIZE, MIN_SIZE, STANDARD_SIZE, Orientation, Square, Wall, require
from quoridor_net.notation.standard import FILES, format_square, parse_square
from quoridor_net.phrases import Phrase
from quoridor_net.text import BLANKS, UnparsableError, parse_number, quote, split_words

_ANCHOR = re.compile(r"[a-y][1-9][0-9]?", re.ASCII | re.IGNORECASE)
#: The largest allowed number of walls left.
_MOST = 9999


@enum.unique
class PlacementPhrase(Phrase):
    """Errors in the line of a position."""

    FIELDS = (
        "a position has 5 or 6 fields, not {number}:"
        " horizontal walls / vertical walls / pawns / walls left / player to move [/ size]"
    )
    SIZE = "the size of a board is {least} to {most}, not {size}"
    PAWNS = "a position has 2 or 4 pawns, not {number}"
    NO_ANCHORS = "{text} is not a list of wall anchors: expected one like d4f7"
    NO_SIZE = "{text} is not a size"
    NO_WALLS_LEFT = "{text} is not a number of walls left"
    NO_TURN = "{text} is not a player to move"
    IMPOSSIBLE = "impossible position: {reason}"


class Placement(NamedTuple):
    """The contents of a line: the arguments of :meth:`quoridor_net.rules.Position.setup`, in order."""

    pawns: list[Square | None]
    walls_left: list[int]
    walls: list[Wall]
    turn: int
    size: int


def parse_placement(line: str) -> Placement:
    """Parse the line of a position. The rules check whether the position is possible.

    Raises:
        TypeError: ``line`` is not a string.
        UnparsableError: ``line`` does not have the right form.
    """
    require("the line of a position", str, line)
    fields = [field.strip(BLANKS) for field in line.split("/")]
    if len(fields) not in {5, 6}:
        raise UnparsableError(PlacementPhrase.FIELDS(number=len(fields)))
    size = _number(fields[5], PlacementPhrase.NO_SIZE) if len(fields) == 6 else STANDARD_SIZE
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise UnparsableError(PlacementPhrase.SIZE(least=MIN_SIZE, most=MAX_SIZE, size=size))
    walls = _walls(fields[0], Orientation.HORIZONTAL, size)
    walls += _walls(fields[1], Orientation.VERTICAL, size)
    pawns = [None if name == "-" else parse_square(name, size) for name in split_words(fields[2])]
    if len(pawns) not in {2, 4}:
        raise UnparsableError(PlacementPhrase.PAWNS(number=len(pawns)))
    walls_left = [_number(number, PlacementPhrase.NO_WALLS_LEFT) for number in split_words(fields[3])]
    return Placement(pawns, walls_left, walls, _number(fields[4], PlacementPhrase.NO_TURN), size)


def format_walls(walls: list[Wall]) -> str:
    """Return the first two fields of a line, with the anchors of ``walls``."""
    return " / ".join(_anchors(walls, orientation) for orientation in Orientation)


def format_line(
    walls: str, pawns: Iterable[Square | None], walls_left: Iterable[int], turn: int, size: int
) -> str:
    """Return the line of a position.

    Args:
        walls: the result of :func:`format_walls`, which callers can cache because most moves do not change
            it.
        pawns: squares of the pawns, by player number; None for players that are out.
        walls_left: numbers of remaining walls, by player number.
        turn: the player to move; 0 if the game is over.
        size: size of the board.
    """
    fields = [
        walls,
        " ".join(["-" if pawn is None else format_square(pawn) for pawn in pawns]),
        " ".join(map(str, walls_left)),
        str(turn),
    ]
    if size != STANDARD_SIZE:
        fields.append(str(size))
    return " / ".join(fields)


def _anchors(walls: list[Wall], orientation: Orientation) -> str:
    found = sorted(
        [wall for wall in walls if wall.orientation is orientation], key=attrgetter("row", "column")
    )
    # No Square objects, which would double the cost.
    return "".join([f"{FILES[wall.column]}{wall.row + 1}" for wall in found])


def _walls(field: str, orientation: Orientation, size: int) -> list[Wall]:
    names = _ANCHOR.findall(field)
    if "".join(names) != "".join(split_words(field)):
        raise UnparsableError(PlacementPhrase.NO_ANCHORS(text=quote(field)))
    squares = [parse_square(name, size) for name in names]
    return [Wall(square.column, square.row, orientation) for square in squares]


def _number(field: str, phrase: PlacementPhrase) -> int:
    try:
        return parse_number(field, 0, _MOST)
    except UnparsableError:
        raise UnparsableError(phrase(text=quote(field))) from None
