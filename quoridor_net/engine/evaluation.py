"""Kernel: what a position of two players is worth without searching, and when it is decided."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.layout import DISTANCE, LEFT, ROW, ROWS, RUNAWAY, TURN
from quoridor_net.engine.weights import STEP, TEMPO, WALLS, WALLS_VALUED
from quoridor_net.engine.words import Words


@kernel
def certificate(memory: Words, ply: int) -> int:
    """Return the score of a race that distances decide, else 0.

    A player with a step to spare over an opponent without walls wins: nothing can lengthen its way, and pawns
    that meet change the count by one, hardly ever more.
    """
    row = ROWS + ply * ROW
    seat = memory[row + TURN]
    own = memory[row + DISTANCE + seat]
    other = memory[row + DISTANCE + 1 - seat]
    if memory[row + LEFT + 1 - seat] == 0 and own < other:
        return RUNAWAY - ply - 2 * own + 1
    if memory[row + LEFT + seat] == 0 and other <= own - 2:
        return 2 * other + ply - RUNAWAY
    return 0


@kernel
def evaluate(memory: Words, ply: int) -> int:
    """Return the score of the seat to move, from distances and walls left."""
    row = ROWS + ply * ROW
    seat = memory[row + TURN]
    own = memory[row + DISTANCE + seat]
    other = memory[row + DISTANCE + 1 - seat]
    own_walls = min(memory[row + LEFT + seat], WALLS_VALUED)
    other_walls = min(memory[row + LEFT + 1 - seat], WALLS_VALUED)
    return (
        memory[STEP] * (other - own) + memory[TEMPO] + memory[WALLS + own_walls] - memory[WALLS + other_walls]
    )
