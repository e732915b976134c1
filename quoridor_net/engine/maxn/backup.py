"""Kernel: backup, the last part of a playout, which adds its vector to all nodes of the path.

As in MCTS-Solver, a node is proven if one of its moves is a proven win for the seat to move, or if all its
moves are proven wins for the same other seat.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.tree import NOBODY, MaxNNode, MaxNTree, edge_at, node_at


@kernel
def _prove(tree: MaxNTree, node: MaxNNode, child: MaxNNode) -> bool:
    """Set the winner of ``node`` if the winner of ``child`` proves it; return whether it does."""
    if child.winner == node.turn:
        node.winner = child.winner
        node.plies = child.plies + 1
        return True
    if not node.is_whole:
        return False
    plies = 0
    for number in range(node.first_edge, node.first_edge + node.edge_count):
        other = edge_at(tree.edges, number).child
        if other < 0 or node_at(tree.nodes, other).winner != child.winner:
            return False
        plies = max(plies, node_at(tree.nodes, other).plies + 1)
    node.winner = child.winner
    node.plies = plies
    return True


@kernel
def backup(tree: MaxNTree, ply: int) -> None:
    """Add the vector ``tree.value`` to the nodes of the path up to ``ply``; the last may have a winner.

    When a node is proven, all its visits get the vector of its winner, and the nodes above it get the
    difference.
    """
    is_proven = node_at(tree.nodes, tree.path[ply]).winner != NOBODY
    depth = ply
    while depth >= 0:
        node = node_at(tree.nodes, tree.path[depth])
        node.visits += 1
        if depth < ply:
            is_proven = (
                is_proven
                and node.winner == NOBODY
                and _prove(tree, node, node_at(tree.nodes, tree.path[depth + 1]))
            )
        if is_proven:
            for seat in range(SEATS):
                share = float(node.visits) if seat == node.winner else 0.0
                tree.value[seat] = share - node.sums[seat]
        for seat in range(SEATS):
            node.sums[seat] += tree.value[seat]
        depth -= 1
