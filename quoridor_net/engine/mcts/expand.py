"""Kernel: expansion, which turns a leaf into a node with an edge and a prior for each move.

The priors are the softmax of the policy's logits at the *policy temperature*. Very unlikely walls are left
out until the node has many visits or all its other moves lose (:func:`complete`).
"""

from __future__ import annotations

import math

from quoridor_net.engine.board.bitboard import holds, load
from quoridor_net.engine.board.distances import corridor_of
from quoridor_net.engine.board.movegen import generate_moves
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import MOST_MOVES, Corridor, SearchState
from quoridor_net.engine.evaluation.forward import forward
from quoridor_net.engine.evaluation.network import LOGIT, Network
from quoridor_net.engine.evaluation.policy import find_priors
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.tree import (
    ALL,
    LIKELY,
    NO_NODE,
    NOT_ENOUGH,
    Edge,
    Node,
    Tree,
    clear,
    clear_cache,
    copy_edge,
    copy_node,
    edge_at,
    find_edge,
    find_node,
    index_node,
    int64,
    key_at,
    latest_node,
    lock_node,
    lock_tree,
    node_at,
    reindex_node,
    unlock_node,
    unlock_tree,
)


@kernel
def _cuts(corridor: Corridor, wall: int) -> bool:
    """Return whether a wall cuts one of the shortest paths in ``corridor``."""
    if wall < VERTICAL:
        return holds(load(corridor.cuts[0]), wall - HORIZONTAL)
    return holds(load(corridor.cuts[1]), wall - VERTICAL)


@kernel
def _start_edge(edge: Edge, move: int, prior: float) -> None:
    """Reset ``edge`` to an unvisited edge with ``move``."""
    edge.move = move
    edge.child = NO_NODE
    edge.in_flight = 0
    edge.visits = 0
    edge.prior = prior
    edge.value_sum = 0.0


@kernel
def _per_logit(state: SearchState) -> float:
    """Return the factor that applies the policy temperature to logits in units of 1/1024."""
    return 100.0 / (LOGIT * state.weights.policy_temperature)


@kernel
def _list_moves(state: SearchState, ply: int) -> int:
    """List the moves at ``ply``, at the root the given ones; return their number."""
    if ply > 0:
        return generate_moves(state, ply)
    moves = state.lists[ply]
    for index in range(state.root_count):
        moves.moves[index] = state.root_moves[index]
    return state.root_count


@kernel
def _has_room(tree: Tree, edges: int) -> bool:
    """Return whether another node with this many edges fits into memory."""
    return tree.node_count < tree.node_limit and tree.edge_count + edges < tree.edge_limit


@kernel
def lacks_moves(state: SearchState, tree: Tree, node: Node) -> bool:
    """Return whether a node should now get the walls that were left out.

    It should when all its other moves lose, or when it has many visits, because an unlikely quiet wall may
    refute the value that all its other moves agree on.
    """
    if node.coverage == LIKELY:
        return node.visits >= state.weights.complete_visits and _has_room(tree, 2 * MOST_MOVES)
    return node.coverage == NOT_ENOUGH


@kernel
def expand(state: SearchState, net: Network, tree: Tree, ply: int, value: float) -> int:
    """Add a node of the given ``value`` for the position at ``ply``, whose frame must be complete.

    Unlikely walls are left out, except at the root. Walls that cut a shortest path of the rival are kept,
    because a plan is often refuted by a wall that looked unlikely.

    Returns:
        The number of the node, or NO_NODE if there is no room.
    """
    if not _has_room(tree, MOST_MOVES):
        return NO_NODE
    total = _list_moves(state, ply)
    if total == 0:
        return NO_NODE
    forward(state, net, ply)
    top = find_priors(state, net, ply, total)
    lock_tree(tree, tree.is_shared)
    number = NO_NODE
    if tree.is_shared:
        # Another thread may have been faster.
        number = find_node(tree, key_at(state, tree, ply))
    if number == NO_NODE and _has_room(tree, MOST_MOVES):
        number = _add_node(state, tree, ply, value, total, top)
    unlock_tree(tree)
    return number


