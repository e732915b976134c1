"""The rules of Quoridor: boards of 3 to 25 squares a side, 2 or 4 players, two jump rules."""

from quoridor_net.moves import (
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
    default_walls,
)
from quoridor_net.outcome import Termination
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.rules.position import Position
from quoridor_net.rules.reasons import Illegality, IllegalMoveError, IllegalPositionError, Reason, explain

__all__ = [
    "MAX_SIZE",
    "MIN_SIZE",
    "STANDARD_SIZE",
    "STANDARD_WALLS",
    "TURN_ORDER",
    "BoardPicture",
    "IllegalMoveError",
    "IllegalPositionError",
    "Illegality",
    "Jumps",
    "Move",
    "Orientation",
    "Ply",
    "Position",
    "Reason",
    "Square",
    "Step",
    "Termination",
    "Wall",
    "default_walls",
    "explain",
]
