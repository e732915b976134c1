"""Kernel: selection of the edge to visit next (PUCT, by the chance of the seat to move)."""

from __future__ import annotations

import math

from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.styles import SEARCHER
from quoridor_net.engine.maxn.tree import MaxNNode, MaxNTree, edge_at, int64, is_loss, node_at

_NONE = -1e9


@kernel
def select(state: SearchState, tree: MaxNTree, node: MaxNNode) -> int:
    """Return the number of the edge of ``node`` to visit next, or -1 if it has none.

    ::

        score = r * Q + c * sqrt(N) * P / (1 + n)

    where P is the prior of the edge, n its visits, Q its mean value for the seat to move, and N the visits of
    the node. The rationality r is 1 for the seat that the search is for. For a rival it is the probability
    that the rival looks ahead; the moves of other rivals depend on the prior alone. Without visits, Q is a
    little less than that of the node (FPU). Of the edges without visits only the first is scored, because its
    prior is the largest.

    A proven loss is selected only if nothing else is left, so that the other moves are tried until the node
    is proven, too. The exception is the loss of a rival to another: few players see what only a search
    proves. A search that expects all to see it leaves it to them to stop a player that is about to win.

    Beyond a number of visits c grows with sqrt(N). The visits then converge not to the best edge alone but to
    the maximum of Q minus a fixed penalty for leaving the prior (Grill et al., "Monte-Carlo Tree Search as
    Regularized Policy Optimization", 2020). So more visits do not make a rival's reply more certain than its
    prior, and a plan that works only against the likeliest reply does not attract all visits.
    """
    seat = node.turn
    rationality = 1.0 if seat == state.root_seat else tree.opponents.shares[seat, SEARCHER]
    factor = state.weights.maxn_cpuct / 100.0 * math.sqrt(float(node.visits))
    if node.visits > state.weights.maxn_cpuct_visits:
        factor *= math.sqrt(float(node.visits) / state.weights.maxn_cpuct_visits)
    fpu = rationality * (node.sums[seat] / node.visits - state.weights.maxn_fpu_reduction / 100.0)
    best = lost = -1
    most = _NONE
    is_first = True
    for number in range(node.first_edge, node.first_edge + node.edge_count):
        edge = edge_at(tree.edges, number)
        if edge.child < 0:
            if is_first and fpu + factor * edge.prior > most:
                most = fpu + factor * edge.prior
                best = number
            is_first = False
            continue
        child = node_at(tree.nodes, edge.child)
        if is_loss(child, int64(seat)) and state.root_seat in (seat, child.winner):
            if lost < 0:
                lost = number
            continue
        score = rationality * child.sums[seat] / child.visits + factor * edge.prior / (1 + child.visits)
        if score > most:
            most = score
            best = number
    return best if best >= 0 else lost


@kernel
def is_lost(tree: MaxNTree, node: MaxNNode) -> bool:
    """Return whether all edges of ``node`` are proven losses of the seat that moves."""
    for number in range(node.first_edge, node.first_edge + node.edge_count):
        child = edge_at(tree.edges, number).child
        if child < 0 or not is_loss(node_at(tree.nodes, child), int64(node.turn)):
            return False
    return True
