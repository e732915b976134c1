"""Kernel: evaluation, what the leaf of a playout is worth: proven if possible, or else by the network."""

from __future__ import annotations

from quoridor_net.engine.board.make import make_move
from quoridor_net.engine.board.moves import ILLEGAL, WINS
from quoridor_net.engine.board.repetition import is_repeated
from quoridor_net.engine.board.state import State
from quoridor_net.engine.endgame.race import can_win, race_score
from quoridor_net.engine.evaluation.evaluate import evaluate
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.tree import Playout, value_of
from quoridor_net.engine.scores import WIN


@kernel
def is_decided(state: State, ply: int) -> bool:
    """Return whether distances decide the race at ``ply``, or the next move wins."""
    frame = state.frames[ply]
    if frame.walls_left[0] + frame.walls_left[1] == 0:
        return True
    return race_score(state, ply) != 0 or can_win(state, frame)


@kernel
def _evaluate_leaf(state: State, net: Network, playout: Playout, ply: int) -> float:
    """Return the value of the position at ``ply`` to the seat that moved there."""
    playout.is_final = 1
    if is_repeated(state, ply):
        return 0.0
    if can_win(state, state.frames[ply]):
        return value_of(ply + 1 - WIN)
    known = race_score(state, ply)
    if known != 0:
        return -value_of(known)
    playout.is_final = 0
    return -value_of(evaluate(state, net, ply))


@kernel
def evaluate_move(state: State, net: Network, playout: Playout, ply: int, move: int) -> float:
    """Make a move that was not made before from ``ply``, and return its value to the seat that moves.

    Whether it is illegal, and whether the value is final, is noted in the playout.
    """
    outcome = make_move(state, ply, move)
    if outcome == ILLEGAL:
        playout.is_illegal = 1
        return 0.0
    if outcome == WINS:
        playout.is_final = 1
        return value_of(WIN - ply - 1)
    state.past[state.past_count + ply + 1] = state.frames[ply + 1].key
    return _evaluate_leaf(state, net, playout, ply + 1)
