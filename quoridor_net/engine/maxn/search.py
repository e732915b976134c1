"""Kernel: max-n search for several seats, best first, with PUCT and no random playouts.

Each playout adds one position to the tree. It follows the selected edges from the root down to a new
position; each seat in its turn selects what is good for itself. The chances there are then added to all nodes
on the path (Nijssen and Winands, "Search Policies in Multi-Player Games", 2013; vectors as in Petosa
and Balch, "Multiplayer AlphaZero", 2019).
"""

from __future__ import annotations

from quoridor_net.engine.board.distances import flood_rest
from quoridor_net.engine.board.make import give_turn, make_move, next_seat
from quoridor_net.engine.board.movegen import find_fitting_walls, steps
from quoridor_net.engine.board.moves import PLIES, SEATS, WINS
from quoridor_net.engine.board.state import MOST_MOVES, Frame, SearchState
from quoridor_net.engine.jit import is_late, kernel
from quoridor_net.engine.maxn.backup import backup
from quoridor_net.engine.maxn.evaluate import award, can_win_now, estimate
from quoridor_net.engine.maxn.expand import ALL, GIVEN, LIKELY, expand
from quoridor_net.engine.maxn.features import find_gains
from quoridor_net.engine.maxn.select import is_lost, select
from quoridor_net.engine.maxn.tree import (
    NO_NODE,
    NOBODY,
    MaxNEdge,
    MaxNNode,
    MaxNTree,
    add_node,
    edge_at,
    int64,
    node_at,
)

_CLOCK_EVERY = 16


@kernel
def _pass_over(state: SearchState, frame: Frame) -> None:
    """Give the turn to the next seat that can move, if any."""
    for _ in range(state.players):
        if steps(state, frame) or find_fitting_walls(frame, 0) or find_fitting_walls(frame, 1):
            break
        give_turn(state, frame, next_seat(state, frame))


@kernel
def _make(state: SearchState, ply: int, move: int) -> int:
    """Make a legal move from ``ply`` and complete the next frame; return MADE or WINS."""
    outcome = make_move(state, ply, move)
    _pass_over(state, state.frames[ply + 1])
    flood_rest(state, ply + 1)
    return outcome


@kernel
def _estimate_child(state: SearchState, tree: MaxNTree, ply: int, edge: MaxNEdge) -> bool:
    """Make the move of an edge without a child from ``ply``, and write the vector after it to the tree.

    The new node is put on the path at the next ply.

    Returns:
        Whether there was room for the node.
    """
    mover = state.frames[ply].turn
    outcome = _make(state, ply, int64(edge.move))
    after = state.frames[ply + 1]
    number = add_node(tree, after.turn)
    if number == NO_NODE:
        return False
    edge.child = number
    node = node_at(tree.nodes, number)
    if outcome == WINS:
        node.winner = mover
    elif can_win_now(state, after):
        node.winner = after.turn
        node.plies = 1
    if node.winner != NOBODY:
        award(tree, int64(node.winner))
    else:
        find_gains(state, tree, ply + 1)
        estimate(state, tree, ply + 1)
    tree.path[ply + 1] = number
    return True


@kernel
def _repeat(tree: MaxNTree, node: MaxNNode) -> None:
    """Write the mean vector of a node to the tree."""
    for seat in range(SEATS):
        tree.value[seat] = node.sums[seat] / node.visits


@kernel
def _select(state: SearchState, tree: MaxNTree, ply: int, number: int) -> int:
    """Return the number of the edge of a node to visit next, or -1 if it has no legal move.

    If all likely moves of the node lose, the others are added, unless it is the root.
    """
    node = node_at(tree.nodes, number)
    if ply > 0 and not node.is_whole and is_lost(tree, node):
        expand(state, tree, ply, number, int64(ALL))
    return select(state, tree, node)


@kernel
def _playout(state: SearchState, tree: MaxNTree) -> int:
    """Follow the selected edges to a new or proven position; return the ply of its node on the path.

    The path and the vector of the position are in the tree.
    """
    ply = number = 0
    while True:
        tree.path[ply] = number
        node = node_at(tree.nodes, number)
        # Step 1. A node with a winner, or the end of the stack.
        if node.winner != NOBODY or ply >= PLIES - 3:
            break
        # Step 2. The second visit: expand.
        if node.edge_count == 0 and not expand(state, tree, ply, number, int64(LIKELY)):
            break
        # Step 3. Select an edge.
        selected = _select(state, tree, ply, number)
        if selected < 0:
            break
        edge = edge_at(tree.edges, selected)
        # Step 4. The first visit: estimate.
        if edge.child < 0:
            if _estimate_child(state, tree, ply, edge):
                return ply + 1
            break
        # Step 5. Go down.
        _make(state, ply, int64(edge.move))
        number = int64(edge.child)
        ply += 1
    _repeat(tree, node_at(tree.nodes, number))
    return ply


@kernel
def grow(state: SearchState, tree: MaxNTree) -> None:
    """Grow the tree until it is time to stop, or the root is proven or has only losses.

    The root is the position in the first frame, whose layers must reach every square; it gets the given
    moves. An empty tree gets its root, and a tree without room for these moves is cleared first.
    """
    root = int64(0)
    if tree.edge_count + MOST_MOVES >= tree.edge_limit:
        tree.node_count = tree.edge_count = 0
    if tree.node_count == 0:
        number = add_node(tree, state.frames[root].turn)
        find_gains(state, tree, root)
        estimate(state, tree, root)
        tree.path[0] = number
        backup(tree, root)
    node = node_at(tree.nodes, root)
    node.winner = NOBODY
    expand(state, tree, root, root, int64(GIVEN))
    while not state.stop:
        if node.winner != NOBODY or is_lost(tree, node):
            break
        backup(tree, _playout(state, tree))
        state.nodes += 1
        if state.nodes >= state.node_limit or (state.nodes % _CLOCK_EVERY == 0 and is_late(state)):
            state.stop = 1
