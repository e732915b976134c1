"""Clobber by the rules and the protocol of the 2006 Computer Olympiad.

This package exports the rules; the protocol and the engine are separate modules. Importing it is cheap,
because numba is imported only by an engine that searches.
"""

from quoridor_net.clobber.errors import ClobberIllegality, ClobberReason, IllegalClobberMoveError
from quoridor_net.clobber.notation import format_spaced, parse_move
from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.clobber.values import MAX_SIZE, STANDARD_SIZE, ClobberSquare, Colour, Move

__all__ = [
    "MAX_SIZE",
    "STANDARD_SIZE",
    "ClobberIllegality",
    "ClobberPosition",
    "ClobberReason",
    "ClobberSquare",
    "Colour",
    "IllegalClobberMoveError",
    "Move",
    "format_spaced",
    "parse_move",
]
