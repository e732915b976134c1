"""Kernel: best-reply search for four players.

After each move of the seat the search is for, the hero, only one rival answers, with the reply that hurts it
most, and the others pass (Schadd and Winands, "Best Reply Search for Multiplayer Games", 2011). The
rivals so never join in a plot, and the search looks ahead far enough to count races.
"""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel, recursive
from quoridor_net.engine.floods import corridor_of, distance_of, layers_at
from quoridor_net.engine.layout import (
    CELLS,
    CUT_HORIZONTAL,
    CUT_VERTICAL,
    DISTANCE,
    FIT_HORIZONTAL,
    FIT_VERTICAL,
    FOUND_AT,
    HORIZONTAL,
    INFINITY,
    KEY,
    LEFT,
    LINE,
    LINES,
    LIST,
    LISTS,
    NO_MOVE,
    PAWN,
    PAWN_KEYS,
    PLAYERS,
    PLIES,
    ROOT_BEST,
    ROOT_SCORE,
    ROOT_SEAT,
    ROW,
    ROWS,
    SLOT,
    STOP,
    TURN,
    VERTICAL,
    WIN,
)
from quoridor_net.engine.lines import begin_node, keep_line, play
from quoridor_net.engine.ordering import HALF, MOVE_MASK, SEAT_SHIFT, fill_root, order_score, pick, reward
from quoridor_net.engine.plays import flood_rest, give_turn
from quoridor_net.engine.sets import lowest, single, steps
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
from quoridor_net.engine.weights import NEAREST, PLAIN_WALLS, WALLS_VALUED
from quoridor_net.engine.words import Words

_STEP_SCORE = 20000


@kernel
def evaluate_many(memory: Words, row: int) -> int:
    """Return what the row is worth to the seat the search is for: its lead over the nearest and over all."""
    seat = memory[ROOT_SEAT]
    own = memory[row + DISTANCE + seat]
    nearest = 1000
    total = 0
    rivals = 0
    walls: int = 0
    for other in range(memory[PLAYERS]):
        if other != seat and memory[row + PAWN + other] >= 0:
            nearest = min(nearest, memory[row + DISTANCE + other])
            total += memory[row + DISTANCE + other]
            rivals += 1
            walls += memory[PLAIN_WALLS + min(memory[row + LEFT + other], WALLS_VALUED)]
    if rivals == 0:
        return 0
    lead = memory[NEAREST] * (nearest - own) + (100 - memory[NEAREST]) * (total - rivals * own) // rivals
    worth = memory[PLAIN_WALLS + min(memory[row + LEFT + seat], WALLS_VALUED)] - walls // (2 * rivals)
    return lead + worth


@kernel
def _list_steps(memory: Words, ply: int, total: int, table_move: int, seat: int, side: int) -> int:
    row = ROWS + ply * ROW
    place = LISTS + ply * LIST
    low, high = steps(memory, row)
    near = memory[row + DISTANCE + seat]
    while low | high:
        square = lowest(low, high)
        one_low, one_high = single(square)
        low, high = low & ~one_low, high & ~one_high
        gain = near - distance_of(memory, memory[row + SLOT], seat, square, near)
        if gain > 0 or seat == memory[ROOT_SEAT]:
            move = square | seat << SEAT_SHIFT
            memory[place + total] = move
            score = order_score(memory, ply, side, square, move == table_move)
            memory[place + HALF + total] = score + gain * _STEP_SCORE
            total += 1
    return total


@kernel
def _list_cuts(
    memory: Words, ply: int, total: int, table_move: int, seat: int, side: int, victim: int
) -> int:
    """List the walls of ``seat`` that cut a shortest path of ``victim`` and are not yet in the list."""
    row = ROWS + ply * ROW
    place = LISTS + ply * LIST
    corridor = corridor_of(memory, ply, victim)
    start = total
    for way in range(2):
        base = VERTICAL if way else HORIZONTAL
        cut = corridor + (CUT_VERTICAL if way else CUT_HORIZONTAL)
        fit = row + (FIT_VERTICAL if way else FIT_HORIZONTAL)
        low, high = memory[cut] & memory[fit], memory[cut + 1] & memory[fit + 1]
        while low | high and total < HALF - 1:
            anchor = lowest(low, high)
            one_low, one_high = single(anchor)
            low, high = low & ~one_low, high & ~one_high
            move = (base + anchor) | seat << SEAT_SHIFT
            is_new = True
            for index in range(start):
                is_new = is_new and memory[place + index] != move
            if is_new:
                memory[place + total] = move
                memory[place + HALF + total] = order_score(
                    memory, ply, side, base + anchor, move == table_move
                )
                total += 1
    return total


