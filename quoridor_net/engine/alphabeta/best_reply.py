"""Kernel: best-reply search for four players.

The search is for one seat, the hero. After each of its moves only one rival answers, with the reply that
hurts the hero most. Each of the others steps along a shortest path; in the original they pass (Schadd and
Winands, "Best Reply Search for Multiplayer Games", 2011). So rivals never team up, and the search looks ahead
far enough to count races.
"""

from __future__ import annotations

from quoridor_net.engine.alphabeta.move_ordering import (
    MOVE_MASK,
    SEAT_SHIFT,
    list_root_moves,
    pick,
    reward,
    score_by_history,
)
from quoridor_net.engine.alphabeta.node import begin_node, update_pv
from quoridor_net.engine.alphabeta.transposition import (
    EXACT,
    LOWER,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    probe,
    store,
)
from quoridor_net.engine.board.bitboard import load, lowest, without_lowest
from quoridor_net.engine.board.distances import corridor_of, distance_of, flood_rest
from quoridor_net.engine.board.make import give_turn, make_move
from quoridor_net.engine.board.movegen import steps
from quoridor_net.engine.board.moves import HORIZONTAL, ILLEGAL, MADE, NO_MOVE, PLIES, VERTICAL, WINS
from quoridor_net.engine.board.state import MOST_MOVES, Frame, SearchState
from quoridor_net.engine.evaluation.weights import WALLS_VALUED
from quoridor_net.engine.jit import kernel, recursive
from quoridor_net.engine.scores import INFINITY, WIN
from quoridor_net.jit.records import kernel_type
from quoridor_net.jit.types import NUMBER

_STEP_SCORE = 20000
_FAR = 1000


@kernel
def evaluate_for_hero(state: SearchState, frame: Frame) -> int:
    """Return the value of the frame for the hero: its lead over its rivals, and the walls left."""
    hero = state.root_seat
    own = frame.distances[hero]
    nearest = _FAR
    total = rivals = walls = 0
    for seat in range(state.players):
        if seat != hero and frame.pawns[seat] >= 0:
            nearest = min(nearest, frame.distances[seat])
            total += frame.distances[seat]
            rivals += 1
            walls += state.weights.plain_walls[min(frame.walls_left[seat], WALLS_VALUED)]
    if rivals == 0:
        return 0
    share = state.weights.nearest
    lead = share * (nearest - own) + (100 - share) * (total - rivals * own) // rivals
    return lead + state.weights.plain_walls[min(frame.walls_left[hero], WALLS_VALUED)] - walls // (2 * rivals)


@kernel
def _evaluate(state: SearchState, ply: int) -> int:
    """Return the value of the position at ``ply`` for the side to move: the hero or its rivals."""
    frame = state.frames[ply]
    score = evaluate_for_hero(state, frame)
    return score if frame.turn == state.root_seat else -score


@kernel
def _list_steps(state: SearchState, ply: int, total: int, table_move: int, seat: int, side: int) -> int:
    """List the steps of ``seat``, whose turn it is; for a rival, only those that bring it nearer."""
    frame, moves = state.frames[ply], state.lists[ply]
    distance = frame.distances[seat]
    targets = steps(state, frame)
    while targets:
        target = lowest(targets)
        targets = without_lowest(targets)
        gain = distance - distance_of(state, frame.wall_ply, seat, target, distance)
        if gain > 0 or seat == state.root_seat:
            move = target | seat << SEAT_SHIFT
            score = score_by_history(state, ply, side, target, move == table_move)
            moves.moves[total] = move
            moves.scores[total] = score + gain * _STEP_SCORE
            total += 1
    return total


@kernel
def _list_cuts(
    state: SearchState, ply: int, total: int, table_move: int, seat: int, side: int, victim: int
) -> int:
    """List the walls of ``seat`` that cut a shortest path of ``victim`` and are not yet in the list."""
    frame, moves = state.frames[ply], state.lists[ply]
    corridor = corridor_of(state, ply, victim)
    before = total
    for orientation in range(2):
        first = VERTICAL if orientation else HORIZONTAL
        walls = load(corridor.cuts[orientation]) & load(frame.fits[orientation])
        while walls and total < MOST_MOVES - 1:
            wall = first + lowest(walls)
            walls = without_lowest(walls)
            move = wall | seat << SEAT_SHIFT
            is_new = True
            for index in range(before):
                is_new = is_new and moves.moves[index] != move
            if is_new:
                moves.moves[total] = move
                moves.scores[total] = score_by_history(state, ply, side, wall, move == table_move)
                total += 1
    return total


@kernel
def list_moves(state: SearchState, ply: int, table_move: int) -> int:
    """List the moves of the side to move: the hero's own, or the replies of all rivals."""
    frame = state.frames[ply]
    hero, turn = state.root_seat, frame.turn
    if turn == hero:
        total = _list_steps(state, ply, 0, table_move, hero, hero)
        if frame.walls_left[hero] > 0:
            nearest = _FAR
            for seat in range(state.players):
                if seat != hero and frame.pawns[seat] >= 0:
                    nearest = min(nearest, frame.distances[seat])
            for seat in range(state.players):
                if seat != hero and frame.pawns[seat] >= 0 and frame.distances[seat] <= nearest + 1:
                    total = _list_cuts(state, ply, total, table_move, hero, hero, seat)
        return total
    total = 0
    builder = -1
    for seat in range(state.players):
        if seat != hero and frame.pawns[seat] >= 0:
            give_turn(state, frame, seat)
            total = _list_steps(state, ply, total, table_move, seat, turn)
            if frame.walls_left[seat] > 0 and builder < 0:
                builder = seat
    if builder >= 0:
        total = _list_cuts(state, ply, total, table_move, builder, turn, hero)
    give_turn(state, frame, turn)
    return total


