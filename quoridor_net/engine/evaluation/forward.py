"""Kernel: the forward pass, from the accumulator through the units to the value."""

from __future__ import annotations

from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation.features import (
    both_distances,
    both_walls_left,
    pawn_offset,
    value_bucket,
)
from quoridor_net.engine.evaluation.network import ONE, Network
from quoridor_net.engine.evaluation.simd import activate, add, dot
from quoridor_net.engine.evaluation.threats import find_threats
from quoridor_net.engine.jit import kernel


@kernel
def forward(state: SearchState, net: Network, ply: int) -> None:
    """Find the threats, and compute the units of the seat to move at ``ply``.

    The accumulator must be up to date for that seat. Its ``active`` receives the units, for both heads.
    """
    find_threats(state, ply)
    frame = state.frames[ply]
    perspective = frame.turn
    own, other = frame.pawns[perspective], frame.pawns[1 - perspective]
    if perspective:
        own, other = net.last_square - own, net.last_square - other
    sums = net.accumulators[ply]
    to_rival, to_own = state.threats[ply, 1 - perspective], state.threats[ply, perspective]
    add(
        sums.threats,
        net.rival_gain[to_rival.gain],
        net.rival_net[to_rival.net_gain],
        net.rival_count[to_rival.strong],
        net.own_gain[to_own.gain],
        net.own_net[to_own.net_gain],
        net.own_count[to_own.strong],
    )
    activate(
        sums.active,
        net.accumulators[frame.wall_ply].walls[perspective],
        net.accumulators[frame.wall_sum_ply[perspective]].walls_by_own[perspective],
        net.accumulators[frame.wall_sum_ply[1 - perspective]].walls_by_other[perspective],
        sums.threats,
        net.own_pawn[own],
        net.other_pawn[other],
        net.pawn_offsets[pawn_offset(net, own, other)],
        net.distances[both_distances(frame, perspective)],
        net.walls_left[both_walls_left(frame, perspective)],
    )


@kernel
def value(state: SearchState, net: Network, ply: int) -> int:
    """Return the network's part of the score of the seat to move at ``ply``, in hundredths of a step."""
    frame = state.frames[ply]
    return dot(net.accumulators[ply].active, net.value[value_bucket(frame, frame.turn)]) // ONE
