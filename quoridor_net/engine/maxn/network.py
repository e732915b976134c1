"""The network for several seats: from the features of a seat to the logit of its chance to win.

::

    features                        hidden layer                          output
    distances, walls, gains ... --- sum of their columns, clipped ReLU --- one logit for each seat

:mod:`quoridor_net.engine.maxn.features` finds the numbers of the columns. All seats share the weights, each
sees the board from its own perspective, and the chances are the softmax of the logits. Columns and weights
are integers of 16 bits, as in the file, and all sums are exact.

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

#: Longer distances, and more walls, count as the longest and the most of these.
LONGEST = 24
#: Instead of a distance, for a seat that is out of the game.
OUT = LONGEST + 1
MOST_WALLS = 10
MOST_LEAD = 8
MOST_RIVAL_WALLS = 12
MOST_GAIN = 8

# Where the columns of each kind begin: of the distance and the walls of each seat, the own first; of whose
# turn it is, from the own on; of each lead, with the walls of all rivals; of how many are nearer; of the gain
# of a wall against each seat.
DISTANCES = 0
WALLS = DISTANCES + SEATS * (LONGEST + 2)
TURNS = WALLS + SEATS * (MOST_WALLS + 1)
LEADS = TURNS + SEATS
AHEAD = LEADS + (2 * MOST_LEAD + 1) * (MOST_RIVAL_WALLS + 1)
GAINS = AHEAD + SEATS
COLUMNS = GAINS + SEATS * (MOST_GAIN + 1)
#: How many columns a seat adds up.
FEATURES = 3 * SEATS + 3


class SeatNetwork:
    """The numbers of the network."""

    columns: Annotated[NumberTable, COLUMNS, UNITS]
    output: Annotated[Numbers, UNITS]
    #: Space to work in: the hidden layer.
    active: Annotated[Numbers, UNITS]


@cache
def _shipped() -> dict[str, Any]:
    """Return the numbers of the file by name."""
    import numpy as np

    with resources.files(__package__).joinpath("network.npz").open("rb") as file, np.load(file) as found:
        return {name: found[name] for name in found.files}


def load_network(net: SeatNetwork) -> None:
    """Write the numbers of the file into the record."""
    found = _shipped()
    net.columns[:] = found["columns"]
    net.output[:] = found["output"]