@kernel
def _advance(state: SearchState, frame: Frame, seat: int) -> bool:
    """Step with ``seat`` along a shortest path, without a new frame; return whether that wins."""
    give_turn(state, frame, seat)
    distance = frame.distances[seat]
    targets = steps(state, frame)
    layers = state.layers[frame.wall_ply, seat]
    # A chained jump passes at most all other pawns.
    for gain in range(state.players, 0, -1):
        if distance >= gain:
            nearer = targets & load(layers[distance - gain])
            if nearer:
                target = lowest(nearer)
                frame.key ^= state.pawn_keys[seat, frame.pawns[seat]] ^ state.pawn_keys[seat, target]
                frame.pawns[seat] = target
                frame.distances[seat] = distance - gain
                frame.corridor_ply[seat] = frame.path_ply[seat] = -1
                return distance == gain
    return False


@kernel
def make_move_and_advance(state: SearchState, ply: int, move: int) -> int:
    """Make a listed move; after a rival's reply, each of the other rivals steps forward, too.

    Returns:
        ILLEGAL, WINS if the side to move wins, otherwise MADE.
    """
    frame, new = state.frames[ply], state.frames[ply + 1]
    hero, turn = state.root_seat, frame.turn
    if turn == hero:
        return make_move(state, ply, move & MOVE_MASK)
    actor = move >> SEAT_SHIFT
    give_turn(state, frame, actor)
    outcome = make_move(state, ply, move & MOVE_MASK)
    give_turn(state, frame, turn)
    if outcome == MADE:
        flood_rest(state, ply + 1)
        for seat in range(state.players):
            is_other = seat not in (hero, actor) and new.pawns[seat] >= 0
            if is_other and outcome == MADE and _advance(state, new, seat):
                outcome = WINS
        give_turn(state, new, hero)
    return outcome


@kernel
def _begin(state: SearchState, ply: int, depth: int, alpha: int, beta: int) -> tuple[bool, int, int]:
    """Check whether the score of the node at ``ply``, not the root, is known (steps 2 and 3).

    Returns:
        Whether it is known, the score if so, and the move of the transposition table.
    """
    # Step 2. Leaves.
    if depth <= 0 or ply >= PLIES - 2:
        return True, _evaluate(state, ply), NO_MOVE
    # Step 3. The transposition table.
    packed = probe(state, state.frames[ply].key)
    if packed == 0:
        return False, 0, NO_MOVE
    table_move = entry_move(packed)
    if entry_depth(packed) >= depth:
        score = entry_score(packed, ply)
        bound = entry_bound(packed)
        is_low, is_high = bound == UPPER and score <= alpha, bound == LOWER and score >= beta
        if bound == EXACT or is_low or is_high:
            return True, score, table_move
    return False, 0, table_move


@recursive(NUMBER(kernel_type(SearchState), NUMBER, NUMBER, NUMBER, NUMBER))
def search_best_reply(state: SearchState, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Return the score of the position at ``ply`` for the side to move: the hero or its rivals.

    Call it like :func:`quoridor_net.engine.alphabeta.pvs.search`.
    """
    # Step 1. Count the node; stop or pause.
    if begin_node(state, ply):
        return 0
    table_move = NO_MOVE
    if ply > 0:
        is_known, score, table_move = _begin(state, ply, depth, alpha, beta)
        if is_known:
            return score
        flood_rest(state, ply)
        total = list_moves(state, ply, table_move)
    else:
        total = list_root_moves(state)
    best = -INFINITY
    best_move = NO_MOVE
    first_alpha = alpha
    legal = 0
    for index in range(total):
        # Step 4. The next move; walls that cut a pawn off are illegal.
        move = pick(state, ply, index, total)
        outcome = make_move_and_advance(state, ply, move)
        if outcome == ILLEGAL:
            continue
        legal += 1
        if outcome == WINS:
            score = WIN - ply - 1
            state.lines[ply + 1].length = 0
        elif legal == 1:
            # Step 5. The first move, with the full window.
            score = -search_best_reply(state, ply + 1, depth - 1, -beta, -alpha)
        else:
            # Step 6. The others, with a null window, and late walls to less depth. Re-search better ones.
            reduction = 1 if depth > 2 and legal > 4 and (move & MOVE_MASK) >= HORIZONTAL else 0
            score = -search_best_reply(state, ply + 1, depth - 1 - reduction, -alpha - 1, -alpha)
            if score > alpha and (reduction or score < beta):
                score = -search_best_reply(state, ply + 1, depth - 1, -beta, -alpha)
        if state.stop:
            return 0
        # Step 7. A new best move; a cutoff.
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                alpha = score
                # The move includes its seat, which need not be the next in turn.
                update_pv(state, ply, move)
                if ply == 0:
                    state.root_best = index
                    state.root_score = score
                if score >= beta:
                    reward(state, ply, move, index, depth)
                    break
    if legal == 0:
        return _evaluate(state, ply)
    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    store(state, ply, best_move, best, bound, depth)
    return best
