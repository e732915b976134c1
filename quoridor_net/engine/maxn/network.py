"""The network for several seats: from the features of a seat to the logit of its winning chance.

::

    features                        hidden layer                          output
    distances, walls, gains ... --- sum of their columns, clipped ReLU --- one logit for each seat

:mod:`quoridor_net.engine.maxn.features` finds the numbers of the columns. All seats share the weights. Each
sees the board from its own perspective, and the chances are the softmax of the logits. Columns and weights
are 16-bit integers, as in the file, and all sums are exact.

``python -m training seat-network`` makes the file.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated, Any

from quoridor_net.engine.board.moves import SEATS
from quoridor_net.jit.arrays import Numbers, NumberTable

UNITS = 32
#: Activation of a saturated unit, and the integer for a weight of 1.
ONE = 512

#: Maximum values of the features; larger ones count as these.
LONGEST = 24
#: Stands for the distance of a seat that is out of the game.
OUT = LONGEST + 1
MOST_WALLS = 10
MOST_LEAD = 8
MOST_RIVAL_WALLS = 12
MOST_GAIN = 8

# First columns of each kind: distance and walls of each seat, the own seat first; turn, the own seat first;
# lead together with the walls of all rivals; number of rivals that are nearer; gain of a wall against each
# seat.
DISTANCES = 0
WALLS = DISTANCES + SEATS * (LONGEST + 2)
TURNS = WALLS + SEATS * (MOST_WALLS + 1)
LEADS = TURNS + SEATS
AHEAD = LEADS + (2 * MOST_LEAD + 1) * (MOST_RIVAL_WALLS + 1)
GAINS = AHEAD + SEATS
COLUMNS = GAINS + SEATS * (MOST_GAIN + 1)
#: Number of columns that a seat adds up.
FEATURES = 3 * SEATS + 3


class SeatNetwork:
    """The columns and weights of the network."""

    columns: Annotated[NumberTable, COLUMNS, UNITS]
    output: Annotated[Numbers, UNITS]
    #: Space to work in: the hidden layer.
    active: Annotated[Numbers, UNITS]


@cache
def _load_shipped() -> dict[str, Any]:
    """Return the arrays of the file by name."""
    import numpy as np

    with resources.files(__package__).joinpath("network.npz").open("rb") as file, np.load(file) as found:
        return {name: found[name] for name in found.files}


def load_network(net: SeatNetwork) -> None:
    """Write the arrays of the file to the record."""
    found = _load_shipped()
    net.columns[:] = found["columns"]
    net.output[:] = found["output"]
