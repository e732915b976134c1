"""The Athens notation: vertices ``E3`` and walls ``E3 horizontal`` (athens-qtp-2015, sections 1.11 and 2.2).

A1 is the lower left corner. Black starts at the top (E9 on 9×9) and white at the bottom (E1). Black is player
1 of the 2016 document and white player 2, so row = size - number. The anchor of a wall is the vertex
north-west of its middle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeVar

from quoridor_net.moves import STANDARD_SIZE, Move, Orientation, Square, Step, Wall, require
from quoridor_net.notation import Notation
from quoridor_net.notation.standard import FILES
from quoridor_net.text import UnparsableError, quote, split_words
from quoridor_net.verdicts import VerdictPhrase

# Section 1.11: on a 9x9 board the letters go from A to I, so none is skipped.
LETTERS = FILES.upper()

PLAYER_OF_COLOUR = {"black": 1, "white": 2, "b": 1, "w": 2}
COLOUR_OF_PLAYER = {1: "black", 2: "white"}

_Meaning = TypeVar("_Meaning")

_VERTEX = re.compile(r"([a-y])0*([1-9][0-9]?)", re.ASCII | re.IGNORECASE)
_ORIENTATIONS = {
    "horizontal": Orientation.HORIZONTAL,
    "h": Orientation.HORIZONTAL,
    "vertical": Orientation.VERTICAL,
    "v": Orientation.VERTICAL,
}


def format_vertex(square: Square, size: int = STANDARD_SIZE) -> str:
    """Return ``square`` as ``E3`` on a board of ``size``."""
    return f"{LETTERS[square.column]}{size - square.row}"


def parse_vertex(text: str, size: int = STANDARD_SIZE) -> Square:
    """Parse a vertex of a board of ``size``; section 2.2, "vertex".

    Raises:
        TypeError: ``text`` is not a string.
        UnparsableError: ``text`` is not a vertex of such a board.
    """
    require("a vertex", str, text)
    match = _VERTEX.fullmatch(text)
    if match is None:
        raise UnparsableError(VerdictPhrase.NOT_A_VERTEX(text=quote(text)))
    column, row = LETTERS.index(match[1].upper()), size - int(match[2])
    if column >= size or row < 0:
        last = f"{LETTERS[size - 1]}{size}"
        raise UnparsableError(VerdictPhrase.NO_SUCH_VERTEX(text=quote(text), last=last))
    return Square(column, row)


def parse_orientation(text: str) -> Orientation:
    """Parse an orientation; section 2.2, "orientation".

    Raises:
        UnparsableError: ``text`` is not an orientation.
    """
    return _find_meaning(_ORIENTATIONS, text, "an orientation: expected horizontal or vertical")


def parse_colour(text: str) -> int:
    """Parse a colour and return its player number; section 2.2, "color".

    Raises:
        UnparsableError: ``text`` is not a colour.
    """
    return _find_meaning(PLAYER_OF_COLOUR, text, "a color: expected white or black")


def format_move(move: Move, size: int = STANDARD_SIZE) -> str:
    """Return ``move`` as ``E3`` or ``E3 horizontal``."""
    if isinstance(move, Step):
        return format_vertex(move.square, size)
    return f"{format_vertex(Square(move.column, move.row), size)} {move.orientation.name.lower()}"


def notation(size: int) -> Notation:
    """Return this notation on boards of ``size``."""
    return Notation(partial(format_vertex, size=size), partial(format_move, size=size))


def parse_move(text: str, size: int = STANDARD_SIZE) -> Move:
    """Parse a move: a vertex, or a vertex and an orientation.

    Raises:
        TypeError: ``text`` is not a string.
        UnparsableError: ``text`` is not a move.
    """
    require("a written move", str, text)
    match split_words(text):
        case [vertex]:
            return Step(parse_vertex(vertex, size))
        case [vertex, orientation]:
            return _wall(vertex, orientation, size)
        case _:
            raise UnparsableError(
                f"{quote(text)} is not a move: expected a vertex, optionally with an orientation"
            )


def format_play(player: int, move: Move, size: int = STANDARD_SIZE) -> str:
    """Return the command for a move of ``player``: ``playmove white E2``, ``playwall black E3 vertical``.

    Every engine understands this dialect: lower-case colour, upper-case vertex, whole words.
    """
    name = "playmove" if isinstance(move, Step) else "playwall"
    return f"{name} {COLOUR_OF_PLAYER[player]} {format_move(move, size)}"


def parse_play(words: Sequence[str], size: int = STANDARD_SIZE) -> tuple[int, Move]:
    """Parse the words of a ``playmove`` or ``playwall`` command; return the player and the move.

    Raises:
        UnparsableError: there are too few or too many words, or one is invalid on such a board.
    """
    match words:
        case ["playmove", colour, vertex]:
            move: Move = Step(parse_vertex(vertex, size))
        case ["playwall", colour, vertex, orientation]:
            move = _wall(vertex, orientation, size)
        case ["playmove", *_]:
            raise UnparsableError("playmove needs a color and a vertex")
        case _:
            raise UnparsableError("playwall needs a color, a vertex and an orientation")
    return parse_colour(colour), move


def _wall(vertex: str, orientation: str, size: int) -> Wall:
    anchor = parse_vertex(vertex, size)
    return Wall(anchor.column, anchor.row, parse_orientation(orientation))


def _find_meaning(meanings: Mapping[str, _Meaning], text: str, what: str) -> _Meaning:
    require("a word", str, text)
    # ASCII only, because some other letters, such as the Kelvin sign, have an ASCII lower case.
    word = text.lower() if text.isascii() else text
    if word not in meanings:
        raise UnparsableError(f"{quote(text)} is not {what}")
    return meanings[word]
