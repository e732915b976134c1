"""The opponent model: styles of play that rivals may have, and what each makes of a move.

A style is a softmax over the legal moves: what a move changes, its *traits*, times the weights of the style.
The weights were fitted to games of players of each kind; ``python -m training styles`` makes the file.
Which style each rival has is inferred from its moves (:mod:`quoridor_net.engine.maxn.opponents`).
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
    # Steps while it leads, and else blocks the nearest rival as well as it can.
    "blocker",
    # Only steps.
    "runner",
    # Spends its walls early.
    "builder",
    # Step, and when they are behind block the nearest rival right in front of its pawn, or by any wall that
    # lengthens its path.
    "front",
    "careless",
    # Blocks the nearest rival when it is about to win.
    "late",
    # Steps, and blocks the nearest rival at times.
    "fickle",
    # Steps, and when it is behind places walls anywhere.
    "stray",
)
STYLES = len(NAMES)
SEARCHER = NAMES.index("searcher")

# The traits of a move. Of a step: by how much it shortens the own path, altogether, and counted only where
# the seat is ahead of all rivals, or behind one.
GAIN = 0
GAIN_AHEAD = 1
GAIN_BEHIND = 2
# Of a wall: that it is one, likewise where the seat is ahead or behind.
WALL = 3
WALL_AHEAD = 4
WALL_BEHIND = 5
#: How much it lengthens the path of the nearest rival, altogether, and where the seat is not ahead.
BLOCK = 6
BLOCK_NEEDED = 7
#: That it does so at all.
BLOCKS = 8
BLOCKS_NEEDED = 9
#: How much it lengthens the paths of the other rivals, and of the seat itself.
BLOCK_OTHERS = 10
BLOCK_SELF = 11
#: That it lengthens nobody's path.
IDLE = 12
#: How many walls have been placed, in twentieths.
WALLS_PLACED = 13
#: The logarithm of the own chance after the move, and for walls once more.
CHANCE = 14
CHANCE_OF_WALL = 15
#: That a wall cuts a shortest path of the nearest rival, and that it does so right beside its pawn.
CUTS = 16
CUTS_BESIDE = 17
#: Of a wall where the nearest rival is about to win: that it is one, and how much it lengthens its path.
WALL_NEAR = 18
BLOCK_NEAR = 19
TRAITS = 20


class OpponentModel:
    """The numbers of the model, and space to work in."""

    weights: Annotated[FractionTable, STYLES, TRAITS]
    #: How likely it is that each seat has each style.
    shares: Annotated[FractionTable, SEATS, STYLES]
    #: Of the move that was looked at last.
    traits: Annotated[Fractions, TRAITS]
    #: The styles' unnormalised probabilities of each move of a list, and their sums.
    likelihoods: Annotated[FractionTable, MOST_MOVES, STYLES]
    sums: Annotated[Fractions, STYLES]


@cache
def _shipped() -> Any:
    """Return the weights of the file."""
    import numpy as np

    with resources.files(__package__).joinpath("styles.npz").open("rb") as file, np.load(file) as found:
        return found["weights"]


def load_styles(model: OpponentModel) -> None:
    """Write the weights of the file into the record; any style is as likely as another."""
    model.weights[:] = _shipped()
    model.shares[:] = 1 / STYLES
