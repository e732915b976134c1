"""Kernel: the features of a position, numbered as the rows of the network's tables are.

Each is seen from the side of a seat, the *view*: on a board turned round for seat 1.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import Frame
from quoridor_net.engine.evaluation.network import (
    APART,
    CELLS,
    DISTANCES,
    FAR,
    LEADS,
    MOST_LEAD,
    SIDE,
    WALL_BUCKET_STARTS,
    WALL_BUCKETS,
    WALL_COUNTS,
)
from quoridor_net.engine.jit import kernel

#: A square or anchor in the middle of a board of 16 by 16, so that differences tell where things lie.
_MIDDLE = 8 * FAR + 8


@kernel
def row_of(number: int) -> int:
    """Return the row of a square or anchor, without a division."""
    return number * 57 >> 9


@kernel
def wall_number(view: int, move: int) -> int:
    """Return the number of the wall ``move`` as ``view`` sees it."""
    if view == 0:
        return move - HORIZONTAL
    base = HORIZONTAL if move < VERTICAL else VERTICAL
    return 2 * base - HORIZONTAL + (CELLS - 2 - SIDE) - move


@kernel
def relative_wall(view: int, square: int, move: int) -> int:
    """Return where the wall ``move`` lies for a pawn on ``square``: a number below NEAR_WALLS."""
    if move < VERTICAL:
        first, anchor = 0, move - HORIZONTAL
    else:
        first, anchor = FAR * FAR, move - VERTICAL
    # Both as if the board had 16 columns.
    offset = anchor - square + (FAR - SIDE) * (row_of(anchor) - row_of(square))
    # On a board turned round, the anchor is the square on the far side of the wall's middle.
    return first + _MIDDLE + (-offset - FAR - 1 if view else offset)


@kernel
def pawn_offset(own: int, other: int) -> int:
    """Return where the square ``other`` lies from ``own``: a number below APART * APART."""
    down = row_of(other) - row_of(own)
    return (down + SIDE - 1) * APART + other - own - SIDE * down + SIDE - 1


@kernel
def both_distances(frame: Frame, view: int) -> int:
    """Return the number of both distances together."""
    own, other = frame.distances[view], frame.distances[1 - view]
    return DISTANCES * min(own, DISTANCES - 1) + min(other, DISTANCES - 1)


@kernel
def both_walls_left(frame: Frame, view: int) -> int:
    """Return the number of the walls that both have left."""
    own, other = frame.walls_left[view], frame.walls_left[1 - view]
    return WALL_COUNTS * min(own, WALL_COUNTS - 1) + min(other, WALL_COUNTS - 1)


@kernel
def value_bucket(frame: Frame, view: int) -> int:
    """Return which value head fits: by the walls left of both, and by how many steps ``view`` is ahead."""
    own = other = 0
    for least in WALL_BUCKET_STARTS:
        own += frame.walls_left[view] >= least
        other += frame.walls_left[1 - view] >= least
    lead = min(frame.distances[1 - view], DISTANCES - 1) - min(frame.distances[view], DISTANCES - 1)
    return LEADS * (WALL_BUCKETS * own + other) + min(max(lead, -MOST_LEAD), MOST_LEAD) + MOST_LEAD
