"""Kernel: rerooting, which turns the subtree of the moves played into the tree of the next search."""

from __future__ import annotations

from quoridor_net.engine.alphabeta.node import is_interrupted
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.tree import (
    CERTAIN,
    FINAL,
    SCORE_UNITS,
    Playout,
    Tree,
    clear,
    clear_index,
    copy_edge,
    copy_node,
    edge_at,
    index_node,
    mean,
    node_at,
    number_at,
)

# Marks in place of the new number plus 1: for nodes to drop, and for kept nodes before they get their number.
_GOES = 0
_STAYS = 1


@kernel
def _mark(state: SearchState, tree: Tree, playout: Playout, root: int) -> None:
    """Mark in ``new_numbers`` the nodes below ``root``, which are kept, unless the search is interrupted."""
    for number in range(tree.node_count):
        number_at(tree.new_numbers, number).plus_one = _GOES
    number_at(tree.new_numbers, root).plus_one = _STAYS
    depth = 0
    # The path serves as the stack of a depth-first search; edges are counted from the first of their node.
    playout.path_nodes[0], playout.path_edges[0] = root, 0
    while depth >= 0 and not is_interrupted(state):
        node = node_at(tree.nodes, playout.path_nodes[depth])
        index = playout.path_edges[depth]
        if index == node.edge_count:
            depth -= 1
            continue
        playout.path_edges[depth] += 1
        child = edge_at(tree.edges, node.first_edge + index).child
        if child >= 0 and number_at(tree.new_numbers, child).plus_one == _GOES:
            number_at(tree.new_numbers, child).plus_one = _STAYS
            depth += 1
            playout.path_nodes[depth], playout.path_edges[depth] = child, 0


@kernel
def _nearer(value: float, plies: int) -> float:
    """Return a value as seen ``plies`` later: proven wins and losses are nearer by that many plies."""
    if value > CERTAIN:
        return value + plies / SCORE_UNITS
    return value - plies / SCORE_UNITS if value < -CERTAIN else value


@kernel
def _move_node(tree: Tree, old_number: int, new_number: int, first_edge: int, plies: int) -> int:
    """Move a node and its edges to their new numbers; return the number after its last edge."""
    old, node = node_at(tree.nodes, old_number), node_at(tree.nodes, new_number)
    first, end = old.first_edge, old.first_edge + old.edge_count
    copy_node(node, old)
    node.first_edge = first_edge
    if node.is_proven:
        node.value_sum = node.visits * _nearer(mean(node), plies)
    for number in range(first, end):
        edge = edge_at(tree.edges, first_edge)
        copy_edge(edge, edge_at(tree.edges, number))
        if edge.child == FINAL:
            edge.value_sum = edge.visits * _nearer(edge.value_sum / edge.visits, plies)
        first_edge += 1
    return first_edge


@kernel
def reroot(state: SearchState, tree: Tree, playout: Playout, root: int, plies: int) -> None:
    """Make ``root``, a node ``plies`` below the root, the new root; keep only its subtree.

    The new root becomes the first node. The other nodes, and all edges, keep their order. Because the old
    root is dropped, all can move to lower numbers in that order. This takes some tenths of a second for
    millions of edges; a stop meanwhile leaves an empty tree.
    """
    _mark(state, tree, playout, root)
    if is_interrupted(state):
        clear(tree)
        return
    clear_index(tree)
    edge_count = 0
    node_count = 1
    for number in range(1, tree.node_count):
        if is_interrupted(state):
            break
        new_number = number_at(tree.new_numbers, number)
        if new_number.plus_one == _GOES:
            continue
        if number != root:
            node_count += 1
            new_number.plus_one = node_count
        edge_count = _move_node(tree, number, new_number.plus_one - 1, edge_count, plies)
    for number in range(edge_count):
        if is_interrupted(state):
            break
        edge = edge_at(tree.edges, number)
        if edge.child >= 0:
            edge.child = number_at(tree.new_numbers, edge.child).plus_one - 1
    if is_interrupted(state):
        tree.node_count = tree.edge_count = 0
        return
    tree.node_count = node_count
    tree.edge_count = edge_count
    # Of two nodes with the same key, the later one replaced the other and must be found first.
    for number in range(node_count - 1, -1, -1):
        index_node(tree, number)
