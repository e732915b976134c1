"""Kernel: best-first search for two players, MCTS with PUCT and a network.

The tree grows by one evaluated position in each *playout*: from the root down along the edges that are
selected, being good so far or likely and little tried, to a move that was not yet made; what the network
thinks of the position there is then averaged into all edges on the path. A position gets a node with its
edges when it is visited a second time. Positions that are the same after the same number of moves share a
node: what one path found counts for all paths that lead there.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import NO_MOVE, PLIES
from quoridor_net.engine.board.state import State
from quoridor_net.engine.evaluation.evaluate import evaluate
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.jit import is_late, kernel
from quoridor_net.engine.mcts.backup import backup
from quoridor_net.engine.mcts.evaluate import evaluate_move
from quoridor_net.engine.mcts.expand import complete, complete_root, expand
from quoridor_net.engine.mcts.select import select
from quoridor_net.engine.mcts.stack import push_path, refresh_path
from quoridor_net.engine.mcts.tree import (
    ALL,
    CERTAIN,
    FINAL,
    NO_NODE,
    NOT_ENOUGH,
    Edge,
    Node,
    Tree,
    edge_at,
    find_node,
    int64,
    is_root_proven,
    key_at,
    mean,
    node_at,
    value_of,
)

_CLOCK_EVERY = 16
#: From so many visits of the root on they are made one at a time, so that their number fits into 32 bits.
_MOST_VISITS = 1 << 30
#: A shared node whose mean differs by less from the mean of the edge does not end a playout alone.
_MEAN_TOLERANCE = 0.002


@kernel
def _worth_a_node(tree: Tree) -> int:
    """Return how many visits make an edge worth a node: the more, the less room is left."""
    room = tree.edge_limit - tree.edge_count
    if 2 * room > tree.edge_limit:
        return 1
    return 4 if 4 * room > tree.edge_limit else 16


@kernel
def _ends_at_shared_node(tree: Tree, child: Node, visits: int, edge_mean: float, child_mean: float) -> bool:
    """Return whether a playout ends at ``child``, because it has more visits than the edge that leads there.

    Where its mean is about that of the edge, many visits are counted at once (a multivisit); elsewhere one,
    as the edges on the path have to take in the difference first.

    Args:
        tree: the tree.
        child: where the edge leads to.
        visits: of the edge.
        edge_mean: of its visits.
        child_mean: of all visits of the child, as the edge sees it.
    """
    more = child.visits - visits
    if more <= 0:
        return False
    if abs(child_mean - edge_mean) <= _MEAN_TOLERANCE:
        room = _MOST_VISITS - node_at(tree.nodes, 0).visits
        tree.multivisit = max(min(tree.visits_in_a_row, more, room), 1)
    return True


@kernel
def _complete_child(state: State, net: Network, tree: Tree, ply: int, edge: Edge) -> bool:
    """Let ``edge`` lead to a node with all moves of the position at ``ply``; return whether there is room."""
    push_path(state, tree, ply)
    number = find_node(tree, key_at(state, tree, ply))
    if node_at(tree.nodes, number).coverage == NOT_ENOUGH:
        refresh_path(state, net, tree, ply)
        number = complete(state, net, tree, ply, number)
        if number == NO_NODE:
            return False
    edge.child = number
    return True


@kernel
def _expand_child(state: State, net: Network, tree: Tree, ply: int, edge: Edge, value: float) -> bool:
    """Make the node of the position at ``ply`` that ``edge`` leads to; return whether there is room."""
    refresh_path(state, net, tree, ply)
    number = expand(state, net, tree, ply, value)
    if number == NO_NODE:
        return False
    edge.child = number
    return True


@kernel
def _playout(state: State, net: Network, tree: Tree) -> tuple[int, float]:
    """Find a leaf; return the ply of the last edge on the path, and the value for the seat to move there.

    The path is in the tree.
    """
    ply = 0
    number = 0
    tree.pushed_ply = tree.refreshed_ply = 0
    tree.multivisit = 1
    tree.visits_in_a_row = _MOST_VISITS
    while True:
        # Step 1. Select an edge.
        selected = select(state, tree, number)
        tree.path_nodes[ply], tree.path_edges[ply] = number, selected
        if selected < 0:
            # Only walls are left, and all of them cut somebody off: next to impossible, and nobody's merit.
            return ply, 0.0
        edge = edge_at(tree.edges, selected)
        visits = edge.visits
        value = edge.value_sum / visits if visits > 0 else 0.0
        # Step 2. A value that is proven, or the end of the stack.
        if edge.child == FINAL or (visits > 0 and ply >= PLIES - 3):
            return ply, value
        # Step 3. An edge without a child: another path may have led to its position.
        if edge.child < 0:
            if visits > 0 and visits < _worth_a_node(tree):
                return ply, value
            push_path(state, tree, ply + 1)
            edge.child = find_node(tree, key_at(state, tree, ply + 1))
        if edge.child >= 0:
            # Step 4. A child: it may be proven, or other paths may have found something new.
            child = node_at(tree.nodes, edge.child)
            edge_mean, value = value, -mean(child)
            if child.is_proven:
                edge.child = FINAL
                edge.value_sum = value * visits
                return ply, value
            if _ends_at_shared_node(tree, child, int64(visits), edge_mean, value):
                return ply, value
            # Step 5. A child whose likely moves are not enough.
            if child.coverage == NOT_ENOUGH and not _complete_child(state, net, tree, ply + 1, edge):
                return ply, value
        elif visits > 0:
            # Step 6. The second visit: expand.
            if not _expand_child(state, net, tree, ply + 1, edge, -value):
                return ply, value
        else:
            # Step 7. The first visit: evaluate. Only at the end of the path the frame has to be complete.
            refresh_path(state, net, tree, ply)
            value = evaluate_move(state, net, ply, edge)
            if edge.move != NO_MOVE:
                return ply, value
            tree.pushed_ply = ply
            continue
        # Step 8. Go down.
        number = edge.child
        ply += 1


@kernel
def grow(state: State, net: Network, tree: Tree) -> None:
    """Let the tree grow until it is time to stop or to pause, or the root is proven.

    The root is the position in the first frame, which is complete. A tree without nodes gets its first.
    """
    root = int64(0)
    state.past[state.past_count] = state.frames[root].key
    if tree.node_count > 0 and node_at(tree.nodes, root).coverage != ALL:
        complete_root(state, net, tree)
    if tree.node_count == 0:
        expand(state, net, tree, root, value_of(evaluate(state, net, root)))
    while not (state.stop or state.is_paused):
        ply, value = _playout(state, net, tree)
        backup(tree, ply, value)
        state.nodes += 1
        if state.nodes >= state.node_limit or (state.nodes % _CLOCK_EVERY == 0 and is_late(state)):
            state.stop = 1
        if state.nodes >= state.pause_at:
            state.is_paused = 1
        if abs(value) > CERTAIN and is_root_proven(tree):
            break
