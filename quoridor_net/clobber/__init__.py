"""Clobber by the rules and the protocol of the 2006 Computer Olympiad.

The rules are here; the protocol and the engine are modules of their own. Importing this package is cheap:
numba is loaded only when an engine thinks.
"""

from quoridor_net.clobber.errors import Illegality, IllegalMoveError, Reason
from quoridor_net.clobber.notation import format_spaced, parse_move
from quoridor_net.clobber.position import Position
from quoridor_net.clobber.values import MAX_SIZE, STANDARD_SIZE, Colour, Move, Square

__all__ = [
    "MAX_SIZE",
    "STANDARD_SIZE",
    "Colour",
    "IllegalMoveError",
    "Illegality",
    "Move",
    "Position",
    "Reason",
    "Square",
    "format_spaced",
    "parse_move",
]
