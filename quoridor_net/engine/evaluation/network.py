"""The network: an NNUE of small integers, and the reader of its file.

It judges two-player positions from the *perspective* of a seat, with its own goal line at the bottom: for
seat 1 the board is turned round. It was trained on 9x9. For other boards its tables are resized
(``evaluation.resizing``) when the record is filled; kernels have one layout for all sizes.

::

    features                       feature transformer      units            heads
    walls ------------------------ walls -----------.
    walls as seen from own pawn -- walls_by_own ----+
    walls as seen from the other - walls_by_other --+- sum - clipped ReLU -+- value, one head of many
    threats to either path ------- threats ---------+          0 .. ONE    `- policy, a logit for each move
    pawns, distances, walls left -------------------'           active

The feature transformer adds up one column of ``UNITS`` numbers for each feature. Its sums are kept in an
accumulator for each ply (``evaluation.accumulator``). Features that change with nearly every move are added
in the forward pass (``evaluation.forward``). ``evaluation.features`` numbers the features,
``evaluation.threats`` finds the threats. The walls left and the lead select the value head; the policy head
is in ``evaluation.policy``. All numbers are 16-bit integers, as in the file, and all sums are exact, so they
are the same on every machine.

``python -m training network`` makes the file.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated, Any

from quoridor_net.engine.board.moves import LARGEST, PLIES
from quoridor_net.engine.evaluation.places import (
    OFFSETS,
    PAWN_OFFSETS,
    RELATIVE_WALLS,
    SQUARES,
    STEPS,
    WALL_NUMBERS,
)
from quoridor_net.jit.arrays import Array, Numbers, NumberTable, Words

#: The smallest board that the network judges: it does not help on 5x5. The largest is that of the kernels.
SMALLEST = 6
UNITS = 128
#: Activation of a saturated unit.
ONE = 512
#: A logit of 1 is this number times ``ONE`` in the integer sums of the policy head.
PRIOR_ONE = 64
#: The score, in hundredths of a step, at which the winning odds are e : 1.
SCALE = 150.0
#: Logits are passed on in units of 1/1024.
LOGIT = 1024

#: Numbers of distances and of counts of walls; larger ones count as the largest of these.
DISTANCES = 20
WALL_COUNTS = 11
#: The value head depends on the walls left of either player, in buckets that start here, and on the lead.
WALL_BUCKET_STARTS = (1, 3, 6)
WALL_BUCKETS = len(WALL_BUCKET_STARTS) + 1
MOST_LEAD = 4
LEADS = 2 * MOST_LEAD + 1
VALUE_HEADS = WALL_BUCKETS * WALL_BUCKETS * LEADS
FLAGS = 4
GAINS = 5
#: Number of values that a threat, or the effect of a wall, can have.
THREAT_VALUES = 16
#: Features of the threats to the rival, and of those to the player itself.
THREATS = ("rival_gain", "rival_net", "rival_count", "own_gain", "own_net", "own_count")


class Accumulator:
    """The sums of one ply; where there is one for each perspective, that of seat 0 comes first."""

    #: Of the walls.
    walls: Annotated[NumberTable, 2, UNITS]
    #: Of the walls as seen from the perspective's own pawn, and from the other one.
    walls_by_own: Annotated[NumberTable, 2, UNITS]
    walls_by_other: Annotated[NumberTable, 2, UNITS]
    #: Of the threats, as the seat to move sees them.
    threats: Annotated[Numbers, UNITS]
    #: The units of the seat to move.
    active: Annotated[Numbers, UNITS]


class Network:
    """The columns of the network, one in each row of a table, and the accumulators of the line searched."""

    # The feature transformer.
    walls: Annotated[NumberTable, WALL_NUMBERS, UNITS]
    walls_by_own: Annotated[NumberTable, RELATIVE_WALLS, UNITS]
    walls_by_other: Annotated[NumberTable, RELATIVE_WALLS, UNITS]
    own_pawn: Annotated[NumberTable, SQUARES, UNITS]
    other_pawn: Annotated[NumberTable, SQUARES, UNITS]
    pawn_offsets: Annotated[NumberTable, PAWN_OFFSETS, UNITS]
    #: Of both players together.
    distances: Annotated[NumberTable, DISTANCES * DISTANCES, UNITS]
    walls_left: Annotated[NumberTable, WALL_COUNTS * WALL_COUNTS, UNITS]
    rival_gain: Annotated[NumberTable, THREAT_VALUES, UNITS]
    rival_net: Annotated[NumberTable, THREAT_VALUES, UNITS]
    rival_count: Annotated[NumberTable, THREAT_VALUES, UNITS]
    own_gain: Annotated[NumberTable, THREAT_VALUES, UNITS]
    own_net: Annotated[NumberTable, THREAT_VALUES, UNITS]
    own_count: Annotated[NumberTable, THREAT_VALUES, UNITS]

    # The value head, and the policy head with its biases.
    value: Annotated[NumberTable, VALUE_HEADS, UNITS]
    policy_walls: Annotated[NumberTable, WALL_NUMBERS, UNITS]
    policy_walls_by_own: Annotated[NumberTable, RELATIVE_WALLS, UNITS]
    policy_walls_by_other: Annotated[NumberTable, RELATIVE_WALLS, UNITS]
    policy_flags: Annotated[NumberTable, FLAGS, UNITS]
    policy_effects: Annotated[NumberTable, THREAT_VALUES, UNITS]
    policy_crossings: Annotated[NumberTable, THREAT_VALUES, UNITS]
    policy_steps: Annotated[NumberTable, STEPS, UNITS]
    policy_gains: Annotated[NumberTable, GAINS, UNITS]
    wall_bias: Annotated[Numbers, WALL_NUMBERS]
    wall_by_own_bias: Annotated[Numbers, RELATIVE_WALLS]
    wall_by_other_bias: Annotated[Numbers, RELATIVE_WALLS]
    flag_bias: Annotated[Numbers, FLAGS]
    effect_bias: Annotated[Numbers, THREAT_VALUES]
    crossing_bias: Annotated[Numbers, THREAT_VALUES]
    step_bias: Annotated[Numbers, STEPS]
    gain_bias: Annotated[Numbers, GAINS]

    #: The place of each square and anchor, by its number on the board.
    places: Annotated[Words, SQUARES]
    #: The largest numbers of a square and of an anchor.
    last_square: int
    last_anchor: int

    accumulators: Annotated[Array[Accumulator], PLIES + 2]


#: The field for each table of the file.
TABLES = {
    "walls": "walls",
    "by_own": "walls_by_own",
    "by_other": "walls_by_other",
    "own": "own_pawn",
    "other": "other_pawn",
    "apart": "pawn_offsets",
    "ways": "distances",
    "lefts": "walls_left",
    **{name: name for name in THREATS},
    "value": "value",
    "wall_moves": "policy_walls",
    "wall_by_own": "policy_walls_by_own",
    "wall_by_other": "policy_walls_by_other",
    "wall_flags": "policy_flags",
    "wall_effects": "policy_effects",
    "wall_spoils": "policy_crossings",
    "step_moves": "policy_steps",
    "step_gains": "policy_gains",
}
#: The same for the biases: one number for each column.
SCALARS = {
    "wall_bias": "wall_bias",
    "own_bias": "wall_by_own_bias",
    "other_bias": "wall_by_other_bias",
    "flag_bias": "flag_bias",
    "effect_bias": "effect_bias",
    "spoil_bias": "crossing_bias",
    "step_bias": "step_bias",
    "gain_bias": "gain_bias",
}


@cache
def _load_shipped() -> dict[str, Any]:
    """Return the numbers of the file by name; the linear part of the value is in terms and counts."""
    import numpy as np

    with resources.files(__package__).joinpath("network.npz").open("rb") as file, np.load(file) as found:
        return {name: found[name].reshape(-1) for name in found.files}


@cache
def _resize_tables(size: int) -> dict[str, Any]:
    """Return the tables by field, for boards of ``size``; resizing takes longer than a short search."""
    from quoridor_net.engine.evaluation.resizing import resize

    found = _load_shipped()
    return {
        field: resize(name, found[name].reshape((-1,) if name in SCALARS else (-1, UNITS)), size)
        for name, field in (TABLES | SCALARS).items()
    }


def knows(size: int, players: int) -> bool:
    """Return whether the network judges games of this board size and number of players."""
    return players == 2 and SMALLEST <= size <= LARGEST


def new_network(size: int | None) -> Network:
    """Return the record of the network, with its accumulators, for boards of ``size``.

    If ``size`` is None, no network is used and the record is full of zeros.
    """
    from quoridor_net.jit.records import new_record

    net = new_record(Network)
    if size is None:
        return net
    for field, columns in _resize_tables(size).items():
        getattr(net, field)[: len(columns)] = columns
    net.places[: size * size] = [row * OFFSETS + column for row in range(size) for column in range(size)]
    net.last_square = size * size - 1
    net.last_anchor = size * size - size - 2
    return net


def linear_part() -> tuple[list[int], list[int]]:
    """Return the weights of the linear terms, and the values of walls left, that belong to the network."""
    found = _load_shipped()
    return [int(value) for value in found["terms"]], [int(value) for value in found["counts"]]
