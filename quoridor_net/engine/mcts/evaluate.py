"""Kernel: the value of a playout's leaf, proven if possible, otherwise from the network."""

from __future__ import annotations

from quoridor_net.engine.board.distances import is_goal
from quoridor_net.engine.board.moves import HORIZONTAL
from quoridor_net.engine.board.repetition import is_repeated
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.endgame.race import can_win, race_score
from quoridor_net.engine.evaluation.accumulator import refresh_perspective
from quoridor_net.engine.evaluation.evaluate import evaluate_active
from quoridor_net.engine.evaluation.forward import forward
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.stack import flood_leaf
from quoridor_net.engine.mcts.tree import Playout, value_of
from quoridor_net.engine.scores import WIN


@kernel
def is_decided(state: SearchState, ply: int) -> bool:
    """Return whether distances decide the race at ``ply``, or the next move wins."""
    frame = state.frames[ply]
    if frame.walls_left[0] + frame.walls_left[1] == 0:
        return True
    return race_score(state, ply) != 0 or can_win(state, frame)


@kernel
def evaluate_leaf(state: SearchState, net: Network, playout: Playout, ply: int) -> float:
    """Return the value of the position pushed to ``ply``, for the seat that made the last move.

    The playout receives whether the value is final, and whether the move was illegal because it cuts a pawn
    off.
    """
    frame = state.frames[ply]
    playout.is_final = 1
    if frame.move < HORIZONTAL and is_goal(state, state.frames[ply - 1].turn, frame.move):
        return value_of(WIN - ply)
    if not flood_leaf(state, ply):
        playout.is_illegal = 1
        return 0.0
    if is_repeated(state, ply):
        return 0.0
    if can_win(state, frame):
        return value_of(ply + 1 - WIN)
    known = race_score(state, ply)
    if known != 0:
        return -value_of(known)
    playout.is_final = 0
    refresh_perspective(state, net, ply, frame.turn)
    forward(state, net, ply)
    return -value_of(evaluate_active(state, net, ply))
