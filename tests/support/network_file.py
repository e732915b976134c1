"""The numbers in the network file, for tests that compute its evaluation independently."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine.evaluation import network
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE
from training.examples import SLOTS, WALLS

FILE = {name: np.array(values) for name, values in network._load_shipped().items()}


def columns(name: str) -> NDArray[np.int64]:
    """Return the columns with this name, one per row."""
    found: NDArray[np.int64] = FILE[name].reshape(-1, network.UNITS).astype(np.int64)
    return found


def wall_numbers() -> list[int]:
    """Return the numbers of the 128 walls in the file."""
    return [wall // 64 * 128 + wall % 64 // SLOTS * BOARD_SIZE + wall % SLOTS for wall in range(WALLS)]


def number_wall(pawn: int, wall: int) -> int:
    """Return the number of a wall's place relative to a pawn."""
    orientation, row, column = wall // 64, wall % 64 // SLOTS, wall % SLOTS
    return orientation * 256 + (row - pawn // BOARD_SIZE + SLOTS) * 16 + column - pawn % BOARD_SIZE + SLOTS
