"""Kernel: static evaluation of positions with two players."""

from __future__ import annotations

from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation.accumulator import update
from quoridor_net.engine.evaluation.forward import forward, value
from quoridor_net.engine.evaluation.linear import measure
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.evaluation.weights import TERM_COUNT, WALLS_VALUED
from quoridor_net.engine.jit import kernel


@kernel
def evaluate(state: SearchState, net: Network, ply: int) -> int:
    """Return the score of the seat to move."""
    if state.has_network:
        update(state, net, ply, state.frames[ply].turn)
        forward(state, net, ply)
    return evaluate_active(state, net, ply)


@kernel
def evaluate_active(state: SearchState, net: Network, ply: int) -> int:
    """Return the score of the seat to move.

    If the network is used, its forward pass at ``ply`` is already done.
    """
    frame, weights = state.frames[ply], state.weights
    seat = frame.turn
    learned = value(state, net, ply) if state.has_network else 0
    measure(state, ply)
    own_walls = min(frame.walls_left[seat], WALLS_VALUED)
    other_walls = min(frame.walls_left[1 - seat], WALLS_VALUED)
    score = 0
    for term in range(TERM_COUNT):
        score += state.terms[term] * weights.terms[term]
    return learned + score // 16 + weights.walls[own_walls] - weights.walls[other_walls]
