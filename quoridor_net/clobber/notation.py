"""Notation of Clobber moves: ``a1b1`` for people, ``a 1 b 1`` on the wire (protocol, step 3)."""

from __future__ import annotations

import re

from quoridor_net.clobber.values import COLUMN_LETTERS, ClobberSquare, Move
from quoridor_net.text import BLANKS, UnparsableError, quote

# People may also write a dash between the squares, like rule 3 of the protocol ("a1-b1").
_MOVE = re.compile(r"([a-z])\s*([1-9][0-9]?)\s*(?:-\s*)?([a-z])\s*([1-9][0-9]?)", re.ASCII | re.IGNORECASE)


def format_spaced(move: Move) -> str:
    """Return ``move`` as ``a 1 b 1``, the form of the protocol."""
    return " ".join(
        f"{COLUMN_LETTERS[square.column]} {square.row + 1}" for square in (move.origin, move.target)
    )


def parse_move(text: str) -> Move:
    """Parse a move in either form; capitals and extra spaces are accepted.

    The squares may be off the board; :meth:`ClobberPosition.why_illegal` checks that.

    Raises:
        UnparsableError: the text is not a move.
    """
    match = _MOVE.fullmatch(text.strip(BLANKS))
    if match is None:
        raise UnparsableError(f"{quote(text)} is not a move: expected two squares like a1b1 or a 1 b 1")
    return Move(_square(match[1], match[2]), _square(match[3], match[4]))


def _square(letter: str, number: str) -> ClobberSquare:
    return ClobberSquare(COLUMN_LETTERS.index(letter.lower()), int(number) - 1)