@kernel
def fill_many(memory: Words, ply: int, table_move: int) -> int:
    """List the moves of the seat to move: its own if the search is for it, else the replies of all rivals."""
    row = ROWS + ply * ROW
    hero = memory[ROOT_SEAT]
    turn = memory[row + TURN]
    total = 0
    if turn == hero:
        total = _list_steps(memory, ply, total, table_move, hero, hero)
        if memory[row + LEFT + hero] > 0:
            nearest = 1000
            for other in range(memory[PLAYERS]):
                if other != hero and memory[row + PAWN + other] >= 0:
                    nearest = min(nearest, memory[row + DISTANCE + other])
            for other in range(memory[PLAYERS]):
                if (
                    other != hero
                    and memory[row + PAWN + other] >= 0
                    and memory[row + DISTANCE + other] <= nearest + 1
                ):
                    total = _list_cuts(memory, ply, total, table_move, hero, hero, other)
        return total
    builder = -1
    for other in range(memory[PLAYERS]):
        if other != hero and memory[row + PAWN + other] >= 0:
            give_turn(memory, row, other)
            total = _list_steps(memory, ply, total, table_move, other, turn)
            if memory[row + LEFT + other] > 0 and builder < 0:
                builder = other
    if builder >= 0:
        total = _list_cuts(memory, ply, total, table_move, builder, turn, hero)
    give_turn(memory, row, turn)
    return total


@kernel
def _advance(memory: Words, row: int, seat: int) -> int:
    """Have ``seat`` step along a shortest path in place; return 1 if that wins, else 0."""
    give_turn(memory, row, seat)
    distance = memory[row + DISTANCE + seat]
    low, high = steps(memory, row)
    # A chained jump leads over all others.
    for gain in range(memory[PLAYERS], 0, -1):
        if distance >= gain:
            place = layers_at(memory[row + SLOT], seat) + 2 * (distance - gain)
            next_low, next_high = low & memory[place], high & memory[place + 1]
            if next_low | next_high:
                square = lowest(next_low, next_high)
                keys = PAWN_KEYS + seat * CELLS
                memory[row + KEY] ^= memory[keys + memory[row + PAWN + seat]] ^ memory[keys + square]
                memory[row + PAWN + seat] = square
                memory[row + DISTANCE + seat] = distance - gain
                memory[row + FOUND_AT + seat] = -1
                return 1 if distance == gain else 0
    return 0


@kernel
def play_many(memory: Words, ply: int, move: int) -> int:
    """Play a listed move into the next row; after a rival's reply the other rivals each step on as well."""
    row = ROWS + ply * ROW
    new = row + ROW
    hero = memory[ROOT_SEAT]
    turn = memory[row + TURN]
    if turn == hero:
        return play(memory, ply, move & MOVE_MASK)
    actor = move >> SEAT_SHIFT
    give_turn(memory, row, actor)
    outcome = play(memory, ply, move & MOVE_MASK)
    give_turn(memory, row, turn)
    if outcome == 1:
        flood_rest(memory, ply + 1)
        for other in range(memory[PLAYERS]):
            if other not in (hero, actor) and memory[new + PAWN + other] >= 0 and outcome == 1:
                outcome += _advance(memory, new, other)
        give_turn(memory, new, hero)
    return outcome


@recursive("i8(i8[::1], i8[::1], i8, i8, i8, i8)")
def search_many(memory: Words, table: Words, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Return the score of the row at ``ply`` for the side to move, the hero or its rivals together.

    Used like :func:`quoridor_net.engine.alphabeta.search`.
    """
    row = ROWS + ply * ROW
    hero = memory[ROOT_SEAT]
    if begin_node(memory, ply):
        return 0
    table_move = NO_MOVE
    if ply > 0:
        if depth <= 0 or ply >= PLIES - 2:
            score = evaluate_many(memory, row)
            return score if memory[row + TURN] == hero else -score
        word = probe(memory, table, memory[row + KEY])
        if word != 0:
            table_move = entry_move(word)
            if entry_depth(word) >= depth:
                known = entry_score(word, ply)
                bound = entry_bound(word)
                if (
                    bound == EXACT
                    or (bound == LOWER and known >= beta)
                    or (bound == UPPER and known <= alpha)
                ):
                    return known
        flood_rest(memory, ply)
        total = fill_many(memory, ply, table_move)
    else:
        total = fill_root(memory)
    best = -INFINITY
    best_move = NO_MOVE
    first_alpha = alpha
    legal = 0
    for index in range(total):
        move = pick(memory, ply, index, total)
        outcome = play_many(memory, ply, move)
        if outcome == 0:
            continue
        legal += 1
        if outcome == 2:
            score = WIN - ply - 1
            memory[LINES + (ply + 1) * LINE] = 0
        elif legal == 1:
            score = -search_many(memory, table, ply + 1, depth - 1, -beta, -alpha)
        else:
            less = 1 if depth > 2 and legal > 4 and (move & MOVE_MASK) >= HORIZONTAL else 0
            score = -search_many(memory, table, ply + 1, depth - 1 - less, -alpha - 1, -alpha)
            if score > alpha and (less or score < beta):
                score = -search_many(memory, table, ply + 1, depth - 1, -beta, -alpha)
        if memory[STOP]:
            return 0
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                alpha = score
                # With its seat: it need not be the one whose turn is next.
                keep_line(memory, ply, move)
                if ply == 0:
                    memory[ROOT_BEST] = index
                    memory[ROOT_SCORE] = score
                if score >= beta:
                    reward(memory, ply, move, index, depth)
                    break
    if legal == 0:
        score = evaluate_many(memory, row)
        return score if memory[row + TURN] == hero else -score
    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    store(memory, table, memory[row + KEY], best_move, best, bound, depth, ply)
    return best
