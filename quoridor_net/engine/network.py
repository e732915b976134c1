"""The learned network: where its numbers lie, and reading them from the file they are shipped in.

It judges positions of two players on 9x9 as the player to move sees them: its own goal line at the bottom, so
for seat 1 the board is turned round. A layer of ``UNITS`` units adds up one column of numbers for each thing
on the board: each wall, each wall as seen from either pawn, both pawns, how they stand to each other, both
distances together, the walls both have left, and threats to either way (``quoridor_net.engine.threats``). Its
units, cut off below 0 and above ``ONE``, are weighed once for the value and once for each move for the prior.
What weighs them for the value depends on the walls left and on who is ahead. All numbers are integers of 16
bits, as in the file, and all sums exact: they are the same on every machine.

``benchmarks/engine_learn.py`` makes the file.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from quoridor_net.engine.layout import HORIZONTAL, PLIES, VERTICAL
from quoridor_net.engine.words import Numbers

SIDE = 9
CELLS = SIDE * SIDE
UNITS = 128
#: What a unit is worth that is fully on.
ONE = 512
#: A logit of the prior is worth this in units of the prior's numbers times ``ONE``.
PRIOR_ONE = 64
#: A score of so many hundredths of a step means a winning chance of e : 1.
SCALE = 150.0
#: Logits are handed on in thousandths, nearly.
LOGIT = 1024

#: A wall as seen from a pawn: 16 by 16 places, for both orientations.
FAR = 16
NEAR_WALLS = 2 * FAR * FAR
#: From the number of a wall as a move to that of its column.
WALL_NUMBERS = VERTICAL + CELLS - HORIZONTAL
#: Longer ways, and more walls, count as the longest and the most of these.
DISTANCES = 20
LEFTS = 11
#: From the difference of two rows or columns, of which there are so many, to where a pawn stands to another.
APART = 2 * SIDE - 1
#: The value is weighed otherwise from so many walls left on, of either player, and for each lead in steps.
SOME_LEFT = (1, 3, 6)
LEFT_KINDS = len(SOME_LEFT) + 1
MOST_LEAD = 4
LEADS = 2 * MOST_LEAD + 1
FLAGS = 4
STEPS = 25
GAINS = 5
#: So many numbers a threat, or the effect of a wall, can be.
WORTHS = 16
#: What is known of the threats to the rival, and of those to the player itself.
THREATS = ("rival_gain", "rival_net", "rival_count", "own_gain", "own_net", "own_count")

#: The kinds of columns of the file, with how many of each there are.
TABLES = {
    "walls": WALL_NUMBERS,
    "by_own": NEAR_WALLS,
    "by_other": NEAR_WALLS,
    "own": CELLS,
    "other": CELLS,
    "apart": APART * APART,
    "ways": DISTANCES * DISTANCES,
    "lefts": LEFTS * LEFTS,
    **dict.fromkeys(THREATS, WORTHS),
    "value": LEFT_KINDS * LEFT_KINDS * LEADS,
    "wall_moves": WALL_NUMBERS,
    "wall_by_own": NEAR_WALLS,
    "wall_by_other": NEAR_WALLS,
    "wall_flags": FLAGS,
    "wall_effects": WORTHS,
    "wall_spoils": WORTHS,
    "step_moves": STEPS,
    "step_gains": GAINS,
}
#: Numbers that stand alone, after the columns.
SCALARS = {
    "wall_bias": WALL_NUMBERS,
    "own_bias": NEAR_WALLS,
    "other_bias": NEAR_WALLS,
    "flag_bias": FLAGS,
    "effect_bias": WORTHS,
    "spoil_bias": WORTHS,
    "step_bias": STEPS,
    "gain_bias": GAINS,
}

# Where they lie in the array that the kernel reads; the first column is all zeros.
NOTHING = 0
WALLS = NOTHING + UNITS
BY_OWN = WALLS + UNITS * WALL_NUMBERS
BY_OTHER = BY_OWN + UNITS * NEAR_WALLS
OWN = BY_OTHER + UNITS * NEAR_WALLS
OTHER = OWN + UNITS * CELLS
OFFSETS = OTHER + UNITS * CELLS
WAYS = OFFSETS + UNITS * APART * APART
LEFT_COLUMNS = WAYS + UNITS * DISTANCES * DISTANCES
RIVAL_THREATS = LEFT_COLUMNS + UNITS * LEFTS * LEFTS
OWN_THREATS = RIVAL_THREATS + 3 * UNITS * WORTHS
VALUE = OWN_THREATS + 3 * UNITS * WORTHS
WALL_MOVES = VALUE + UNITS * LEFT_KINDS * LEFT_KINDS * LEADS
WALL_BY_OWN = WALL_MOVES + UNITS * WALL_NUMBERS
WALL_BY_OTHER = WALL_BY_OWN + UNITS * NEAR_WALLS
WALL_FLAGS = WALL_BY_OTHER + UNITS * NEAR_WALLS
WALL_EFFECTS = WALL_FLAGS + UNITS * FLAGS
WALL_SPOILS = WALL_EFFECTS + UNITS * WORTHS
STEP_MOVES = WALL_SPOILS + UNITS * WORTHS
STEP_GAINS = STEP_MOVES + UNITS * STEPS
WALL_BIAS = STEP_GAINS + UNITS * GAINS
OWN_BIAS = WALL_BIAS + WALL_NUMBERS
OTHER_BIAS = OWN_BIAS + NEAR_WALLS
FLAG_BIAS = OTHER_BIAS + NEAR_WALLS
EFFECT_BIAS = FLAG_BIAS + FLAGS
SPOIL_BIAS = EFFECT_BIAS + WORTHS
STEP_BIAS = SPOIL_BIAS + WORTHS
GAIN_BIAS = STEP_BIAS + STEPS

# What the kernel has added up, for each ply: the walls as each seat sees them, the walls as seen from its own
# and from the other pawn, the threats, and the units of the seat to move.
SUMS = GAIN_BIAS + GAINS
BASE = 0
FROM_OWN = 2 * UNITS
FROM_OTHER = 4 * UNITS
FROM_THREATS = 6 * UNITS
ACTIVE = 7 * UNITS
SUMS_OF_PLY = 8 * UNITS

NUMBERS = SUMS + (PLIES + 2) * SUMS_OF_PLY


@cache
def _shipped() -> dict[str, list[int]]:
    """Return the numbers of the file by name; the linear part of the value is under terms and counts."""
    import numpy as np

    with resources.files(__package__).joinpath("network.npz").open("rb") as file, np.load(file) as found:
        return {name: found[name].reshape(-1) for name in found.files}


def knows(size: int, players: int) -> bool:
    """Return whether the network judges such games."""
    return (size, players) == (SIDE, 2)


def new_numbers(is_used: bool) -> Numbers:
    """Return the array that the kernel reads and adds up in; a tiny one if the network is not used."""
    import numpy as np

    if not is_used:
        return np.zeros(1, dtype=np.int16)
    numbers: Numbers = np.zeros(NUMBERS, dtype=np.int16)
    found = _shipped()
    place = WALLS
    for name, count in [*((name, UNITS * count) for name, count in TABLES.items()), *SCALARS.items()]:
        numbers[place : place + count] = found[name]
        place += count
    return numbers


def linear_part() -> tuple[list[int], list[int]]:
    """Return the weights of the terms, and the worth of so many walls, that go with the network."""
    found = _shipped()
    return [int(value) for value in found["terms"]], [int(value) for value in found["counts"]]
