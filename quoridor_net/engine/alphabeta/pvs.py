"""Kernel: principal variation search for two players.

The first move of a node is searched with the full window. The others are searched with a *null window*
(*scout*) and, if late or unlikely, to less depth (*late move reductions*). Moves that turn out better are
searched again. A node with a static value far above beta is cut off at once (*reverse futility*).
"""

from __future__ import annotations

from quoridor_net.engine.alphabeta.move_ordering import reward
from quoridor_net.engine.alphabeta.move_picker import next_move, reduction_by_prior, start_moves
from quoridor_net.engine.alphabeta.node import begin_node, is_interrupted, update_pv
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
from quoridor_net.engine.board.distances import flood_rest
from quoridor_net.engine.board.make import make_move, push_null
from quoridor_net.engine.board.moves import HORIZONTAL, ILLEGAL, NO_MOVE, PLIES, WINS
from quoridor_net.engine.board.repetition import is_repeated
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.endgame.race import race_score
from quoridor_net.engine.evaluation.accumulator import update
from quoridor_net.engine.evaluation.evaluate import evaluate, evaluate_active
from quoridor_net.engine.evaluation.forward import forward
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.jit import kernel, recursive
from quoridor_net.engine.scores import DECIDED, DOUBTFUL, INFINITY, WIN
from quoridor_net.jit.records import kernel_type
from quoridor_net.jit.types import NUMBER


@kernel
def _reduction(state: SearchState, ply: int, move: int, depth: int, tried: int) -> int:
    """Return the number of plies by which the first search of the ``tried``-th move is reduced."""
    if state.has_network:
        return reduction_by_prior(state, ply, depth)
    weights = state.weights
    if depth < weights.lmr_depth:
        return 0
    frame, new = state.frames[ply], state.frames[ply + 1]
    if move < HORIZONTAL:
        return 0 if new.distances[frame.turn] < frame.distances[frame.turn] else 1
    reduction = 0
    if tried > weights.lmr_one:
        reduction = 1
    if tried > weights.lmr_two:
        reduction = 2
    if tried > weights.lmr_three and depth > 5:
        reduction = 3
    return min(reduction, depth - 2)


@kernel
def _begin(
    state: SearchState, net: Network, ply: int, depth: int, alpha: int, beta: int
) -> tuple[bool, int, int]:
    """Check whether the score of the node at ``ply``, not the root, is known (steps 2 to 5).

    Returns:
        Whether it is known, the score if so, and the move of the transposition table. If it is not known,
        both accumulators are up to date.
    """
    frame = state.frames[ply]
    has_walls = frame.walls_left[0] + frame.walls_left[1] > 0
    # Step 2. Draws by repetition, and races that distances decide.
    if is_repeated(state, ply):
        return True, 0, NO_MOVE
    score = race_score(state, ply)
    if score != 0:
        return True, score, NO_MOVE
    # Step 3. Leaves. Races without walls are searched to their end.
    if (depth <= 0 and has_walls) or ply >= PLIES - 2:
        return True, evaluate(state, net, ply), NO_MOVE
    # Step 4. The transposition table.
    table_move = NO_MOVE
    packed = probe(state, frame.key)
    if packed != 0:
        table_move = entry_move(packed)
        if entry_depth(packed) >= depth and beta - alpha == 1:
            score = entry_score(packed, ply)
            bound = entry_bound(packed)
            if (bound & LOWER and score >= beta) or (bound & UPPER and score <= alpha):
                return True, score, table_move
    # Step 5. Reverse futility.
    if state.has_network:
        update(state, net, ply, frame.turn)
        forward(state, net, ply)
        if beta - alpha == 1 and depth <= state.weights.rfp_depth and abs(beta) < DECIDED and has_walls:
            score = evaluate_active(state, net, ply) - state.weights.rfp_margin * depth
            if score >= beta:
                return True, score, table_move
        update(state, net, ply, 1 - frame.turn)
    return False, 0, table_move


@recursive(NUMBER(kernel_type(SearchState), kernel_type(Network), NUMBER, NUMBER, NUMBER, NUMBER))
def search(state: SearchState, net: Network, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Return the score of the seat to move at ``ply``, searched to ``depth`` plies.

    Between ``alpha`` and ``beta`` the score is exact, outside it is a bound. At ply 0 the moves are the root
    moves, and the best one is written to the state. After a stop or a pause the result is meaningless.

    If all likely moves lose, the score is ``-DOUBTFUL``, which is not a proven loss. If ``alpha`` is below
    that, the other moves are searched as well, so that the loss can be proven.
    """
    # Step 1. Count the node; stop or pause.
    if begin_node(state, ply):
        return 0
    table_move = NO_MOVE
    if ply > 0:
        is_known, score, table_move = _begin(state, net, ply, depth, alpha, beta)
        if is_known:
            return score
    flood_rest(state, ply)
    best = -INFINITY
    best_move = NO_MOVE
    first_alpha = alpha
    legal = 0
    start_moves(state, ply, table_move, depth)
    while True:
        # Step 6. The next move. Unlikely ones are searched only if the others do not decide the score.
        wants_rest = legal == 0 or (best < -DOUBTFUL and first_alpha < -DOUBTFUL)
        move = next_move(state, net, ply, depth, legal, wants_rest)
        if move == NO_MOVE:
            break
        # Step 7. Make it; walls that cut a pawn off are illegal.
        outcome = make_move(state, ply, move)
        if outcome == ILLEGAL:
            continue
        legal += 1
        if outcome == WINS:
            score = WIN - ply - 1
            state.lines[ply + 1].length = 0
        elif legal == 1:
            # Step 8. The first move, with the full window.
            score = -search(state, net, ply + 1, depth - 1, -beta, -alpha)
        else:
            # Step 9. The others, with a null window, and late moves to less depth. Re-search better ones.
            reduction = _reduction(state, ply, move, depth, legal)
            score = -search(state, net, ply + 1, depth - 1 - reduction, -alpha - 1, -alpha)
            if score > alpha and reduction > 0:
                score = -search(state, net, ply + 1, depth - 1, -alpha - 1, -alpha)
            if alpha < score < beta:
                score = -search(state, net, ply + 1, depth - 1, -beta, -alpha)
        if is_interrupted(state):
            return 0
        # Step 10. A new best move; a cutoff.
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                alpha = score
                update_pv(state, ply, move)
                if ply == 0:
                    state.root_best = state.pickers[0].index - 1
                    state.root_score = score
                if score >= beta:
                    reward(state, ply, move, state.pickers[ply].index - 1, depth)
                    break
    # Step 11. No legal move: the turn passes.
    if legal == 0:
        push_null(state, ply)
        return -search(state, net, ply + 1, depth - 1, -beta, -alpha)
    # Step 12. If only the likely moves are known to lose, the loss is not proven.
    if best < -DOUBTFUL and first_alpha >= -DOUBTFUL and not state.pickers[ply].is_whole:
        best = -DOUBTFUL
    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    store(state, ply, NO_MOVE if bound == UPPER else best_move, best, bound, depth)
    return best
