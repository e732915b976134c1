"""A position in one line, as every command takes and prints it (docs/decisions.md, Rules).

``<horizontal walls> / <vertical walls> / <pawns> / <walls left> / <player to move> [/ <size>]`` in standard
notation; the start of a game of two is `` /  / e1 e9 / 10 10 / 1``.
"""

from __future__ import annotations

import re

from quoridor_net.moves import MAX_SIZE, MIN_SIZE, STANDARD_SIZE, Jumps, Orientation, Square, Wall
from quoridor_net.notation.lan import rewrite
from quoridor_net.notation.standard import format_move, format_square, parse_square
from quoridor_net.rules.position import Position
from quoridor_net.text import BLANKS, UnparsableError, parse_number, quoted, split_words

_ANCHOR = re.compile(r"[a-y][1-9][0-9]?", re.ASCII | re.IGNORECASE)
#: The largest number in a position: of walls left.
_MOST = 9999

_SHAPE = "horizontal walls / vertical walls / pawns / walls left / player to move [/ size]"


def parse_position(line: str, jumps: Jumps = Jumps.OFFICIAL) -> Position:
    """Return the position that ``line`` describes.

    Raises:
        UnparsableError: the line is not of the form, or no game can have such a position.
    """
    fields = [field.strip(BLANKS) for field in line.split("/")]
    if len(fields) not in {5, 6}:
        raise UnparsableError(f"a position has 5 or 6 fields, not {len(fields)}: {_SHAPE}")
    size = _number(fields[5], "size") if len(fields) == 6 else STANDARD_SIZE
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise UnparsableError(f"the size of a board is {MIN_SIZE} to {MAX_SIZE}, not {size}")
    walls = _walls(fields[0], Orientation.HORIZONTAL, size)
    walls += _walls(fields[1], Orientation.VERTICAL, size)
    pawns = [None if name == "-" else parse_square(name, size) for name in split_words(fields[2])]
    if len(pawns) not in {2, 4}:
        raise UnparsableError(f"a position has 2 or 4 pawns, not {len(pawns)}")
    walls_left = [_number(number, "number of walls left") for number in split_words(fields[3])]
    turn = _number(fields[4], "player to move")
    try:
        return Position.setup(pawns, walls_left, walls, turn, size, jumps)
    except ValueError as error:
        raise UnparsableError(f"impossible position: {rewrite(str(error), format_move)}") from None


def format_position(position: Position) -> str:
    """Return the one-line form of ``position``. The player to move of a finished game is written 0."""
    pawns = [position.pawn(player) for player in range(1, position.players + 1)]
    left = [str(position.walls_left(player)) for player in range(1, position.players + 1)]
    fields = [
        _anchors(position, Orientation.HORIZONTAL),
        _anchors(position, Orientation.VERTICAL),
        " ".join("-" if pawn is None else format_square(pawn) for pawn in pawns),
        " ".join(left),
        str(position.turn or 0),
    ]
    if position.size != STANDARD_SIZE:
        fields.append(str(position.size))
    return " / ".join(fields)


def _anchors(position: Position, orientation: Orientation) -> str:
    walls = sorted(
        (wall for wall in position.walls if wall.orientation is orientation),
        key=lambda wall: (wall.row, wall.column),
    )
    return "".join(format_square(Square(wall.column, wall.row)) for wall in walls)


def _walls(field: str, orientation: Orientation, size: int) -> list[Wall]:
    names = _ANCHOR.findall(field)
    if "".join(names) != "".join(split_words(field)):
        raise UnparsableError(f"{quoted(field)} is no list of wall anchors: expected one like d4f7")
    squares = [parse_square(name, size) for name in names]
    return [Wall(square.column, square.row, orientation) for square in squares]


def _number(field: str, what: str) -> int:
    try:
        return parse_number(field, 0, _MOST)
    except UnparsableError:
        raise UnparsableError(f"{quoted(field)} is no {what}") from None
