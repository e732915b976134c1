"""A position in the documentation, with the moves that are legal in it and those that are not.

It is written as a position line and options. ``steps`` are all squares that the pawn of the player to move
may go to, in LAN coordinates; ``illegal`` are illegal moves, each with the kind of reason; ``jumps``
is the jump rule if it is not the official one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from quoridor_net.notation import lan
from quoridor_net.rules import Illegality, Jumps, Move, Position

_MOVE = r"\(\d+, \d+\)|\[\(\d+, \d+\), [hv]\]"


@frozen
class PicturedPosition:
    """A position and what to show in it.

    Attributes:
        position: the position to draw.
        steps: where the pawn may go; empty when the options do not say.
        illegal: moves that are not legal, and why.
    """

    position: Position
    steps: tuple[Move, ...]
    illegal: Mapping[Move, Illegality]


def pictured_position(line: str, options: Mapping[str, str]) -> PicturedPosition:
    """Return the position of a position line and the moves that the options name.

    Raises:
        UnparsableError: the position line or a move cannot be parsed.
        ValueError: the jump rule is unknown.
        KeyError: the reason is unknown.
    """
    position = Position.from_line(line, Jumps(options.get("jumps", Jumps.OFFICIAL.value)))
    steps = tuple(lan.parse_move(text) for text in re.findall(_MOVE, options.get("steps", "")))
    illegal = {
        lan.parse_move(text): Illegality[kind.upper()]
        for text, kind in re.findall(rf"({_MOVE}) (\w+)", options.get("illegal", ""))
    }
    return PicturedPosition(position, steps, illegal)
