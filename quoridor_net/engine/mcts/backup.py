"""Kernel: backup, the last part of a playout: its value is added to all edges and nodes of its path.

With MCTS-Solver: a node with a proven win is proven, and so is one all of whose moves are proven losses.
"""

from __future__ import annotations

from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.tree import (
    ALL,
    CERTAIN,
    FINAL,
    NOT_ENOUGH,
    Node,
    Tree,
    edge_at,
    loss_of,
    mean,
    node_at,
)


@kernel
def _proven_value(tree: Tree, node: Node, value: float) -> float:
    """Return the proven value of ``node``, one of whose edges has the proven ``value``; 0 if it has none."""
    if value > CERTAIN:
        return value
    if value >= -CERTAIN:
        return 0.0
    loss = loss_of(tree, node)
    if loss < 0.0 and node.coverage != ALL:
        # A wall that was left out might still help.
        node.coverage = NOT_ENOUGH
        return 0.0
    return loss


@kernel
def backup(tree: Tree, ply: int, value: float) -> None:
    """Tell the path of a playout up to ``ply`` that its last edge was found to be worth ``value``.

    That counts as ``multivisit`` visits. What it proves is noted.
    """
    visits = tree.multivisit
    is_proven = False
    while ply >= 0:
        node = node_at(tree.nodes, tree.path_nodes[ply])
        number = tree.path_edges[ply]
        gain = value * visits
        if number >= 0:
            edge = edge_at(tree.edges, number)
            if is_proven:
                edge.child = FINAL
                edge.value_sum = value * edge.visits
            edge.visits += visits
            if edge.child >= 0:
                # Other paths may have led to the child since this one did last.
                gain = -mean(node_at(tree.nodes, edge.child)) * edge.visits - edge.value_sum
            edge.value_sum += gain
            is_proven = False
            if edge.child == FINAL:
                proven = _proven_value(tree, node, value)
                if proven != 0.0:
                    is_proven = True
                    value = proven
        node.visits += visits
        node.value_sum += gain
        if is_proven:
            node.is_proven = 1
            node.value_sum = value * node.visits
        value = -value
        ply -= 1
