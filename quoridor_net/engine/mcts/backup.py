"""Kernel: backup, the last part of a playout, which adds its value to all edges and nodes of its path.

As in MCTS-Solver, a node is proven if one of its moves is a proven win, or all are proven losses.
"""

from __future__ import annotations

from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.tree import (
    ALL,
    CERTAIN,
    FINAL,
    NO_NODE,
    NOT_ENOUGH,
    Node,
    Playout,
    Tree,
    edge_at,
    int64,
    lock_node,
    loss_of,
    mean,
    node_at,
    unlock_node,
)


@kernel
def _prove_value(tree: Tree, node: Node, value: float) -> float:
    """Return the proven value of ``node`` given the final ``value`` of one of its edges; 0 if unproven."""
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
def _visits_and_mean(tree: Tree, number: int) -> tuple[int, float]:
    """Return the visits of a node and their mean."""
    node = node_at(tree.nodes, number)
    lock_node(node, tree.is_shared)
    visits, value = int64(node.visits), mean(node)
    unlock_node(node)
    return visits, value


@kernel
def backup(tree: Tree, playout: Playout, ply: int, value: float) -> None:
    """Add ``value``, that of the last edge, to the path of a playout up to ``ply``.

    It counts as ``multivisit`` visits. Proofs are recorded.
    """
    visits = playout.multivisit
    is_proven = False
    # The node updated last: the next one down the path.
    below = int64(NO_NODE)
    below_visits = int64(0)
    below_mean = 0.0
    while ply >= 0:
        node = node_at(tree.nodes, playout.path_nodes[ply])
        lock_node(node, tree.is_shared)
        number = playout.path_edges[ply]
        gain = value * visits
        if number >= 0:
            edge = edge_at(tree.edges, number)
            if is_proven:
                edge.child = FINAL
                edge.value_sum = value * edge.visits
            if tree.is_shared:
                edge.in_flight -= 1
                if not is_proven and edge.child == FINAL and edge.visits > 0:
                    # Another thread has proven the edge in the meantime.
                    value = edge.value_sum / edge.visits
                    gain = value * visits
            if playout.is_final and edge.visits == 0:
                edge.child = FINAL
            playout.is_final = 0
            if edge.child >= 0:
                # Other paths may have reached the child since the last visit of this edge.
                if edge.child != below:
                    below_visits, below_mean = _visits_and_mean(tree, int64(edge.child))
                if tree.is_shared and below_visits >= edge.visits:
                    # The child counts a visit before the edge does, so other threads may have taken these
                    # visits for those of other paths. (A child created late, when memory ran short, has fewer
                    # visits than its edge anyway.)
                    visits = min(visits, below_visits - edge.visits)
                gain = -below_mean * (edge.visits + visits) - edge.value_sum
            edge.visits += visits
            edge.value_sum += gain
            is_proven = False
            if edge.child == FINAL:
                proven = _prove_value(tree, node, value)
                if proven != 0.0:
                    is_proven = True
                    value = proven
        if node.is_proven and not is_proven and tree.is_shared:
            is_proven = True
            value = mean(node)
        node.visits += visits
        node.value_sum += gain
        if is_proven:
            node.is_proven = 1
            node.value_sum = value * node.visits
        below, below_visits, below_mean = playout.path_nodes[ply], int64(node.visits), mean(node)
        unlock_node(node)
        value = -value
        ply -= 1


@kernel
def is_root_proven(tree: Tree) -> bool:
    """Return whether the root has a proven win, or nothing but proven losses."""
    root = node_at(tree.nodes, 0)
    lock_node(root, tree.is_shared)
    is_proven = loss_of(tree, root) < 0.0
    for number in range(root.first_edge, root.first_edge + root.edge_count):
        edge = edge_at(tree.edges, number)
        if edge.child == FINAL and edge.value_sum > CERTAIN * edge.visits:
            is_proven = True
            break
    unlock_node(root)
    return is_proven
