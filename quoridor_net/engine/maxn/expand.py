"""Kernel: expansion, which gives a node an edge with a prior for each move.

The prior of the searcher's own moves follows from its chance right after the move. So steps forward and walls
that hold up a dangerous rival are likely. A wall that lengthens no path is unlikely, because it is spent for
nothing. Walls that stop a rival about to win are made likelier, because that chance is too low for them. The
prior of a rival's move comes from the opponent model. At first, walls that cut no shortest path of a rival of
the seat to move are left out.
"""

from __future__ import annotations

import math

from quoridor_net.engine.board.bitboard import empty, load
from quoridor_net.engine.board.distances import corridor_of
from quoridor_net.engine.board.movegen import append, find_fitting_walls, generate_moves, steps
from quoridor_net.engine.board.moves import HORIZONTAL, SEATS, VERTICAL
from quoridor_net.engine.board.state import MOST_MOVES, SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.features import find_gains
from quoridor_net.engine.maxn.opponents import expected, try_move, weigh_moves
from quoridor_net.engine.maxn.tree import MaxNTree, edge_at, find_child, node_at

#: The moves of a node. LIKELY: steps, and walls that cut a shortest path of a rival. ALL: all legal moves.
#: GIVEN: at the root, the moves to search.
LIKELY = 0
ALL = 1
GIVEN = 2

#: A player with at most this many steps to go is about to win.
ABOUT_TO_WIN = 2


@kernel
def _list_likely(state: SearchState, ply: int) -> int:
    """List the steps, and the walls that fit and cut a shortest path of a rival; return their number."""
    frame, moves = state.frames[ply], state.lists[ply]
    seat = frame.turn
    total = append(moves, 0, 0, steps(state, frame))
    horizontal, vertical = empty(), empty()
    for rival in range(state.players):
        if rival != seat and frame.pawns[rival] >= 0:
            cuts = corridor_of(state, ply, rival).cuts
            horizontal |= load(cuts[0])
            vertical |= load(cuts[1])
    total = append(moves, total, HORIZONTAL, horizontal & find_fitting_walls(frame, 0))
    return append(moves, total, VERTICAL, vertical & find_fitting_walls(frame, 1))


@kernel
def _list_moves(state: SearchState, ply: int, scope: int) -> int:
    """List the moves at ``ply`` in ``scope``, including illegal walls; return their number."""
    if scope == LIKELY:
        return _list_likely(state, ply)
    if scope == ALL:
        return generate_moves(state, ply)
    moves = state.lists[ply]
    for index in range(state.root_count):
        moves.moves[index] = state.root_moves[index]
    return state.root_count


@kernel
def _stops_rival(state: SearchState, ply: int) -> bool:
    """Return whether the move made from ``ply`` lengthens the path of a rival that is about to win."""
    before, after = state.frames[ply], state.frames[ply + 1]
    for seat in range(SEATS):
        if seat == before.turn or before.pawns[seat] < 0:
            continue
        if before.distances[seat] <= ABOUT_TO_WIN and after.distances[seat] > before.distances[seat]:
            return True
    return False


@kernel
def _find_own_priors(state: SearchState, tree: MaxNTree, ply: int, total: int) -> None:
    """Write the priors of the ``total`` moves listed at ``ply``, by the mover's chance after each."""
    for index in range(total):
        move = state.lists[ply].moves[index]
        chance = try_move(state, tree, ply, move)
        if chance < 0.0:
            tree.priors[index] = -1.0
            continue
        logit = state.weights.maxn_sharpness / 100.0 * math.log(chance)
        if move >= HORIZONTAL:
            logit += state.weights.maxn_wall_prior / 100.0
            if _stops_rival(state, ply):
                logit += state.weights.maxn_stop_prior / 100.0
        tree.priors[index] = math.exp(logit)


@kernel
def _find_priors(state: SearchState, tree: MaxNTree, ply: int, total: int) -> None:
    """Write the priors of the ``total`` moves listed at ``ply``."""
    seat = state.frames[ply].turn
    if seat == state.root_seat:
        _find_own_priors(state, tree, ply, total)
        return
    weigh_moves(state, tree, ply, total)
    for index in range(total):
        tree.priors[index] = expected(tree, seat, index)


@kernel
def expand(state: SearchState, tree: MaxNTree, ply: int, number: int, scope: int) -> bool:
    """Give a node its edges, the likeliest first, and replace any that it has.

    Their children are kept. The frame at ``ply`` must be that of the node, with layers that reach every
    square.

    Returns:
        Whether there was room.
    """
    if tree.edge_count + MOST_MOVES >= tree.edge_limit:
        return False
    total = _list_moves(state, ply, scope)
    for seat in range(state.players):
        if state.frames[ply].pawns[seat] >= 0:
            corridor_of(state, ply, seat)
    # Gains are assumed to stay the same after each of the moves.
    find_gains(state, tree, ply)
    _find_priors(state, tree, ply, total)
    first = end = tree.edge_count
    sum_of_priors = 0.0
    for index in range(total):
        move = state.lists[ply].moves[index]
        prior = tree.priors[index]
        if prior < 0.0:
            continue
        sum_of_priors += prior
        place = end
        while place > first and edge_at(tree.edges, place - 1).prior < prior:
            before, after = edge_at(tree.edges, place - 1), edge_at(tree.edges, place)
            after.move, after.child, after.prior = before.move, before.child, before.prior
            place -= 1
        edge = edge_at(tree.edges, place)
        edge.move = move
        edge.child = find_child(tree, number, move)
        edge.prior = prior
        end += 1
    for place in range(first, end):
        edge_at(tree.edges, place).prior /= sum_of_priors
    node = node_at(tree.nodes, number)
    node.first_edge = first
    node.edge_count = end - first
    node.is_whole = scope == ALL or state.frames[ply].walls_left[state.frames[ply].turn] <= 0
    tree.edge_count = end
    return True
