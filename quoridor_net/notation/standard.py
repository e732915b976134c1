"""Standard notation: ``e2`` for a step, ``e3h`` for a wall (docs/decisions.md, Notations).

a1 is the south-west corner, and player 1 starts on rank 1. The anchor of a wall is the square south-west of
its middle. Player 1 of the 2016 document starts in row 0, so rank = row + 1.
"""

from __future__ import annotations

import re

from quoridor_net.moves import MAX_SIZE, STANDARD_SIZE, Move, Orientation, Square, Step, Wall, require
from quoridor_net.notation import Notation
from quoridor_net.text import BLANKS, UnparsableError, quote
from quoridor_net.verdicts import VerdictPhrase

FILES = "abcdefghijklmnopqrstuvwxy"
assert len(FILES) == MAX_SIZE

_MOVE = re.compile(r"([a-y])([1-9][0-9]?)([hv]?)", re.ASCII | re.IGNORECASE)


def format_square(square: Square) -> str:
    """Return ``square`` as ``e2``."""
    return f"{FILES[square.column]}{square.row + 1}"


def format_move(move: Move) -> str:
    """Return ``move`` as ``e2`` or ``e3h``."""
    if isinstance(move, Step):
        return format_square(move.square)
    return f"{format_square(Square(move.column, move.row))}{move.orientation}"


#: The standard notation.
STANDARD = Notation(format_square, format_move)


def parse_move(text: str, size: int = STANDARD_SIZE) -> Move:
    """Parse a move in lower or upper case.

    Raises:
        TypeError: ``text`` is not a string.
        UnparsableError: ``text`` is not a move on a board of ``size``.
    """
    require("a written move", str, text)
    match = _MOVE.fullmatch(text.strip(BLANKS))
    if match is None:
        raise UnparsableError(VerdictPhrase.NO_STANDARD_MOVE(text=quote(text)))
    column, row = FILES.index(match[1].lower()), int(match[2]) - 1
    if column >= size or row >= size:
        last = f"{FILES[size - 1]}{size}"
        raise UnparsableError(VerdictPhrase.NO_SUCH_SQUARE(text=quote(text), last=last))
    if not match[3]:
        return Step(Square(column, row))
    return Wall(column, row, Orientation(match[3].lower()))


def parse_square(text: str, size: int = STANDARD_SIZE) -> Square:
    """Parse a square.

    Raises:
        UnparsableError: ``text`` is not a square of a board of ``size``.
    """
    move = parse_move(text, size)
    if not isinstance(move, Step):
        raise UnparsableError(f"{quote(text)} is not a square: expected one like e2")
    return move.square
