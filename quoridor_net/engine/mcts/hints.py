"""Kernel: hints, the best moves that principal variation search found, put into the tree."""

from __future__ import annotations

from quoridor_net.engine.board.movegen import generate_moves
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.expand import complete
from quoridor_net.engine.mcts.stack import push, refresh
from quoridor_net.engine.mcts.tree import (
    FINAL,
    NO_NODE,
    Edge,
    Node,
    Tree,
    clear_cache,
    edge_at,
    find_edge,
    int64,
    lock_node,
    node_at,
    swap_unvisited,
    unlock_node,
    value_of,
)
from quoridor_net.engine.scores import PROVEN


@kernel
def advance_root(state: SearchState, net: Network, move: int) -> None:
    """Make the position after ``move`` the first frame, and its pseudo-legal moves the root moves."""
    root = int64(0)
    push(state, root, move)
    state.frames[root] = state.frames[root + 1]
    state.past_count += 1
    state.root_count = generate_moves(state, root)
    for index in range(state.root_count):
        state.root_moves[index] = state.lists[root].moves[index]
    refresh(state, net, root)


@kernel
def _bring_forward(tree: Tree, node: Node, number: int) -> None:
    """Move an edge to the front of the unvisited edges; an edge in flight stays in place."""
    if edge_at(tree.edges, number).in_flight > 0:
        return
    for other in range(node.first_edge, number):
        edge = edge_at(tree.edges, other)
        if edge.move >= 0 and edge.visits == 0 and edge.in_flight == 0:
            swap_unvisited(edge, edge_at(tree.edges, number))
            node.sorted_count = max(node.sorted_count, other - node.first_edge + 1)
            return


@kernel
def _prove(node: Node, edge: Edge, value: float) -> None:
    """Mark ``edge`` as a win at ``node``, so that later playouts back it up on all paths."""
    clear_cache(node)
    if edge.visits == 0:
        edge.visits = 1
        node.visits += 1
    edge.child = FINAL
    edge.value_sum = value * edge.visits
    node.is_proven = 1
    node.value_sum = value * node.visits


@kernel
def _raise_prior(tree: Tree, node: Node, number: int, least: float) -> None:
    """Raise the prior of an edge of ``node`` to ``least``; if unvisited, put it before the others."""
    clear_cache(node)
    edge = edge_at(tree.edges, number)
    prior = edge.prior
    if prior >= least:
        return
    rest = (1.0 - least) / (1.0 - prior)
    for other in range(node.first_edge, node.first_edge + node.edge_count):
        edge_at(tree.edges, other).prior *= rest
    edge.prior = least
    if edge.visits == 0:
        _bring_forward(tree, node, number)


@kernel
def _replace_child(tree: Tree, parent_edge: int, old_number: int, number: int) -> None:
    """Point an edge of the root to the node that replaces its old one."""
    if number == old_number:
        return
    root = node_at(tree.nodes, int64(0))
    lock_node(root, tree.is_shared)
    edge = edge_at(tree.edges, parent_edge)
    if edge.child == old_number:
        edge.child = number
    unlock_node(root)


@kernel
def give_hint(
    state: SearchState, net: Network, tree: Tree, number: int, parent_edge: int, move: int, score: int
) -> None:
    """Raise the prior of the best ``move`` at a node, whose position is in the first frame.

    If the move was left out, it is added if there is room. If its score proves a win, the win is recorded.

    Args:
        state: state with the position.
        net: the network.
        tree: the tree.
        number: number of the node: the root, or the child of one of its edges.
        parent_edge: the number of that edge, -1 for the root.
        move: the best move.
        score: its score, with plies counted from the node.
    """
    node = node_at(tree.nodes, number)
    lock_node(node, tree.is_shared)
    edge = find_edge(tree, number, move)
    if edge < 0:
        unlock_node(node)
        old_number = number
        number = complete(state, net, tree, int64(0), number)
        if number == NO_NODE:
            return
        _replace_child(tree, parent_edge, old_number, number)
        node = node_at(tree.nodes, number)
        lock_node(node, tree.is_shared)
        edge = find_edge(tree, number, move)
    value = value_of(score - 1 if parent_edge >= 0 else score)
    if edge >= 0:
        _raise_prior(tree, node, edge, state.weights.hint_prior / 100.0)
        if score > PROVEN:
            _prove(node, edge_at(tree.edges, find_edge(tree, number, move)), value)
    unlock_node(node)
    if score > PROVEN and parent_edge >= 0:
        root = node_at(tree.nodes, int64(0))
        lock_node(root, tree.is_shared)
        edge_of_root = edge_at(tree.edges, parent_edge)
        edge_of_root.child = FINAL
        edge_of_root.value_sum = -value * edge_of_root.visits
        unlock_node(root)
