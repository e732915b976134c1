"""Kernel: the accumulators of the feature transformer, kept up to date from ply to ply.

The sums of a ply are in its accumulator of the network. A move updates only what it changes: a wall adds one
column to each sum of walls, a step has the walls added up anew as they lie for the pawn that made it. What a
move leaves as it is stays in the accumulator of an earlier ply: ``frame.wall_ply`` says which one holds the
walls, and ``frame.wall_sum_ply`` which one the walls as seen from each pawn.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import HORIZONTAL
from quoridor_net.engine.board.state import State
from quoridor_net.engine.evaluation.features import relative_wall, wall_number
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.evaluation.simd import add, clear
from quoridor_net.engine.jit import kernel
from quoridor_net.jit.arrays import Numbers, NumberTable


@kernel
def _sum_walls(state: State, total: int, view: int, square: int, table: NumberTable, to: Numbers) -> None:
    """Add up the columns of the first ``total`` walls as they lie for a pawn on ``square``.

    Four at a time, so that the sum is read and written less often.
    """
    clear(to)
    in_fours = total - total % 4
    for first in range(0, in_fours, 4):
        add(
            to,
            to,
            table[relative_wall(view, square, state.placed[first])],
            table[relative_wall(view, square, state.placed[first + 1])],
            table[relative_wall(view, square, state.placed[first + 2])],
            table[relative_wall(view, square, state.placed[first + 3])],
        )
    for index in range(in_fours, total):
        add(to, to, table[relative_wall(view, square, state.placed[index])])


@kernel
def refresh(state: State, net: Network, ply: int) -> None:
    """Add up everything at ``ply``, whatever was added up before."""
    frame = state.frames[ply]
    sums = net.accumulators[ply]
    for view in range(2):
        base = sums.base[view]
        clear(base)
        for index in range(frame.wall_count):
            add(base, base, net.walls[wall_number(view, state.placed[index])])
        own, other = frame.pawns[view], frame.pawns[1 - view]
        _sum_walls(state, frame.wall_count, view, own, net.walls_by_own, sums.own_view[view])
        _sum_walls(state, frame.wall_count, view, other, net.walls_by_other, sums.other_view[view])
    frame.wall_ply = ply
    frame.wall_sum_ply[0] = frame.wall_sum_ply[1] = ply


@kernel
def update(state: State, net: Network, ply: int, view: int) -> None:
    """Bring what ``view`` sees at ``ply``, not the first, up to date from the ply before."""
    before, frame = state.frames[ply - 1], state.frames[ply]
    sums = net.accumulators[ply]
    move = frame.move
    if move >= HORIZONTAL:
        known = net.accumulators[before.wall_ply].base[view]
        add(sums.base[view], known, net.walls[wall_number(view, move)])
        known = net.accumulators[before.wall_sum_ply[view]].own_view[view]
        seen = relative_wall(view, frame.pawns[view], move)
        add(sums.own_view[view], known, net.walls_by_own[seen])
        known = net.accumulators[before.wall_sum_ply[1 - view]].other_view[view]
        seen = relative_wall(view, frame.pawns[1 - view], move)
        add(sums.other_view[view], known, net.walls_by_other[seen])
    elif move >= 0:
        if before.turn == view:
            _sum_walls(state, frame.wall_count, view, move, net.walls_by_own, sums.own_view[view])
        else:
            _sum_walls(state, frame.wall_count, view, move, net.walls_by_other, sums.other_view[view])
