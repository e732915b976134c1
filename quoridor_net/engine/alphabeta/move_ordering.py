"""Kernel: move ordering, by the transposition table's move, priors or simple rules, killers, and history."""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import empty, holds, load
from quoridor_net.engine.board.distances import corridor_of, distance_of
from quoridor_net.engine.board.movegen import generate_other_walls
from quoridor_net.engine.board.moves import HORIZONTAL, MOVES, NO_MOVE, PLIES, SEATS, VERTICAL
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation.accumulator import refresh
from quoridor_net.engine.evaluation.forward import forward
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.evaluation.policy import find_priors
from quoridor_net.engine.jit import kernel

#: The bits of a listed move from this one on may hold the seat that plays it.
SEAT_SHIFT = 9
MOVE_MASK = (1 << SEAT_SHIFT) - 1
HISTORY_LIMIT = 8000
_FIRST = 1 << 30
_KILLER = 16000
_STEP = 20000
_CHOKE = 4000


@kernel
def list_root_moves(state: SearchState) -> int:
    """List the root moves in the caller's order; return their number."""
    moves = state.lists[0]
    for index in range(state.root_count):
        moves.moves[index] = state.root_moves[index]
        moves.scores[index] = -index
    return state.root_count


@kernel
def score_root_moves(state: SearchState, net: Network) -> int:
    """List the root moves with their priors; return the largest prior."""
    total = list_root_moves(state)
    refresh(state, net, 0)
    forward(state, net, 0)
    return score_moves_by_prior(state, net, 0, total, NO_MOVE)


@kernel
def generate_rest(state: SearchState, ply: int, total: int, least: int) -> int:
    """List the moves left out so far: listed ones with a prior below ``least``, and all unlisted walls.

    Returns:
        The number of these moves, which are unsorted.
    """
    moves = state.lists[ply]
    rest = 0
    for index in range(total):
        if moves.priors[index] < least:
            moves.moves[rest] = moves.moves[index]
            rest += 1
    rest = generate_other_walls(state, ply, rest)
    for index in range(rest):
        moves.scores[index] = moves.priors[index] = 0
    return rest


@kernel
def score_moves(state: SearchState, ply: int, total: int, table_move: int) -> None:
    """Score the listed moves without the network: steps forward first, and walls that lengthen the path."""
    frame, moves = state.frames[ply], state.lists[ply]
    seat = frame.turn
    distance = frame.distances[seat]
    horizontal_chokes = vertical_chokes = empty()
    if frame.walls_left[seat] > 0:
        corridor = corridor_of(state, ply, 1 - seat)
        horizontal_chokes, vertical_chokes = load(corridor.chokes[0]), load(corridor.chokes[1])
    for index in range(total):
        move = moves.moves[index]
        score = score_by_history(state, ply, seat, move, move == table_move)
        if move < HORIZONTAL:
            score += _STEP * (distance - distance_of(state, frame.wall_ply, seat, move, distance))
        elif move < VERTICAL:
            if holds(horizontal_chokes, move - HORIZONTAL):
                score += _CHOKE
        elif holds(vertical_chokes, move - VERTICAL):
            score += _CHOKE
        moves.scores[index] = score


@kernel
def score_moves_by_prior(state: SearchState, net: Network, ply: int, total: int, table_move: int) -> int:
    """Score the listed moves by the network's prior, history and killers.

    The forward pass at ``ply`` must be done already.

    Returns:
        The largest prior.
    """
    moves, history, killers = state.lists[ply], state.history[state.frames[ply].turn], state.killers[ply]
    best_prior = find_priors(state, net, ply, total)
    for index in range(total):
        move = moves.moves[index]
        score = moves.priors[index] + history[move] * state.weights.history_prior // 64
        if move == killers[0] or move == killers[1]:
            score += state.weights.killer_prior
        moves.scores[index] = _FIRST if move == table_move else score
    return best_prior


@kernel
def score_by_history(state: SearchState, ply: int, seat: int, move: int, is_table_move: bool) -> int:
    """Return the score of a move: the table's move first, then killers, then the rest by history."""
    if is_table_move:
        return _FIRST
    score: int = state.history[seat, move]
    if move == state.killers[ply, 0] or move == state.killers[ply, 1]:
        score += _KILLER
    return score


@kernel
def pick(state: SearchState, ply: int, index: int, total: int) -> int:
    """Swap the best move from ``index`` on to ``index``, and return it (one step of a selection sort)."""
    moves = state.lists[ply]
    best = index
    for other in range(index + 1, total):
        if moves.scores[other] > moves.scores[best]:
            best = other
    move = moves.moves[best]
    if best != index:
        moves.moves[best], moves.moves[index] = moves.moves[index], moves.moves[best]
        moves.scores[best], moves.scores[index] = moves.scores[index], moves.scores[best]
        moves.priors[best], moves.priors[index] = moves.priors[index], moves.priors[best]
    return move


@kernel
def reward(state: SearchState, ply: int, move: int, index: int, depth: int) -> None:
    """Update history and killers: ``move``, at ``index`` of the list, refuted the line; earlier ones did not.

    The index is -1 for a move that was tried before any were listed.
    """
    moves, history, killers = state.lists[ply], state.history[state.frames[ply].turn], state.killers[ply]
    bonus = min(depth * depth * 8, 1600)
    move &= MOVE_MASK
    history[move] += bonus - history[move] * bonus // HISTORY_LIMIT
    for tried in range(index):
        other = moves.moves[tried] & MOVE_MASK
        history[other] -= bonus + history[other] * bonus // HISTORY_LIMIT
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move


@kernel
def decay_history(state: SearchState) -> None:
    """Halve the history, and forget the killers, between two moves of a game."""
    for seat in range(SEATS):
        for move in range(MOVES):
            state.history[seat, move] //= 2
    for ply in range(PLIES + 2):
        state.killers[ply, 0] = state.killers[ply, 1] = NO_MOVE
