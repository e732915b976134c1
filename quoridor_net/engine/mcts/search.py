"""Kernel: best-first search for two players, MCTS with PUCT and a network.

Each *playout* adds one evaluated position to the tree. It starts at the root and selects edges that have been
good so far, or are likely and little explored, down to a new move. The network's value of the position there
is averaged into all edges on the path. A position gets a node with its edges at its second visit. Equal
positions after the same number of moves share a node, so that the results of one path count for all paths
that lead there.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import NO_MOVE, PLIES
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation.evaluate import evaluate
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.jit import is_late, kernel
from quoridor_net.engine.mcts.backup import backup, is_root_proven
from quoridor_net.engine.mcts.evaluate import evaluate_leaf
from quoridor_net.engine.mcts.expand import complete, complete_root, expand, lacks_moves
from quoridor_net.engine.mcts.select import select
from quoridor_net.engine.mcts.stack import push_path, refresh_mover
from quoridor_net.engine.mcts.tree import (
    ALL,
    CERTAIN,
    FINAL,
    NO_NODE,
    Edge,
    Node,
    Playout,
    Tree,
    edge_at,
    find_node,
    int64,
    key_at,
    lock_node,
    lock_tree,
    mean,
    node_at,
    unlock_node,
    unlock_tree,
    value_of,
)

_CLOCK_EVERY = 16
#: From this many visits of the root on, a playout counts as one visit, so that the number fits into 32 bits.
_MOST_VISITS = 1 << 30
#: If the mean of a shared node and that of the edge differ by at most this, a playout may be a multivisit.
_MEAN_TOLERANCE = 0.002


@kernel
def _worth_a_node(tree: Tree) -> int:
    """Return the number of visits at which an edge gets a node: the less room is left, the more visits."""
    room = tree.edge_limit - tree.edge_count
    if 2 * room > tree.edge_limit:
        return 1
    return 4 if 4 * room > tree.edge_limit else 16


@kernel
def _ends_at_shared_node(
    tree: Tree, playout: Playout, child: Node, visits: int, edge_mean: float, child_mean: float
) -> bool:
    """Return whether a playout ends at ``child``, because it has more visits than the edge that leads there.

    If its mean is close to that of the edge, the playout counts as many visits (a multivisit). Otherwise it
    counts as one, because the edges on the path have to take in the difference first.

    Args:
        tree: the tree.
        playout: the playout, whose multivisit is set.
        child: the node that the edge leads to.
        visits: visits of the edge, including those of other threads in flight.
        edge_mean: mean value of the edge.
        child_mean: mean value of the child, as the edge sees it.
    """
    more = child.visits - visits
    if more <= 0:
        return False
    if abs(child_mean - edge_mean) <= _MEAN_TOLERANCE:
        room = _MOST_VISITS - node_at(tree.nodes, 0).visits
        playout.multivisit = max(min(playout.visits_in_a_row, more, room), 1)
    return True


@kernel
def _set_child(tree: Tree, node: Node, edge: Edge, child: int) -> None:
    """Point an edge of ``node`` to the node with the number ``child``, unless its value is final."""
    lock_node(node, tree.is_shared)
    if edge.child != FINAL:
        edge.child = child
    unlock_node(node)


@kernel
def _settle(tree: Tree, playout: Playout, node: Node, edge: Edge, value: float) -> None:
    """Mark the value of an edge of ``node`` as final, because its child is proven."""
    lock_node(node, tree.is_shared)
    if edge.visits > 0:
        edge.child = FINAL
        edge.value_sum = value * edge.visits
    else:
        # Its first visit will mark it, because no thread may see a final edge without a value.
        playout.is_final = 1
    unlock_node(node)


@kernel
def _find_child(state: SearchState, tree: Tree, playout: Playout, ply: int) -> int:
    """Return the number of the node of the position at ``ply`` of the playout, or NO_NODE."""
    push_path(state, playout, ply)
    lock_tree(tree, tree.is_shared)
    number = find_node(tree, key_at(state, tree, ply))
    unlock_tree(tree)
    return number


@kernel
def _complete_child(state: SearchState, net: Network, tree: Tree, playout: Playout, ply: int) -> int:
    """Return the number of a node that has all moves of the position at ``ply``, or NO_NODE without room."""
    number = _find_child(state, tree, playout, ply)
    if node_at(tree.nodes, number).coverage != ALL:
        refresh_mover(state, net, ply)
        number = complete(state, net, tree, ply, number)
    return number


@kernel
def _playout(state: SearchState, net: Network, tree: Tree, playout: Playout) -> tuple[int, float]:
    """Find a leaf; return the ply of the last edge on the path, and the value for the seat to move there.

    The path is in ``playout``. A node is locked while it is read, but not during computations.
    """
    ply = 0
    number = int64(0)
    playout.is_final = playout.is_illegal = 0
    playout.multivisit = 1
    playout.visits_in_a_row = _MOST_VISITS
    node = node_at(tree.nodes, number)
    lock_node(node, tree.is_shared)
    while True:
        # Step 1. Select an edge.
        selected = select(state, tree, playout, number)
        playout.path_nodes[ply], playout.path_edges[ply] = number, selected
        if selected < 0:
            # Only walls are left, and all are illegal. This hardly ever happens, and counts as a draw.
            unlock_node(node)
            return ply, 0.0
        edge = edge_at(tree.edges, selected)
        move = int64(edge.move)
        if playout.path_moves[ply] != move:
            # So far the moves are those of the playout before, whose frames stay.
            playout.pushed_ply = min(playout.pushed_ply, ply)
            playout.path_moves[ply] = move
        child_number = int64(edge.child)
        visits = int64(edge.visits)
        expected = visits + edge.in_flight
        value = edge.value_sum / visits if visits > 0 else 0.0
        if tree.is_shared:
            edge.in_flight += 1
        unlock_node(node)
        # Step 2. A final value, or the end of the stack.
        if child_number == FINAL or (visits > 0 and ply >= PLIES - 3):
            return ply, value
        # Step 3. An edge without a child: another path may have led to its position.
        if child_number < 0:
            if visits > 0 and visits < _worth_a_node(tree):
                return ply, value
            child_number = _find_child(state, tree, playout, ply + 1)
            if child_number >= 0:
                _set_child(tree, node, edge, child_number)
        if child_number >= 0:
            child = node_at(tree.nodes, child_number)
            lock_node(child, tree.is_shared)
            edge_mean, value = value, -mean(child)
            # Step 4. A child that lacks moves: replace it, or find its replacement.
            if not child.is_proven and lacks_moves(state, tree, child):
                unlock_node(child)
                child_number = _complete_child(state, net, tree, playout, ply + 1)
                if child_number == NO_NODE:
                    return ply, value
                _set_child(tree, node, edge, child_number)
                child = node_at(tree.nodes, child_number)
                lock_node(child, tree.is_shared)
                value = -mean(child)
            # Step 5. A child that is proven, or that other paths have visited more often.
            is_proven = child.is_proven
            if is_proven or _ends_at_shared_node(tree, playout, child, expected, edge_mean, value):
                unlock_node(child)
                if is_proven:
                    _settle(tree, playout, node, edge, value)
                return ply, value
        elif visits > 0:
            # Step 6. The second visit: expand.
            refresh_mover(state, net, ply + 1)
            child_number = expand(state, net, tree, ply + 1, -value)
            if child_number == NO_NODE:
                return ply, value
            _set_child(tree, node, edge, child_number)
            child = node_at(tree.nodes, child_number)
            lock_node(child, tree.is_shared)
        else:
            # Step 7. The first visit: evaluate. The search for its node has put the position into the frame.
            value = evaluate_leaf(state, net, playout, ply + 1)
            if not playout.is_illegal:
                return ply, value
            playout.is_illegal = playout.is_final = 0
            playout.pushed_ply = ply
            lock_node(node, tree.is_shared)
            edge.move = NO_MOVE
            if tree.is_shared:
                edge.in_flight -= 1
            continue
        # Step 8. Go down.
        node = child
        number = child_number
        ply += 1


@kernel
def grow(state: SearchState, net: Network, tree: Tree, playout: Playout) -> None:
    """Grow the tree until it is time to stop or to pause, or the root is proven.

    The root is the position in the first frame, which must be complete and without a previous move. An empty
    tree gets its root even when time is up.
    """
    root = int64(0)
    state.past[state.past_count] = state.frames[root].key
    if tree.node_count > 0 and node_at(tree.nodes, root).coverage != ALL:
        complete_root(state, net, tree)
    if tree.node_count == 0:
        expand(state, net, tree, root, value_of(evaluate(state, net, root)))
    # Other searches may have used the stack.
    playout.pushed_ply = 0
    while not (state.stop or state.is_paused):
        ply, value = _playout(state, net, tree, playout)
        backup(tree, playout, ply, value)
        state.nodes += 1
        if state.nodes >= state.node_limit or (state.nodes % _CLOCK_EVERY == 0 and is_late(state)):
            state.stop = 1
        if state.nodes >= state.pause_at:
            state.is_paused = 1
        if abs(value) > CERTAIN and is_root_proven(tree):
            break
