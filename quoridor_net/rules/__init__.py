"""The rules of Quoridor: boards of 3 to 25 squares a side, 2 or 4 players, two jump rules."""

from quoridor_net.rules.errors import Illegality, IllegalMove, Objection
from quoridor_net.rules.position import Position
from quoridor_net.rules.termination import Termination
from quoridor_net.rules.values import (
    MAX_SIZE,
    MIN_SIZE,
    STANDARD_SIZE,
    STANDARD_WALLS,
    TURN_ORDER,
    Jumps,
    Move,
    Orientation,
    Ply,
    Square,
    Step,
    Wall,
)

__all__ = [
    "MAX_SIZE",
    "MIN_SIZE",
    "STANDARD_SIZE",
    "STANDARD_WALLS",
    "TURN_ORDER",
    "IllegalMove",
    "Illegality",
    "Jumps",
    "Move",
    "Objection",
    "Orientation",
    "Ply",
    "Position",
    "Square",
    "Step",
    "Termination",
    "Wall",
]
