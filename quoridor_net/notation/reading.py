"""Parse moves as people write them, in any notation."""

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
#: Forms that occur in only one of them.
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
    """Parse a move in any notation, on a board of ``size``.

    Brackets, commas, spaces and capitals are optional, and the letter of a wall may be on either side:
    ``e8``, ``(4, 1)``, ``4 1``, ``e3h``, ``h e3``, ``h (3, 4)``, ``3 4 h``, ``[(3, 1), h]``. In a wall, ``w``
    means ``v``.

    Two numbers are a column and a row from 0, as in the 2016 document. A letter and a number are standard
    notation in the exact forms ``e2`` and ``e3h``, and Athens notation in the form ``E3 horizontal``.
    Otherwise they are ambiguous, unless they mean the same in both notations.

    Args:
        text: one move.
        size: number of squares on a side.
        notation: the notation of letters and numbers in any form, ``"standard"`` or ``"athens"``.

    Raises:
        TypeError: ``text`` is not a string, or ``size`` not an integer.
        UnparsableError: ``text`` is ambiguous or not a move on this board; the message says what to write.
        ValueError: unknown notation.
    """
    require("a written move", str, text)
    require("the board size", int, size)
    if notation not in (None, *get_args(LetterNotation)):
        raise ValueError(f"the notation must be 'standard' or 'athens', not {notation!r}")
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
            " notation; pass notation='standard' or notation='athens'"
        )
    return readings[0]


def _move(square: Square, parts: dict[str, str]) -> Move:
    letter = parts.get("before") or parts.get("behind")
    if letter is None:
        return Step(square)
    return Wall(square.column, square.row, Orientation("v" if letter == "w" else letter))
