"""Kernel: the moves of a node one by one, listed no sooner than needed.

1. The table's move, which often causes a cutoff before any other is listed.
2. The steps, and the walls that cut a shortest path of the rival, best first. Near the end of the line, moves
   with a prior far below the largest are pruned.
3. If all of these lose, the moves left out so far.

At the root the moves are given.
"""

from __future__ import annotations

from quoridor_net.engine.alphabeta.move_ordering import (
    generate_rest,
    list_root_moves,
    pick,
    score_moves,
    score_moves_by_prior,
    score_root_moves,
)
from quoridor_net.engine.board.movegen import generate_cuts, is_playable
from quoridor_net.engine.board.moves import NO_MOVE
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation.network import LOGIT, Network
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.scores import INFINITY

#: Smaller than any prior.
_NONE = -INFINITY * LOGIT


@kernel
def _prunes(state: SearchState, depth: int) -> bool:
    """Return whether unlikely moves are pruned at this remaining depth."""
    return state.has_network != 0 and depth <= state.weights.prune_depth


@kernel
def start_moves(state: SearchState, ply: int, table_move: int, depth: int) -> None:
    """Start picking the moves of the node at ``ply``, which is searched to ``depth``."""
    frame, picker = state.frames[ply], state.pickers[ply]
    picker.table_move = table_move
    picker.has_table_move = 1 if ply > 0 and is_playable(state, ply, table_move) else 0
    picker.index = -1 if picker.has_table_move else 0
    picker.total = -1
    picker.best_prior = 0
    # Nothing is left out at the root, nor when only steps can be played and none are pruned.
    has_more = frame.walls_left[frame.turn] != 0 or _prunes(state, depth)
    picker.is_whole = 1 if ply == 0 or not has_more else 0


@kernel
def next_move(state: SearchState, net: Network, ply: int, depth: int, legal: int, wants_rest: bool) -> int:
    """Return the next move of the node at ``ply``, pseudo-legal if it is a wall; NO_MOVE after the last.

    Args:
        state: state of the search.
        net: the network.
        ply: ply of the node, for which :func:`start_moves` was called.
        depth: search depth of the node, in plies.
        legal: number of legal moves searched so far.
        wants_rest: whether to continue with unlikely moves after the likely ones.
    """
    picker, moves = state.pickers[ply], state.lists[ply]
    if picker.index < 0:
        picker.index = 0
        return picker.table_move
    if picker.total < 0:
        _list(state, net, ply)
    while True:
        if picker.index >= picker.total:
            if picker.is_whole or not wants_rest:
                return NO_MOVE
            least = picker.best_prior - state.weights.prune_gap if _prunes(state, depth) else _NONE
            picker.total = generate_rest(state, ply, picker.total, least)
            picker.index = picker.best_prior = 0
            picker.is_whole = 1
            continue
        index = picker.index
        move = pick(state, ply, index, picker.total)
        picker.index += 1
        if picker.has_table_move and move == picker.table_move:
            continue
        # Pruning also improves play, because a wall as the last move of a line looks better than it is.
        is_unlikely = moves.priors[index] < picker.best_prior - state.weights.prune_gap
        if is_unlikely and legal > 0 and ply > 0 and _prunes(state, depth):
            continue
        return move


@kernel
def _list(state: SearchState, net: Network, ply: int) -> None:
    """List the moves with their scores: all at the root, elsewhere only the likely ones."""
    picker = state.pickers[ply]
    if ply == 0:
        if state.has_network:
            picker.best_prior = score_root_moves(state, net)
        picker.total = list_root_moves(state)
        return
    picker.total = generate_cuts(state, ply)
    if state.has_network:
        picker.best_prior = score_moves_by_prior(state, net, ply, picker.total, picker.table_move)
    else:
        score_moves(state, ply, picker.total, picker.table_move)


@kernel
def reduction_by_prior(state: SearchState, ply: int, depth: int) -> int:
    """Return the number of plies by which the first search of the latest move is reduced."""
    picker = state.pickers[ply]
    if depth < 2:
        return 0
    gap = picker.best_prior - state.lists[ply].priors[picker.index - 1]
    return min(max(gap, 0) // state.weights.lmr_gap, depth - 1)
