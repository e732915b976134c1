"""The numbers in the file of the network, for tests that work out by themselves what it says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine.evaluation import network
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE
from training.examples import SLOTS, WALLS

FILE = {name: np.array(values) for name, values in network._shipped().items()}


def columns(name: str) -> NDArray[np.int64]:
    """Return the columns of this name, one in each row."""
    found: NDArray[np.int64] = FILE[name].reshape(-1, network.UNITS).astype(np.int64)
    return found


def wall_numbers() -> list[int]:
    """Return the numbers that the file gives the 128 walls."""
    return [wall // 64 * 128 + wall % 64 // SLOTS * BOARD_SIZE + wall % SLOTS for wall in range(WALLS)]


def seen_from(pawn: int, wall: int) -> int:
    """Return the number of where a wall lies as seen from a pawn."""
    orientation, row, column = wall // 64, wall % 64 // SLOTS, wall % SLOTS
    return orientation * 256 + (row - pawn // BOARD_SIZE + SLOTS) * 16 + column - pawn % BOARD_SIZE + SLOTS
