"""A move of Quoridor as people type it, in either notation."""

from __future__ import annotations

import re

from quoridor_net.notation import standard
from quoridor_net.rules import STANDARD_SIZE, Move, Orientation, Square, Step, Wall
from quoridor_net.text import UnparsableError, quoted, split_words

_PUNCTUATION = re.compile(r"[\s,;()\[\]]+", re.ASCII)
_LONG = re.compile(r"\b(horizontal|vertical)\b", re.ASCII)

_NUMBERS = r"(?P<column>\d{1,2}) (?P<row>\d{1,2})"
_NAME = r"(?P<square>[a-y]\d{1,2})"
_BEFORE, _BEHIND = r"(?P<before>[hvw]) ?", r" ?(?P<behind>[hvw])"
_SHAPES = [
    re.compile(shape, re.ASCII)
    for place in (_NUMBERS, _NAME)
    for shape in (place, _BEFORE + place, place + _BEHIND)
]


def parse_typed_move(text: str, size: int = STANDARD_SIZE) -> Move:
    """Return the move that ``text`` means on a board of ``size``.

    Brackets, commas, blanks and capitals are optional, and the letter of a wall may stand on either side:
    ``e8``, ``(4, 1)``, ``4 1``, ``e3h``, ``h e3``, ``h (3, 4)``, ``3 4 h``, ``[(3, 1), h]``. As everywhere,
    ``w`` is taken for ``v`` in a wall. Two numbers are a column and a row from 0, as in the 2016 document; a
    letter and a number are standard notation.

    Raises:
        UnparsableError: it is not a move; the message says what to type.
    """
    said = " ".join(split_words(text)).lower()
    bare = _LONG.sub(lambda word: word[0][0], _PUNCTUATION.sub(" ", said).strip())
    for shape in _SHAPES:
        match = shape.fullmatch(bare)
        if match is not None:
            return _move(match.groupdict(), size)
    raise UnparsableError(
        f"{quoted(said)} is not a move: type a square like e2 or (4, 1),"
        " or a wall like e3h or h (4, 2); ? helps"
    )


def _move(parts: dict[str, str | None], size: int) -> Move:
    if parts.get("square"):
        square = standard.parse_square(parts["square"] or "", size)
    else:
        square = Square(int(parts["column"] or ""), int(parts["row"] or ""))
        if max(square.column, square.row) >= size:
            raise UnparsableError(f"{square} is off the board: columns and rows go from 0 to {size - 1}")
    letter = parts.get("before") or parts.get("behind")
    if letter is None:
        return Step(square)
    return Wall(square.column, square.row, Orientation("v" if letter == "w" else letter))
