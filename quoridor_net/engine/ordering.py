"""Kernel: which moves are searched, and in what order."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.floods import corridor_of, distance_of
from quoridor_net.engine.layout import (
    CHOKE_HORIZONTAL,
    CHOKE_VERTICAL,
    CUT_HORIZONTAL,
    CUT_VERTICAL,
    DISTANCE,
    EFFECTS,
    FIT_HORIZONTAL,
    FIT_VERTICAL,
    HISTORY,
    HORIZONTAL,
    INFINITY,
    KILLERS,
    LEFT,
    LIST,
    LISTS,
    MOVES,
    NO_MOVE,
    ROOT_COUNT,
    ROOT_MOVES,
    ROW,
    ROWS,
    SEATS,
    SLOT,
    TURN,
    VERTICAL,
)
from quoridor_net.engine.network import LOGIT
from quoridor_net.engine.neurons import (
    excite,
    feed_all,
    prior_of_effect,
    prior_of_flags,
    prior_of_spoil,
    prior_of_step,
    prior_of_wall,
)
from quoridor_net.engine.sets import holds, single, steps, write_numbers
from quoridor_net.engine.threats import LIST as LISTED_AT
from quoridor_net.engine.threats import LISTED, threats_at
from quoridor_net.engine.weights import PRIOR_HISTORY, PRIOR_KILLER
from quoridor_net.engine.words import Numbers, Words

HALF = LIST // 3
#: The prior of a listed move lies so far behind it.
PRIOR = 2 * HALF
#: Above its number a listed move may carry the seat that plays it.
SEAT_SHIFT = 9
MOVE_MASK = (1 << SEAT_SHIFT) - 1
_FIRST = 1 << 30
_KILLER = 16000
_STEP = 20000
_CHOKE = 4000
HISTORY_LIMIT = 8000


@kernel
def fill_root(memory: Words) -> int:
    """List the root moves in the order the caller has put them in; return how many there are."""
    total = memory[ROOT_COUNT]
    for index in range(total):
        memory[LISTS + index] = memory[ROOT_MOVES + index]
        memory[LISTS + HALF + index] = -index
    return total


@kernel
def rank_root(numbers: Numbers, memory: Words) -> int:
    """List the root moves with their priors; return the largest."""
    total = fill_root(memory)
    feed_all(numbers, memory, 0)
    excite(numbers, memory, 0)
    return rank(numbers, memory, 0, total, NO_MOVE)


@kernel
def fill(memory: Words, ply: int) -> int:
    """List the steps, and the walls that cut a shortest path of the opponent; return how many there are.

    Walls fit but may close a path: playing them tells. The order is up to :func:`order` or :func:`rank`.
    """
    row = ROWS + ply * ROW
    seat = memory[row + TURN]
    low, high = steps(memory, row)
    total = append(memory, ply, 0, 0, low, high)
    if memory[row + LEFT + seat] <= 0:
        return total
    return _append_walls(memory, ply, total, 0)


@kernel
def _append_walls(memory: Words, ply: int, total: int, others: int) -> int:
    """List the walls that cut a shortest path of the opponent, or with ``others`` all others that fit."""
    row = ROWS + ply * ROW
    corridor = corridor_of(memory, ply, 1 - memory[row + TURN])
    flip = -1 if others else 0
    cut, fits = corridor + CUT_HORIZONTAL, row + FIT_HORIZONTAL
    low, high = (memory[cut] ^ flip) & memory[fits], (memory[cut + 1] ^ flip) & memory[fits + 1]
    total = append(memory, ply, total, HORIZONTAL, low, high)
    cut, fits = corridor + CUT_VERTICAL, row + FIT_VERTICAL
    low, high = (memory[cut] ^ flip) & memory[fits], (memory[cut + 1] ^ flip) & memory[fits + 1]
    return append(memory, ply, total, VERTICAL, low, high)


@kernel
def fill_rest(memory: Words, ply: int, total: int, least: int) -> int:
    """List what was left out so far: moves in the list whose prior is below ``least``, and all other walls.

    Returns:
        How many there are. They are in no order.
    """
    row = ROWS + ply * ROW
    place = LISTS + ply * LIST
    count = 0
    for index in range(total):
        if memory[place + PRIOR + index] < least:
            memory[place + count] = memory[place + index]
            count += 1
    if memory[row + LEFT + memory[row + TURN]] > 0:
        count = _append_walls(memory, ply, count, 1)
    for index in range(count):
        memory[place + HALF + index] = 0
        memory[place + PRIOR + index] = 0
    return count


@kernel
def append(memory: Words, ply: int, total: int, base: int, low: int, high: int) -> int:
    """List ``base`` plus each number of the set after ``total`` moves; return how many there are then."""
    place = LISTS + ply * LIST
    return write_numbers(memory, place + total, base, low, high) - place


@kernel
def order(memory: Words, ply: int, total: int, table_move: int) -> None:
    """Put the listed moves in order: steps forward and walls that lengthen the way first, then by history."""
    row = ROWS + ply * ROW
    seat = memory[row + TURN]
    place = LISTS + ply * LIST
    near = memory[row + DISTANCE + seat]
    corridor = corridor_of(memory, ply, 1 - seat) if memory[row + LEFT + seat] > 0 else 0
    for index in range(total):
        move = memory[place + index]
        score = order_score(memory, ply, seat, move, move == table_move)
        if move < HORIZONTAL:
            score += _STEP * (near - distance_of(memory, memory[row + SLOT], seat, move, near))
        else:
            choke = corridor + (CHOKE_HORIZONTAL if move < VERTICAL else CHOKE_VERTICAL)
            anchor = move - (HORIZONTAL if move < VERTICAL else VERTICAL)
            if holds(memory[choke], memory[choke + 1], anchor):
                score += _CHOKE
        memory[place + HALF + index] = score


@kernel
def find_priors(numbers: Numbers, memory: Words, ply: int, total: int) -> int:
    """Write beside each of the listed moves what the network's prior says of it.

    The network has been excited at ``ply``.

    Returns:
        The largest prior.
    """
    row = ROWS + ply * ROW
    seat = memory[row + TURN]
    place = LISTS + ply * LIST
    near = memory[row + DISTANCE + seat]
    top = -INFINITY * LOGIT
    cut_other = choke_other = cut_own = choke_own = 0
    corridor = own_corridor = 0
    if memory[row + LEFT + seat] > 0:
        corridor = own_corridor = corridor_of(memory, ply, 1 - seat)
        choke_other = prior_of_flags(numbers, ply, 1)
        cut_other = prior_of_flags(numbers, ply, 0)
        if memory[row + LEFT + 1 - seat] > 0:
            own_corridor = corridor_of(memory, ply, seat)
            cut_own = prior_of_flags(numbers, ply, 2)
            choke_own = prior_of_flags(numbers, ply, 3)
    _mark(memory, ply, 1)
    for index in range(total):
        move = memory[place + index]
        if move < HORIZONTAL:
            gain = near - distance_of(memory, memory[row + SLOT], seat, move, near)
            prior = prior_of_step(numbers, memory, ply, move, gain)
        else:
            prior = prior_of_wall(numbers, memory, ply, move)
            effect = memory[EFFECTS + move]
            if effect:
                prior += prior_of_effect(numbers, ply, effect)
            effect = memory[EFFECTS + MOVES + move]
            if effect:
                prior += prior_of_spoil(numbers, ply, effect)
            low, high = single(move - (HORIZONTAL if move < VERTICAL else VERTICAL))
            side = CUT_HORIZONTAL if move < VERTICAL else CUT_VERTICAL
            at = corridor + side
            if (memory[at] & low) | (memory[at + 1] & high):
                prior += cut_other
                if (memory[at + CHOKE_HORIZONTAL] & low) | (memory[at + CHOKE_HORIZONTAL + 1] & high):
                    prior += choke_other
            at = own_corridor + side
            if (memory[at] & low) | (memory[at + 1] & high):
                prior += cut_own
                if (memory[at + CHOKE_HORIZONTAL] & low) | (memory[at + CHOKE_HORIZONTAL + 1] & high):
                    prior += choke_own
        memory[place + PRIOR + index] = prior
        top = max(top, prior)
    _mark(memory, ply, 0)
    return top


@kernel
def rank(numbers: Numbers, memory: Words, ply: int, total: int, table_move: int) -> int:
    """Put the listed moves in the order that the network's prior and the history suggest.

    The network has been excited at ``ply``.

    Returns:
        The largest prior.
    """
    seat = memory[ROWS + ply * ROW + TURN]
    place = LISTS + ply * LIST
    top = find_priors(numbers, memory, ply, total)
    for index in range(total):
        move = memory[place + index]
        score = memory[place + PRIOR + index]
        score += memory[HISTORY + seat * MOVES + move] * memory[PRIOR_HISTORY] // 64
        if move == memory[KILLERS + 2 * ply] or move == memory[KILLERS + 2 * ply + 1]:
            score += memory[PRIOR_KILLER]
        memory[place + HALF + index] = _FIRST if move == table_move else score
    return top


@kernel
def _mark(memory: Words, ply: int, is_on: int) -> None:
    """Note for each wall its effect, and that of the rival's wall which it would cross; or take that back."""
    seat = memory[ROWS + ply * ROW + TURN]
    threats = threats_at(ply, 1 - seat)
    for index in range(memory[threats + LISTED]):
        at = threats + LISTED_AT + 2 * index
        memory[EFFECTS + memory[at]] = memory[at + 1] * is_on
    threats = threats_at(ply, seat)
    for index in range(memory[threats + LISTED]):
        at = threats + LISTED_AT + 2 * index
        crossing = memory[at] + (VERTICAL - HORIZONTAL if memory[at] < VERTICAL else HORIZONTAL - VERTICAL)
        memory[EFFECTS + MOVES + crossing] = memory[at + 1] * is_on


