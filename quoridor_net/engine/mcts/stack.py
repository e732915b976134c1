"""Kernel: the stack frames of a playout, filled in as late as possible.

Most positions on a path are known and need no frame. Where one is needed, the moves up to it are pushed
(:func:`push_path`). Only the end of the path needs distances and accumulators (:func:`refresh_mover`).
"""

from __future__ import annotations

from quoridor_net.engine.board.distances import flood_all, flood_to_pawns
from quoridor_net.engine.board.make import push_step, push_wall
from quoridor_net.engine.board.moves import HORIZONTAL
from quoridor_net.engine.board.state import Frame, SearchState
from quoridor_net.engine.evaluation import accumulator
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.tree import Playout


@kernel
def push(state: SearchState, ply: int, move: int) -> None:
    """Push the position after ``move``, which is known to be legal, without its distances."""
    if move < HORIZONTAL:
        push_step(state, ply, move)
    else:
        push_wall(state, ply, move)
    state.past[state.past_count + ply + 1] = state.frames[ply + 1].key


@kernel
def push_path(state: SearchState, playout: Playout, ply: int) -> None:
    """Push the moves of the playout that lead to the frame at ``ply``, except those already pushed."""
    for number in range(playout.pushed_ply, ply):
        push(state, number, playout.path_moves[number])
    playout.pushed_ply = max(playout.pushed_ply, ply)


@kernel
def flood_frame(state: SearchState, ply: int) -> bool:
    """Complete the frame at ``ply`` except for the accumulators; return whether every pawn has a path."""
    _forget_paths(state.frames[ply])
    return flood_all(state, ply)


@kernel
def flood_leaf(state: SearchState, ply: int) -> bool:
    """Complete the frame at ``ply`` as far as its value needs; return whether every pawn has a path."""
    _forget_paths(state.frames[ply])
    return flood_to_pawns(state, ply)


@kernel
def _forget_paths(frame: Frame) -> None:
    """Forget which earlier frames have the same corridors and paths."""
    for seat in range(2):
        frame.corridor_ply[seat] = frame.path_ply[seat] = -1


@kernel
def refresh(state: SearchState, net: Network, ply: int) -> None:
    """Complete the frame at ``ply`` after :func:`push`, for both perspectives."""
    flood_frame(state, ply)
    accumulator.refresh(state, net, ply)


@kernel
def refresh_mover(state: SearchState, net: Network, ply: int) -> None:
    """Complete the frame at ``ply`` for the perspective of the seat to move only.

    No accumulator of a later ply may be updated from this one.
    """
    flood_frame(state, ply)
    accumulator.refresh_perspective(state, net, ply, state.frames[ply].turn)
