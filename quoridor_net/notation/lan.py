"""The 2016 notation: ``(4, 1)`` for a step, ``[(3, 1), h]`` for a wall (section "Coordinates").

Written exactly so; read liberally, with any blanks, capital letters, and ``w`` for ``v`` (the document calls
the letters "h or w" once). There is never more than one way to understand a line.
"""

from __future__ import annotations

import re

from quoridor_net.moves import Move, Orientation, Square, Step, Wall, require
from quoridor_net.notation import Notation
from quoridor_net.text import BLANKS, UnparsableError, quote
from quoridor_net.verdicts import VerdictPhrase

# Numbers have at most two digits: boards end at size 25, and a longer number is never meant.
_PAIR = r"\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)"
_MOVE = re.compile(rf"(?:{_PAIR}|\[\s*{_PAIR}\s*,\s*([hvw])\s*\])", re.ASCII | re.IGNORECASE)


#: This notation, in which squares and moves print themselves.
LAN = Notation(str, str)


def parse_move(text: str) -> Move:
    """Return the move written in ``text``. Whether the board has such a place is for the rules to say.

    Raises:
        TypeError: it is no text.
        UnparsableError: the text is not a move.
    """
    require("a written move", str, text)
    match = _MOVE.fullmatch(text.strip(BLANKS))
    if match is None:
        raise UnparsableError(VerdictPhrase.NOT_A_MOVE(text=quote(text)))
    if match[1] is not None:
        return Step(Square(int(match[1]), int(match[2])))
    letter = match[5].lower()
    return Wall(int(match[3]), int(match[4]), Orientation("v" if letter == "w" else letter))
