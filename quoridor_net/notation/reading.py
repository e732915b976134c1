"""Moves as people write them, in any notation."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, get_args

from quoridor_net.moves import STANDARD_SIZE, Move, Orientation, Square, Step, Wall, require
from quoridor_net.notation import athens, standard
from quoridor_net.text import UnparsableError, quote, split_words

#: The notations that name squares by a letter and a number, from opposite ends of the board.
LetterNotation = Literal["standard", "athens"]

_PARSERS: dict[LetterNotation, Callable[[str, int], Square]] = {
    "standard": standard.parse_square,
    "athens": athens.parse_vertex,
}
#: What only one of them writes.
_WRITTEN: dict[LetterNotation, re.Pattern[str]] = {
    "standard": re.compile(r"[a-y][1-9][0-9]?[hv]?"),
    "athens": re.compile(r"[A-Y][1-9][0-9]? (?:horizontal|vertical)"),
}

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


def parse_move(text: str, size: int = STANDARD_SIZE, notation: LetterNotation | None = None) -> Move:
    """Return the move that ``text`` means on a board of ``size``.

    Brackets, commas, blanks and capitals are optional, and the letter of a wall may stand on either side:
    ``e8``, ``(4, 1)``, ``4 1``, ``e3h``, ``h e3``, ``h (3, 4)``, ``3 4 h``, ``[(3, 1), h]``. As everywhere,
    ``w`` is taken for ``v`` in a wall.

    Two numbers are a column and a row from 0, as in the 2016 document. A letter and a number are standard
    notation if they are written exactly so, ``e2`` and ``e3h``, and Athens notation in ``E3 horizontal``;
    otherwise they are ambiguous, unless both notations mean the same by them.

    Args:
        text: one move.
        size: squares on a side.
        notation: how to read letters and numbers, ``"standard"`` or ``"athens"``, however they are written.

    Raises:
        TypeError: it is no text, or the size no number.
        UnparsableError: it is not a move of such a board, or it is ambiguous; the message says what to write.
        ValueError: there is no such notation.
    """
    require("a written move", str, text)
    require("the board size", int, size)
    if notation not in (None, *get_args(LetterNotation)):
        raise ValueError(f"the notation is 'standard' or 'athens', not {notation!r}")
    words = " ".join(split_words(text))
    bare = _LONG.sub(lambda word: word[0][0], _PUNCTUATION.sub(" ", words.lower()).strip())
    match = next((found for shape in _SHAPES if (found := shape.fullmatch(bare))), None)
    if match is None:
        raise UnparsableError(
            f"{quote(words)} is not a move: type a square like e2 or (4, 1), or a wall like e3h or h (4, 2)"
        )
    parts = match.groupdict()
    if "column" in parts:
        square = Square(int(parts["column"]), int(parts["row"]))
        if max(square.column, square.row) >= size:
            raise UnparsableError(f"{square} is off the board: columns and rows go from 0 to {size - 1}")
        return _move(square, parts)
    if notation is None:
        notation = next((name for name, form in _WRITTEN.items() if form.fullmatch(words)), None)
    names = _PARSERS if notation is None else (notation,)
    readings = [_move(_PARSERS[name](parts["square"], size), parts) for name in names]
    if readings[0] != readings[-1]:
        raise UnparsableError(
            f"{quote(words)} is ambiguous: {readings[0]} in standard notation, {readings[1]} in Athens"
            " notation; say which by notation='standard' or notation='athens'"
        )
    return readings[0]


def _move(square: Square, parts: dict[str, str]) -> Move:
    letter = parts.get("before") or parts.get("behind")
    if letter is None:
        return Step(square)
    return Wall(square.column, square.row, Orientation("v" if letter == "w" else letter))
