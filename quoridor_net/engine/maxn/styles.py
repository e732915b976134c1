"""The opponent model: styles of play that rivals may have.

A style is a softmax over the legal moves. The logit of a move is the dot product of its *traits*, the changes
that it makes, with the weights of the style. The weights were fitted to games of players of each kind, the
last five to recorded games of programs; ``python -m training styles`` makes the file. The style of each rival
is inferred from its moves (:mod:`quoridor_net.engine.maxn.opponents`).
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated, Any

from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.board.state import MOST_MOVES
from quoridor_net.jit.arrays import Fractions, FractionTable

NAMES = (
    # Looks ahead.
    "searcher",
    # Steps while it leads, otherwise blocks the nearest rival as well as it can.
    "blocker",
    # Only steps.
    "runner",
    # Spends its walls early.
    "builder",
    # Both step while they are not behind, otherwise block the nearest rival: right in front of its pawn, or
    # by any wall that lengthens its path.
    "front",
    "careless",
    # Blocks the nearest rival when it is near its goal.
    "late",
    # Steps, and sometimes blocks the nearest rival.
    "fickle",
    # Steps, but places walls anywhere when it is behind.
    "stray",
    # Five programs of a class: two block the nearest rival, one of them whenever it is behind; one mostly
    # blocks the others; one mostly places walls that lengthen no path; one does some of each.
    "class_a",
    "class_b",
    "class_c",
    "class_d",
    "class_e",
)
STYLES = len(NAMES)
SEARCHER = NAMES.index("searcher")

# The traits of a move. Of a step: the shortening of the own path, always, and only if the seat is ahead of
# all rivals or behind one.
GAIN = 0
GAIN_AHEAD = 1
GAIN_BEHIND = 2
# Of a wall: 1, always, and only if the seat is ahead or behind.
WALL = 3
WALL_AHEAD = 4
WALL_BEHIND = 5
#: Detour of the nearest rival, in steps, always, and only if the seat is not ahead.
BLOCK = 6
BLOCK_NEEDED = 7
#: 1 if there is such a detour, likewise.
BLOCKS = 8
BLOCKS_NEEDED = 9
#: Detours of the other rivals, and of the seat itself, in steps.
BLOCK_OTHERS = 10
BLOCK_SELF = 11
#: 1 if it lengthens no path.
IDLE = 12
#: Number of walls placed so far, divided by 20.
WALLS_PLACED = 13
#: Logarithm of the mover's chance after the move; the second for walls only.
CHANCE = 14
CHANCE_OF_WALL = 15
#: 1 if a wall cuts a shortest path of the nearest rival, and if it does so right beside its pawn.
CUTS = 16
CUTS_BESIDE = 17
#: Of a wall when the nearest rival is near its goal: 1, and the rival's detour.
WALL_NEAR = 18
BLOCK_NEAR = 19
TRAITS = 20


class OpponentModel:
    """The weights of the model, and space to work in."""

    weights: Annotated[FractionTable, STYLES, TRAITS]
    #: The probability of each style for each seat.
    shares: Annotated[FractionTable, SEATS, STYLES]
    #: Of the latest move.
    traits: Annotated[Fractions, TRAITS]
    #: The styles' unnormalised probabilities of each move of a list, and their sums.
    likelihoods: Annotated[FractionTable, MOST_MOVES, STYLES]
    sums: Annotated[Fractions, STYLES]


@cache
def _load_shipped() -> Any:
    """Return the weights of the file."""
    import numpy as np

    with resources.files(__package__).joinpath("styles.npz").open("rb") as file, np.load(file) as found:
        return found["weights"]


def load_styles(model: OpponentModel) -> None:
    """Write the weights of the file to the record, and make all styles equally likely."""
    model.weights[:] = _load_shipped()
    model.shares[:] = 1 / STYLES
