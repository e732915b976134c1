"""The 2016 notation: ``(4, 1)`` for a step, ``[(3, 1), h]`` for a wall (section "Coordinates").

Writing is exact. Parsing also accepts any whitespace, capital letters, and ``w`` for ``v``, because the
document calls the letters "h or w" once. No line is ambiguous.
"""

from __future__ import annotations

import re

from quoridor_net.moves import Move, Orientation, Square, Step, Wall, require
from quoridor_net.notation import Notation
from quoridor_net.text import BLANKS, UnparsableError, quote
from quoridor_net.verdicts import VerdictPhrase

# Numbers have at most two digits, because the maximum board size is 25.
_PAIR = r"\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)"
_MOVE = re.compile(rf"(?:{_PAIR}|\[\s*{_PAIR}\s*,\s*([hvw])\s*\])", re.ASCII | re.IGNORECASE)


#: The 2016 notation, which is the ``str`` of squares and moves.
LAN = Notation(str, str)


def parse_move(text: str) -> Move:
    """Parse a move. The rules check whether the board has such a place.

    Raises:
        TypeError: ``text`` is not a string.
        UnparsableError: ``text`` is not a move.
    """
    require("a written move", str, text)
    match = _MOVE.fullmatch(text.strip(BLANKS))
    if match is None:
        raise UnparsableError(VerdictPhrase.NOT_A_MOVE(text=quote(text)))
    if match[1] is not None:
        return Step(Square(int(match[1]), int(match[2])))
    letter = match[5].lower()
    return Wall(int(match[3]), int(match[4]), Orientation("v" if letter == "w" else letter))