@kernel
def order_score(memory: Words, ply: int, seat: int, move: int, is_table_move: int) -> int:
    """Return how early a move is to be tried: the table's first, killers next, the rest by their history."""
    if is_table_move:
        return _FIRST
    score = memory[HISTORY + seat * MOVES + move]
    if move == memory[KILLERS + 2 * ply] or move == memory[KILLERS + 2 * ply + 1]:
        score += _KILLER
    return score


@kernel
def pick(memory: Words, ply: int, index: int, total: int) -> int:
    """Bring the best move not yet tried to ``index`` and return it."""
    place = LISTS + ply * LIST
    best = index
    for other in range(index + 1, total):
        if memory[place + HALF + other] > memory[place + HALF + best]:
            best = other
    move = memory[place + best]
    if best != index:
        for part in (place, place + HALF, place + PRIOR):
            memory[part + best], memory[part + index] = memory[part + index], memory[part + best]
    return move


@kernel
def is_playable(memory: Words, ply: int, move: int) -> int:
    """Return 1 if the table's move could be played at ``ply``, save that a wall may cut somebody off."""
    row = ROWS + ply * ROW
    if move < 0:
        return 0
    if move < HORIZONTAL:
        low, high = steps(memory, row)
        return holds(low, high, move)
    if memory[row + LEFT + memory[row + TURN]] <= 0:
        return 0
    if move < VERTICAL:
        fits, anchor = row + FIT_HORIZONTAL, move - HORIZONTAL
    else:
        fits, anchor = row + FIT_VERTICAL, move - VERTICAL
    return holds(memory[fits], memory[fits + 1], anchor)


@kernel
def reward(memory: Words, ply: int, move: int, index: int, depth: int) -> None:
    """Remember that ``move``, listed at ``index``, refuted the line, and that those before it did not.

    The index is -1 for a move that was tried before any were listed.
    """
    seat = memory[ROWS + ply * ROW + TURN]
    place = LISTS + ply * LIST
    bonus = min(depth * depth * 8, 1600)
    move &= MOVE_MASK
    at = HISTORY + seat * MOVES + move
    memory[at] += bonus - memory[at] * bonus // HISTORY_LIMIT
    for tried in range(index):
        at = HISTORY + seat * MOVES + (memory[place + tried] & MOVE_MASK)
        memory[at] -= bonus + memory[at] * bonus // HISTORY_LIMIT
    killers = KILLERS + 2 * ply
    if memory[killers] != move:
        memory[killers + 1] = memory[killers]
        memory[killers] = move


@kernel
def fade(memory: Words) -> None:
    """Halve the history, and forget the killers, between two moves of a game."""
    for index in range(SEATS * MOVES):
        memory[HISTORY + index] //= 2
    for index in range(KILLERS, LISTS):
        memory[index] = -1
