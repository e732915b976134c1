"""Kernel: the accumulators of the feature transformer, kept up to date from ply to ply.

The network has an accumulator for each ply. A wall adds one column to each sum of walls. A step moves a pawn,
so the sum of the walls relative to that pawn is recomputed. Sums that a move does not change stay in the
accumulator of an earlier ply: ``frame.wall_ply`` is the ply that holds the walls, and ``frame.wall_sum_ply``
the ply that holds the walls as seen from each pawn.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import HORIZONTAL
from quoridor_net.engine.board.state import Frame, SearchState
from quoridor_net.engine.evaluation.features import relative_wall, wall_number
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.evaluation.simd import add, clear
from quoridor_net.engine.jit import kernel
from quoridor_net.jit.arrays import Numbers, NumberTable


@kernel
def _sum_walls(
    state: SearchState,
    net: Network,
    frame: Frame,
    perspective: int,
    square: int,
    table: NumberTable,
    to: Numbers,
) -> None:
    """Write the sum of the columns of all walls in ``frame``, relative to a pawn on ``square``.

    Add four at a time, so that the sum is read and written less often.
    """
    clear(to)
    place = net.places[square]
    total = frame.wall_count
    in_fours = total - total % 4
    for first in range(0, in_fours, 4):
        add(
            to,
            to,
            table[relative_wall(net, perspective, place, state.placed[first])],
            table[relative_wall(net, perspective, place, state.placed[first + 1])],
            table[relative_wall(net, perspective, place, state.placed[first + 2])],
            table[relative_wall(net, perspective, place, state.placed[first + 3])],
        )
    for index in range(in_fours, total):
        add(to, to, table[relative_wall(net, perspective, place, state.placed[index])])


@kernel
def refresh_perspective(state: SearchState, net: Network, ply: int, perspective: int) -> None:
    """Recompute the sums of ``perspective`` at ``ply`` from scratch.

    The accumulator of the next ply can be updated from this one only if both perspectives are refreshed.
    """
    frame = state.frames[ply]
    sums = net.accumulators[ply]
    walls = sums.walls[perspective]
    clear(walls)
    for index in range(frame.wall_count):
        add(walls, walls, net.walls[wall_number(net, perspective, state.placed[index])])
    own, other = frame.pawns[perspective], frame.pawns[1 - perspective]
    _sum_walls(state, net, frame, perspective, own, net.walls_by_own, sums.walls_by_own[perspective])
    _sum_walls(state, net, frame, perspective, other, net.walls_by_other, sums.walls_by_other[perspective])
    frame.wall_ply = ply
    frame.wall_sum_ply[0] = frame.wall_sum_ply[1] = ply


@kernel
def refresh(state: SearchState, net: Network, ply: int) -> None:
    """Recompute the sums of both perspectives at ``ply`` from scratch."""
    for perspective in range(2):
        refresh_perspective(state, net, ply, perspective)


@kernel
def update(state: SearchState, net: Network, ply: int, perspective: int) -> None:
    """Update the sums of ``perspective`` at ``ply``, which is not the first, from the previous ply."""
    before, frame = state.frames[ply - 1], state.frames[ply]
    sums = net.accumulators[ply]
    move = frame.move
    if move >= HORIZONTAL:
        known = net.accumulators[before.wall_ply].walls[perspective]
        add(sums.walls[perspective], known, net.walls[wall_number(net, perspective, move)])
        known = net.accumulators[before.wall_sum_ply[perspective]].walls_by_own[perspective]
        seen = relative_wall(net, perspective, net.places[frame.pawns[perspective]], move)
        add(sums.walls_by_own[perspective], known, net.walls_by_own[seen])
        known = net.accumulators[before.wall_sum_ply[1 - perspective]].walls_by_other[perspective]
        seen = relative_wall(net, perspective, net.places[frame.pawns[1 - perspective]], move)
        add(sums.walls_by_other[perspective], known, net.walls_by_other[seen])
    elif move >= 0:
        if before.turn == perspective:
            _sum_walls(state, net, frame, perspective, move, net.walls_by_own, sums.walls_by_own[perspective])
        else:
            _sum_walls(
                state,
                net,
                frame,
                perspective,
                move,
                net.walls_by_other,
                sums.walls_by_other[perspective],
            )
