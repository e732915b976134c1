"""Kernel: what a position of two players is worth without searching, and when it is decided."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.floods import corridor_of
from quoridor_net.engine.layout import (
    CHOKE_HORIZONTAL,
    CHOKE_VERTICAL,
    CUT_HORIZONTAL,
    CUT_VERTICAL,
    DISTANCE,
    FIT_HORIZONTAL,
    FIT_VERTICAL,
    HAS_NETWORK,
    LEFT,
    NARROW,
    PAWN,
    ROW,
    ROWS,
    RUNAWAY,
    SIZE,
    TERMS,
    TURN,
)
from quoridor_net.engine.neurons import excite, feed, value_of_units
from quoridor_net.engine.sets import count
from quoridor_net.engine.weights import TERM_COUNT, TERM_WEIGHTS, WALLS, WALLS_VALUED
from quoridor_net.engine.words import Numbers, Words


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
def _openness(memory: Words, ply: int, seat: int) -> tuple[int, int, int]:
    """Return how easily walls stop ``seat``: narrow steps on its way, walls that lengthen it, walls that cut.

    All 0 when the other seat has no walls.
    """
    row = ROWS + ply * ROW
    if memory[row + LEFT + 1 - seat] == 0:
        return 0, 0, 0
    corridor = corridor_of(memory, ply, seat)
    h_low, h_high = memory[row + FIT_HORIZONTAL], memory[row + FIT_HORIZONTAL + 1]
    v_low, v_high = memory[row + FIT_VERTICAL], memory[row + FIT_VERTICAL + 1]
    place = corridor + CHOKE_HORIZONTAL
    chokes = count(memory[place] & h_low, memory[place + 1] & h_high)
    place = corridor + CHOKE_VERTICAL
    chokes += count(memory[place] & v_low, memory[place + 1] & v_high)
    place = corridor + CUT_HORIZONTAL
    cuts = count(memory[place] & h_low, memory[place + 1] & h_high)
    place = corridor + CUT_VERTICAL
    cuts += count(memory[place] & v_low, memory[place + 1] & v_high)
    return memory[corridor + NARROW], chokes, cuts


@kernel
def _rows(memory: Words, row: int, seat: int) -> int:
    """Return how many rows the pawn of ``seat`` is from its goal line, walls or not."""
    line = memory[row + PAWN + seat] // memory[SIZE]
    return line if seat == 1 else memory[SIZE] - 1 - line


@kernel
def measure(memory: Words, ply: int) -> None:
    """Write what the evaluation looks at, for the seat to move, to the memory."""
    row = ROWS + ply * ROW
    seat = memory[row + TURN]
    own, other = memory[row + DISTANCE + seat], memory[row + DISTANCE + 1 - seat]
    own_walls, other_walls = memory[row + LEFT + seat], memory[row + LEFT + 1 - seat]
    own_narrow, own_chokes, own_cuts = _openness(memory, ply, seat)
    narrow, chokes, cuts = _openness(memory, ply, 1 - seat)
    memory[TERMS] = other - own
    memory[TERMS + 1] = 1
    memory[TERMS + 2] = narrow - own_narrow
    memory[TERMS + 3] = chokes - own_chokes
    memory[TERMS + 4] = cuts - own_cuts
    memory[TERMS + 5] = (other - own) * (own_walls + other_walls)
    memory[TERMS + 6] = (own_walls - other_walls) * (own + other)
    memory[TERMS + 7] = _rows(memory, row, 1 - seat) - _rows(memory, row, seat)


@kernel
def evaluate(memory: Words, numbers: Numbers, ply: int) -> int:
    """Return the score of the seat to move."""
    if memory[HAS_NETWORK]:
        feed(numbers, memory, ply, memory[ROWS + ply * ROW + TURN])
        excite(numbers, memory, ply)
    return evaluate_excited(memory, numbers, ply)


@kernel
def evaluate_excited(memory: Words, numbers: Numbers, ply: int) -> int:
    """Return the score of the seat to move; the network, if it is used, has been excited at ``ply``."""
    row = ROWS + ply * ROW
    seat = memory[row + TURN]
    learned = value_of_units(numbers, memory, ply) if memory[HAS_NETWORK] else 0
    measure(memory, ply)
    own_walls = min(memory[row + LEFT + seat], WALLS_VALUED)
    other_walls = min(memory[row + LEFT + 1 - seat], WALLS_VALUED)
    score = 0
    for term in range(TERM_COUNT):
        score += memory[TERMS + term] * memory[TERM_WEIGHTS + term]
    return learned + score // 16 + memory[WALLS + own_walls] - memory[WALLS + other_walls]
