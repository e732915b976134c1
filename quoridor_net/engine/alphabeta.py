"""Kernel: principal variation search for two players."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel, recursive
from quoridor_net.engine.evaluation import certificate, evaluate, evaluate_excited
from quoridor_net.engine.layout import (
    DECIDED,
    DISTANCE,
    DOUBTFUL,
    HAS_NETWORK,
    HORIZONTAL,
    INFINITY,
    IS_PAUSED,
    KEY,
    LEFT,
    LINE,
    LINES,
    LIST,
    LISTS,
    MOVE,
    NO_MOVE,
    PLIES,
    ROOT_BEST,
    ROOT_SCORE,
    ROW,
    ROWS,
    RUN,
    STOP,
    TURN,
    WIN,
)
from quoridor_net.engine.lines import begin_node, is_repeated, keep_line, play
from quoridor_net.engine.network import LOGIT
from quoridor_net.engine.neurons import excite, feed
from quoridor_net.engine.ordering import (
    PRIOR,
    fill,
    fill_rest,
    fill_root,
    is_playable,
    order,
    pick,
    rank,
    rank_root,
    reward,
)
from quoridor_net.engine.plays import flood_rest, give_turn
from quoridor_net.engine.table import (
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
from quoridor_net.engine.weights import (
    GAP,
    PRUNE_DEPTH,
    PRUNE_GAP,
    REDUCE_FROM,
    REDUCE_ONE,
    REDUCE_THREE,
    REDUCE_TWO,
    SURE_DEPTH,
    SURE_MARGIN,
)
from quoridor_net.engine.words import Numbers, Words

#: No prior is so small.
_NONE = -INFINITY * LOGIT


@kernel
def _has_walls(memory: Words, row: int) -> int:
    """Return whether walls are left to place; races without them are searched to their end."""
    return memory[row + LEFT] + memory[row + LEFT + 1]


@kernel
def _pass(memory: Words, ply: int) -> None:
    """Copy the row at ``ply`` to the next with the other seat to move."""
    row = ROWS + ply * ROW
    for index in range(ROW):
        memory[row + ROW + index] = memory[row + index]
    give_turn(memory, row + ROW, 1 - memory[row + TURN])
    memory[row + ROW + RUN] = 0
    memory[row + ROW + MOVE] = NO_MOVE


@kernel
def _reduction(memory: Words, ply: int, move: int, depth: int, tried: int) -> int:
    """Return by how many plies less the ``tried``-th move is searched at first."""
    if depth < memory[REDUCE_FROM]:
        return 0
    row = ROWS + ply * ROW
    if move < HORIZONTAL:
        seat = memory[row + TURN]
        return 0 if memory[row + ROW + DISTANCE + seat] < memory[row + DISTANCE + seat] else 1
    less = 0
    if tried > memory[REDUCE_ONE]:
        less = 1
    if tried > memory[REDUCE_TWO]:
        less = 2
    if tried > memory[REDUCE_THREE] and depth > 5:
        less = 3
    return min(less, depth - 2)


@kernel
def _reduction_by_prior(memory: Words, ply: int, index: int, depth: int, top: int) -> int:
    """Return by how many plies less the move listed at ``index`` is searched at first."""
    if depth < 2:
        return 0
    gap = top - memory[LISTS + ply * LIST + PRIOR + index]
    return min(max(gap, 0) // memory[GAP], depth - 1)


@kernel
def _prunes(memory: Words, depth: int) -> int:
    """Return whether moves are left out so near the end of the line because they are unlikely."""
    return 1 if memory[HAS_NETWORK] and depth <= memory[PRUNE_DEPTH] else 0


@kernel
def _is_hopeless(memory: Words, ply: int, index: int, depth: int, top: int) -> int:
    """Return whether the move listed at ``index`` is not worth a look so near the end of the line.

    Not only to save time: a wall as the last move of a line looks better than it is.
    """
    if ply == 0 or not _prunes(memory, depth):
        return 0
    return 1 if memory[LISTS + ply * LIST + PRIOR + index] < top - memory[PRUNE_GAP] else 0


@kernel
def _list_rest(memory: Words, ply: int, total: int, depth: int, top: int) -> int:
    """List the moves that were not worth a look, to find whether one helps after all."""
    return fill_rest(memory, ply, total, top - memory[PRUNE_GAP] if _prunes(memory, depth) else _NONE)


@kernel
def _is_sure(memory: Words, depth: int, beta: int) -> int:
    """Return whether the static value may settle a node with ``depth`` plies to go."""
    return 1 if depth <= memory[SURE_DEPTH] and abs(beta) < DECIDED else 0


@kernel
def _list(numbers: Numbers, memory: Words, ply: int, table_move: int) -> tuple[int, int]:
    """List the moves in order; return how many there are and the largest prior, 0 without the network."""
    top = 0
    if ply == 0:
        if memory[HAS_NETWORK]:
            top = rank_root(numbers, memory)
        return fill_root(memory), top
    total = fill(memory, ply)
    if memory[HAS_NETWORK]:
        top = rank(numbers, memory, ply, total, table_move)
    else:
        order(memory, ply, total, table_move)
    return total, top


@recursive("i8(i8[::1], i2[::1], i8[::1], i8, i8, i8, i8)")
def search(memory: Words, numbers: Numbers, table: Words, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Return the score of the seat to move in the row at ``ply``, searched to ``depth`` plies.

    Between ``alpha`` and ``beta`` the score is exact, outside it is a bound. At ply 0 the moves are the root
    moves, the best of which is written to the memory. The result means nothing after a stop or a pause.

    Who loses by all moves that are usually worth a look scores ``-DOUBTFUL``; the rest is looked at where
    that does not settle the matter, so that a win beyond it is proven.
    """
    row = ROWS + ply * ROW
    if begin_node(memory, ply):
        return 0
    table_move = NO_MOVE
    if ply > 0:
        if is_repeated(memory, ply):
            return 0
        known = certificate(memory, ply)
        if known != 0:
            return known
        if (depth <= 0 and _has_walls(memory, row)) or ply >= PLIES - 2:
            return evaluate(memory, numbers, ply)
        word = probe(memory, table, memory[row + KEY])
        if word != 0:
            table_move = entry_move(word)
            if entry_depth(word) >= depth and beta - alpha == 1:
                known = entry_score(word, ply)
                bound = entry_bound(word)
                if (bound & LOWER and known >= beta) or (bound & UPPER and known <= alpha):
                    return known
        if memory[HAS_NETWORK]:
            feed(numbers, memory, ply, memory[row + TURN])
            excite(numbers, memory, ply)
            if beta - alpha == 1 and _is_sure(memory, depth, beta) and _has_walls(memory, row):
                known = evaluate_excited(memory, numbers, ply) - memory[SURE_MARGIN] * depth
                if known >= beta:
                    return known
            feed(numbers, memory, ply, 1 - memory[row + TURN])
    flood_rest(memory, ply)
    best = -INFINITY
    best_move = NO_MOVE
    first_alpha = alpha
    legal = 0
    top = 0
    total = -1
    # The moves of the root are all there, and so are steps where nothing else can be played.
    is_whole = ply == 0 or not (memory[row + LEFT + memory[row + TURN]] or _prunes(memory, depth))
    # The table's move often settles the matter: the others are listed only when it has not.
    is_first = ply > 0 and is_playable(memory, ply, table_move)
    index = -1 if is_first else 0
    while True:
        if index < 0:
            move = table_move
        else:
            if total < 0:
                total, top = _list(numbers, memory, ply, table_move)
            if index >= total and not is_whole and (legal == 0 or best < -DOUBTFUL):
                if legal > 0 and first_alpha >= -DOUBTFUL:
                    best = -DOUBTFUL
                    break
                is_whole = True
                total = _list_rest(memory, ply, total, depth, top)
                index = top = 0
            if index >= total:
                break
            move = pick(memory, ply, index, total)
            if (is_first and move == table_move) or (
                legal > 0 and _is_hopeless(memory, ply, index, depth, top)
            ):
                index += 1
                continue
        index += 1
        outcome = play(memory, ply, move)
        if outcome == 0:
            continue
        legal += 1
        if outcome == 2:
            score = WIN - ply - 1
            memory[LINES + (ply + 1) * LINE] = 0
        elif legal == 1:
            score = -search(memory, numbers, table, ply + 1, depth - 1, -beta, -alpha)
        else:
            if memory[HAS_NETWORK]:
                less = _reduction_by_prior(memory, ply, index - 1, depth, top)
            else:
                less = _reduction(memory, ply, move, depth, legal)
            score = -search(memory, numbers, table, ply + 1, depth - 1 - less, -alpha - 1, -alpha)
            if score > alpha and less > 0:
                score = -search(memory, numbers, table, ply + 1, depth - 1, -alpha - 1, -alpha)
            if alpha < score < beta:
                score = -search(memory, numbers, table, ply + 1, depth - 1, -beta, -alpha)
        if memory[STOP] | memory[IS_PAUSED]:
            return 0
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                alpha = score
                keep_line(memory, ply, move)
                if ply == 0:
                    memory[ROOT_BEST] = index - 1
                    memory[ROOT_SCORE] = score
                if score >= beta:
                    reward(memory, ply, move, index - 1, depth)
                    break
    if legal == 0:
        # Nothing to play here: the turn passes.
        _pass(memory, ply)
        return -search(memory, numbers, table, ply + 1, depth - 1, -beta, -alpha)
    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    if bound == UPPER:
        best_move = NO_MOVE
    store(memory, table, memory[row + KEY], best_move, best, bound, depth, ply)
    return best