@kernel
def _add_node(state: SearchState, tree: Tree, ply: int, value: float, total: int, top: int) -> int:
    """Add a node of the position at ``ply`` with its likely moves; return its number.

    Args:
        state: state with the position, its listed moves and their logits.
        tree: the tree, which this thread has locked.
        ply: ply of the position.
        value: value of the position.
        total: number of listed moves.
        top: the largest logit.
    """
    least = top - state.weights.omit
    per_logit = _per_logit(state)
    moves = state.lists[ply]
    corridor = corridor_of(state, ply, 1 - state.frames[ply].turn)
    first = end = tree.edge_count
    weight = 0.0
    for index in range(total):
        move, prior = moves.moves[index], moves.priors[index]
        if ply > 0 and prior < least and move >= HORIZONTAL and not _cuts(corridor, move):
            continue
        share = math.exp((prior - top) * per_logit)
        _start_edge(edge_at(tree.edges, end), move, share)
        weight += share
        end += 1
    for number in range(first, end):
        edge_at(tree.edges, number).prior /= weight
    number = tree.node_count
    tree.node_count += 1
    tree.edge_count = end
    node = node_at(tree.nodes, number)
    node.first_edge = first
    node.edge_count = end - first
    node.visits = 1
    node.lock = 0
    node.coverage = ALL if end - first == total else LIKELY
    node.sorted_count = 0
    node.is_proven = 0
    node.value_sum = value
    node.key = key_at(state, tree, ply)
    clear_cache(node)
    index_node(tree, number)
    return number


@kernel
def complete(state: SearchState, net: Network, tree: Tree, ply: int, old_number: int) -> int:
    """Replace a node, whose position is in a complete frame at ``ply``, by one with all moves.

    Returns:
        The number of the new node, or NO_NODE if there is no room.
    """
    if not _has_room(tree, 2 * MOST_MOVES):
        return NO_NODE
    total = generate_moves(state, ply)
    forward(state, net, ply)
    top = find_priors(state, net, ply, total)
    lock_tree(tree, tree.is_shared)
    # Another thread may have been faster.
    number = latest_node(tree, old_number)
    if node_at(tree.nodes, number).coverage != ALL:
        number = _add_complete_node(state, tree, ply, number, total, top)
    unlock_tree(tree)
    return number


@kernel
def _add_complete_node(
    state: SearchState, tree: Tree, ply: int, old_number: int, total: int, top: int
) -> int:
    """Add the node that replaces ``old_number``; return its number, or NO_NODE without room.

    The arguments are as for :func:`_add_node`.
    """
    if not _has_room(tree, 2 * MOST_MOVES):
        return NO_NODE
    per_logit = _per_logit(state)
    moves = state.lists[ply]
    old = node_at(tree.nodes, old_number)
    lock_node(old, tree.is_shared)
    first = end = tree.edge_count
    most = weight = 0.0
    for known in range(old.first_edge, old.first_edge + old.edge_count):
        known_edge = edge_at(tree.edges, known)
        most = max(most, known_edge.prior)
        if known_edge.visits > 0:
            copy_edge(edge_at(tree.edges, end), known_edge)
            weight += known_edge.prior
            end += 1
    visited = end - first
    for index in range(total):
        move = moves.moves[index]
        known = find_edge(tree, old_number, move)
        if known >= 0 and edge_at(tree.edges, known).visits > 0:
            continue
        # Start over an edge without visits: another thread may have given it a child, and edges with a child
        # cannot be swapped.
        prior = most * math.exp((moves.priors[index] - top) * per_logit)
        if known >= 0:
            prior = edge_at(tree.edges, known).prior
        _start_edge(edge_at(tree.edges, end), move, prior)
        weight += prior
        end += 1
    for new in range(first, end):
        edge_at(tree.edges, new).prior /= weight
    number = tree.node_count
    tree.node_count += 1
    tree.edge_count = end
    node = node_at(tree.nodes, number)
    copy_node(node, old)
    node.lock = 0
    node.first_edge = first
    node.edge_count = end - first
    # The edges without visits follow.
    node.sorted_count = visited
    node.coverage = ALL
    # All paths that lead to the old node thus learn that it was replaced.
    old.coverage = NOT_ENOUGH
    unlock_node(old)
    reindex_node(tree, number)
    return number


@kernel
def complete_root(state: SearchState, net: Network, tree: Tree) -> None:
    """Add the missing moves at the root of a kept tree; clear the tree if they do not fit.

    The root keeps its number. So, unlike other nodes, it may have edges that lie after those of later nodes.
    """
    root = int64(0)
    number = complete(state, net, tree, root, root)
    if number == NO_NODE:
        clear(tree)
        return
    copy_node(node_at(tree.nodes, root), node_at(tree.nodes, number))
    tree.node_count -= 1
    reindex_node(tree, root)
