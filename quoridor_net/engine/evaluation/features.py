"""Kernel: the features of a position, numbered like the rows of the network's tables.

Each is seen from the *perspective* of a seat: for seat 1 the board is turned round.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import Frame
from quoridor_net.engine.evaluation.network import (
    DISTANCES,
    LEADS,
    MOST_LEAD,
    WALL_BUCKET_STARTS,
    WALL_BUCKETS,
    WALL_COUNTS,
    Network,
)
from quoridor_net.engine.evaluation.places import MIDDLE, OFFSETS
from quoridor_net.engine.jit import kernel


@kernel
def wall_number(net: Network, perspective: int, move: int) -> int:
    """Return the number of the wall ``move`` as ``perspective`` sees it: a number below WALL_NUMBERS."""
    if perspective == 0:
        return move - HORIZONTAL
    base = HORIZONTAL if move < VERTICAL else VERTICAL
    return 2 * base - HORIZONTAL + net.last_anchor - move


@kernel
def relative_wall(net: Network, perspective: int, place: int, move: int) -> int:
    """Return where the wall ``move`` lies for a pawn on the square at ``place``: below RELATIVE_WALLS."""
    if move < VERTICAL:
        first, anchor = 0, move - HORIZONTAL
    else:
        first, anchor = OFFSETS * OFFSETS, move - VERTICAL
    offset = net.places[anchor] - place
    # On a board turned round, the anchor is the square on the far side of the wall's middle.
    return first + MIDDLE + (-offset - OFFSETS - 1 if perspective else offset)


@kernel
def pawn_offset(net: Network, own: int, other: int) -> int:
    """Return where the square ``other`` lies from ``own``: a number below PAWN_OFFSETS."""
    return MIDDLE + net.places[other] - net.places[own]


@kernel
def both_distances(frame: Frame, perspective: int) -> int:
    """Return the number of the feature for this pair of distances."""
    own, other = frame.distances[perspective], frame.distances[1 - perspective]
    return DISTANCES * min(own, DISTANCES - 1) + min(other, DISTANCES - 1)


@kernel
def both_walls_left(frame: Frame, perspective: int) -> int:
    """Return the number of the feature for this pair of counts of walls left."""
    own, other = frame.walls_left[perspective], frame.walls_left[1 - perspective]
    return WALL_COUNTS * min(own, WALL_COUNTS - 1) + min(other, WALL_COUNTS - 1)


@kernel
def value_bucket(frame: Frame, perspective: int) -> int:
    """Return the number of the value head: by both counts of walls left, and the lead in steps."""
    own = other = 0
    for least in WALL_BUCKET_STARTS:
        own += frame.walls_left[perspective] >= least
        other += frame.walls_left[1 - perspective] >= least
    lead = min(frame.distances[1 - perspective], DISTANCES - 1) - min(
        frame.distances[perspective], DISTANCES - 1
    )
    return LEADS * (WALL_BUCKETS * own + other) + min(max(lead, -MOST_LEAD), MOST_LEAD) + MOST_LEAD
