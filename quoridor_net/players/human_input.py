"""What a person types, read generously: a move in either notation, or one of a few words."""

from __future__ import annotations

import enum
import re

from quoridor_net.notation import standard
from quoridor_net.rules import STANDARD_SIZE, Move, Orientation, Square, Step, Wall
from quoridor_net.text import UnparsableError, quoted, split_words


class Command(enum.Enum):
    """What a person may type instead of a move; the value is the word."""

    HELP = "help"
    MOVES = "moves"
    BOARD = "board"
    HINT = "hint"
    UNDO = "undo"
    RESIGN = "resign"


Typed = Move | Command

_WORDS = {
    **{command.value: command for command in Command},
    **dict.fromkeys(("?", "h"), Command.HELP),
    **dict.fromkeys(("m",), Command.MOVES),
    **dict.fromkeys(("b",), Command.BOARD),
    **dict.fromkeys(("u", "back", "takeback"), Command.UNDO),
    **dict.fromkeys(("q", "quit", "exit"), Command.RESIGN),
}

#: The help on what can be typed besides moves, and why one of it cannot be done.
COMMANDS_HELP = """\
  moves    shows your legal moves     board   draws the board again (or b)
  hint     proposes a move            resign  gives up the game (or q)
  ?        shows this help"""
NO_UNDO = "A move cannot be taken back: the others in the network have it already."
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


def read_command(text: str) -> Command | None:
    """Return the command that ``text`` is, in any case and with any blanks; None if it is none."""
    return _WORDS.get(_said(text))


def _said(text: str) -> str:
    return " ".join(split_words(text)).lower()


def read_typed(text: str, size: int = STANDARD_SIZE) -> Typed:
    """Return what ``text`` means on a board of ``size``.

    Brackets, commas, blanks and capitals are optional, and the letter of a wall may stand on either side:
    ``e8``, ``(4, 1)``, ``4 1``, ``e3h``, ``h e3``, ``h (3, 4)``, ``3 4 h``, ``[(3, 1), h]``. As everywhere,
    ``w`` is taken for ``v`` in a wall. Two numbers are a column and a row from 0, as in the 2016 document; a
    letter and a number are standard notation.

    Raises:
        UnparsableError: it means nothing; the message says what to type.
    """
    said = _said(text)
    if said in _WORDS:
        return _WORDS[said]
    bare = _LONG.sub(lambda word: word[0][0], _PUNCTUATION.sub(" ", said).strip())
    for shape in _SHAPES:
        match = shape.fullmatch(bare)
        if match is not None:
            return _move(match.groupdict(), size)
    raise UnparsableError(
        f"{quoted(said)} is no move: type a square like e2 or (4, 1), or a wall like e3h or h (4, 2); ? helps"
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
