"""Kernel: the features of a position, numbered as the rows of the network's tables are.

Each is seen from the *perspective* of a seat: on a board turned round for seat 1.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import Frame
from quoridor_net.engine.evaluation.network import (
    BOARD_SIZE,
    BOARD_SQUARES,
    DISTANCES,
    LEADS,
    MOST_LEAD,
    PAWN_OFFSETS,
    WALL_BUCKET_STARTS,
    WALL_BUCKETS,
    WALL_COUNTS,
    WALL_OFFSETS,
)
from quoridor_net.engine.jit import kernel

#: A square or anchor in the middle of a board of 16 by 16, so that differences tell where things lie.
_MIDDLE = 8 * WALL_OFFSETS + 8


@kernel
def row_of(number: int) -> int:
    """Return the row of a square or anchor, without a division."""
    return number * 57 >> 9


@kernel
def wall_number(perspective: int, move: int) -> int:
    """Return the number of the wall ``move`` as ``perspective`` sees it."""
    if perspective == 0:
        return move - HORIZONTAL
    base = HORIZONTAL if move < VERTICAL else VERTICAL
    return 2 * base - HORIZONTAL + (BOARD_SQUARES - 2 - BOARD_SIZE) - move


@kernel
def relative_wall(perspective: int, square: int, move: int) -> int:
    """Return where the wall ``move`` lies for a pawn on ``square``: a number below RELATIVE_WALLS."""
    if move < VERTICAL:
        first, anchor = 0, move - HORIZONTAL
    else:
        first, anchor = WALL_OFFSETS * WALL_OFFSETS, move - VERTICAL
    # Both as if the board had 16 columns.
    offset = anchor - square + (WALL_OFFSETS - BOARD_SIZE) * (row_of(anchor) - row_of(square))
    # On a board turned round, the anchor is the square on the far side of the wall's middle.
    return first + _MIDDLE + (-offset - WALL_OFFSETS - 1 if perspective else offset)


@kernel
def pawn_offset(own: int, other: int) -> int:
    """Return where the square ``other`` lies from ``own``: a number below PAWN_OFFSETS * PAWN_OFFSETS."""
    down = row_of(other) - row_of(own)
    return (down + BOARD_SIZE - 1) * PAWN_OFFSETS + other - own - BOARD_SIZE * down + BOARD_SIZE - 1


@kernel
def both_distances(frame: Frame, perspective: int) -> int:
    """Return the number of both distances together."""
    own, other = frame.distances[perspective], frame.distances[1 - perspective]
    return DISTANCES * min(own, DISTANCES - 1) + min(other, DISTANCES - 1)


@kernel
def both_walls_left(frame: Frame, perspective: int) -> int:
    """Return the number of the walls that both have left."""
    own, other = frame.walls_left[perspective], frame.walls_left[1 - perspective]
    return WALL_COUNTS * min(own, WALL_COUNTS - 1) + min(other, WALL_COUNTS - 1)


@kernel
def value_bucket(frame: Frame, perspective: int) -> int:
    """Return which value head fits: by the walls left of both, and the lead in steps of ``perspective``."""
    own = other = 0
    for least in WALL_BUCKET_STARTS:
        own += frame.walls_left[perspective] >= least
        other += frame.walls_left[1 - perspective] >= least
    lead = min(frame.distances[1 - perspective], DISTANCES - 1) - min(
        frame.distances[perspective], DISTANCES - 1
    )
    return LEADS * (WALL_BUCKETS * own + other) + min(max(lead, -MOST_LEAD), MOST_LEAD) + MOST_LEAD
