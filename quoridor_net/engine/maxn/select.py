"""Kernel: selection: which edge of a node is visited next (PUCT, by the chance of the seat to move)."""

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

    with the prior P, the visits n and the mean value Q of the edge to the seat that moves, and the visits N
    of the node. The rationality r is 1 for the seat that the search is for, and for a rival how surely it is
    one that looks ahead: what the others do only the prior tells. Without visits Q is a little less than that
    of the node (FPU); of such edges the first, whose prior is the largest, is as good as any. Proven losses
    are for when nothing else is left.

    Beyond some visits c grows with sqrt(N). The visits then settle where Q less a fixed penalty for leaving
    the prior is greatest (Grill et al., "Monte-Carlo Tree Search as Regularized Policy Optimization", 2020),
    and not on the best edge alone. More visits then do not make the replies of rivals surer than the prior
    says, and a plan that works against the likeliest reply alone does not take all visits.
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
        if is_loss(child, int64(seat)):
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
