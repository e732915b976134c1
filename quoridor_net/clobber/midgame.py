"""Kernels of the search for boards that are too full to be solved.

Alpha-beta with iterative deepening over the whole board. The evaluation is the sum of the learned worth of
the 3x3 pattern around every stone, in thousandths of log-odds of winning. It holds on every board, because
Clobber does not distinguish an empty square from the edge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.jit import STOP_NUMBERS, compiled, should_stop, widen
from quoridor_net.clobber.patterns import PATTERNS
from quoridor_net.clobber.regions import EMPTY, SQUARES, STRIDE
from quoridor_net.jit.bits import mix
from quoridor_net.jit.types import BYTES, NOTHING, NUMBER, type_of

#: More than any evaluation; a win in n plies counts WON - n.
WON = 1_000_000
SURELY_WON = WON - 1000
#: The value of a search that was stopped.
CUT_SHORT = 2 * WON
INFINITE = WON + 1

PLIES = 64
MOVES = 2704

SCORE, KEY, PAIRS, NODES, NODE_LIMIT, BEST, STOP = range(7)
EXACT, AT_LEAST, AT_MOST = range(3)


class Midgame(NamedTuple):
    """A board with Black's evaluation, and the memory of the search. Colours are 0 (black) and 1 (white)."""

    grid: NDArray[np.int8]
    #: Squares of the board.
    squares: NDArray[np.int64]
    #: The pattern around each square, and the worth of each pattern to Black.
    pattern: NDArray[np.int64]
    worth: NDArray[np.int64]
    #: Worth of the right to move.
    tempo: NDArray[np.int64]
    #: SCORE of Black, KEY, twice the number of pairs, NODES, NODE_LIMIT, the BEST move of the root, and STOP.
    state: NDArray[np.int64]
    random: NDArray[np.int64]
    #: Per ply: the moves, as 4 * origin + direction, and their scores for move ordering.
    moves: NDArray[np.int64]
    move_score: NDArray[np.int64]
    table_key: NDArray[np.int64]
    #: ((value + 2 WON) * 64 + depth) * 4 + bound, and the best move.
    table_value: NDArray[np.int64]
    table_move: NDArray[np.int32]


def new_midgame(worth: NDArray[np.int64], tempo: int, places: int) -> Midgame:
    """Return an empty board and a search memory of ``places`` (a power of two) positions."""
    return Midgame(
        grid=np.full(SQUARES, EMPTY, np.int8),
        squares=np.zeros(0, np.int64),
        pattern=np.zeros(SQUARES, np.int64),
        worth=worth,
        tempo=np.array([tempo], np.int64),
        state=np.zeros(STOP + STOP_NUMBERS, np.int64),
        random=np.random.default_rng(10).integers(-(2**62), 2**62, 2 * SQUARES, dtype=np.int64),
        moves=np.zeros((PLIES, MOVES), np.int64),
        move_score=np.zeros((PLIES, MOVES), np.int64),
        table_key=np.zeros(places, np.int64),
        table_value=np.zeros(places, np.int64),
        table_move=np.zeros(places, np.int32),
    )


MIDGAME_TYPE = type_of(new_midgame(np.zeros(PATTERNS, np.int64), 0, 1))


@compiled(NOTHING, MIDGAME_TYPE, NUMBER, NUMBER)
def put(midgame: Midgame, square: int, colour: int) -> None:
    """Set ``square`` to ``colour`` or EMPTY, and update the score, the key and the number of pairs."""
    grid, pattern, worth = midgame.grid, midgame.pattern, midgame.worth
    before = grid[square]
    if before != EMPTY:
        midgame.state[KEY] ^= midgame.random[before * SQUARES + square]
    if colour != EMPTY:
        midgame.state[KEY] ^= midgame.random[colour * SQUARES + square]
    for step in (1, -1, STRIDE, -STRIDE):
        beside = grid[square + step]
        if beside != EMPTY:
            midgame.state[PAIRS] += (colour == 1 - beside) - (before == 1 - beside)
    grid[square] = colour
    change = np.int64(colour) - before
    score, power = np.int64(0), np.int64(1)
    for rise in range(-1, 2):
        for shift in range(-1, 2):
            # In the pattern around its neighbour, the square has the opposite offset.
            at = square - rise * STRIDE - shift
            score -= worth[pattern[at]]
            pattern[at] += change * power
            score += worth[pattern[at]]
            power *= 3
    midgame.state[SCORE] += score


@compiled(NUMBER, NUMBER)
def offset_of(direction: int) -> int:
    """Return the offset of the neighbour in ``direction`` (0 to 3)."""
    if direction < 2:
        return 1 - 2 * direction
    return STRIDE * (5 - 2 * direction)


@compiled(NOTHING, MIDGAME_TYPE, NUMBER)
def play(midgame: Midgame, move: int) -> None:
    """Play ``move``."""
    origin = move >> 2
    colour = int(midgame.grid[origin])
    put(midgame, origin, EMPTY)
    put(midgame, origin + offset_of(move & 3), colour)


@compiled(NOTHING, MIDGAME_TYPE, NUMBER)
def take_back(midgame: Midgame, move: int) -> None:
    """Undo :func:`play`."""
    origin = move >> 2
    target = origin + offset_of(move & 3)
    colour = int(midgame.grid[target])
    put(midgame, target, 1 - colour)
    put(midgame, origin, colour)


@compiled(NUMBER, MIDGAME_TYPE, NUMBER)
def evaluate(midgame: Midgame, colour: int) -> int:
    """Return the evaluation for the side to move."""
    score = midgame.state[SCORE]
    return int((score if colour == 0 else -score) + midgame.tempo[0])


@compiled(NUMBER, MIDGAME_TYPE, NUMBER, NUMBER)
def generate_moves(midgame: Midgame, ply: int, colour: int) -> int:
    """Generate the moves of ``colour`` for ``ply``; return their number."""
    grid, moves = midgame.grid, midgame.moves[ply]
    count = 0
    for square in midgame.squares:
        if grid[square] == colour:
            for direction in range(4):
                if grid[square + offset_of(direction)] == 1 - colour:
                    moves[count] = square * 4 + direction
                    count += 1
    return count


@compiled(NOTHING, MIDGAME_TYPE, NUMBER, NUMBER, NUMBER, NUMBER)
def score_moves(midgame: Midgame, ply: int, count: int, colour: int, first: int) -> None:
    """Score the moves for ordering: ``first`` highest, the others by the evaluation after them."""
    for index in range(count):
        move = midgame.moves[ply, index]
        if move == first:
            midgame.move_score[ply, index] = INFINITE
            continue
        play(midgame, move)
        midgame.move_score[ply, index] = -evaluate(midgame, 1 - colour)
        if midgame.state[PAIRS] == 0:
            midgame.move_score[ply, index] = WON
        take_back(midgame, move)


@compiled(NUMBER, MIDGAME_TYPE, NUMBER, NUMBER, NUMBER)
def pick_move(midgame: Midgame, ply: int, index: int, count: int) -> int:
    """Swap the best-scored move from ``index`` on to ``index``, and return it."""
    moves, move_score = midgame.moves[ply], midgame.move_score[ply]
    best = index
    for other in range(index + 1, count):
        if move_score[other] > move_score[best]:
            best = other
    moves[index], moves[best] = moves[best], moves[index]
    move_score[index], move_score[best] = move_score[best], move_score[index]
    return int(moves[index])


@compiled(NUMBER, MIDGAME_TYPE, NUMBER, NUMBER, NUMBER, NUMBER)
def look_up(midgame: Midgame, slot: int, depth: int, alpha: int, beta: int) -> int:
    """Return the value of a table entry if it is deep enough and its bound cuts off; otherwise CUT_SHORT."""
    packed = midgame.table_value[slot]
    value, bound = (packed >> 8) - 2 * WON, packed & 3
    if (packed >> 2 & 63) >= depth and (
        bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)
    ):
        return int(value)
    return CUT_SHORT


@compiled(NUMBER, MIDGAME_TYPE, NUMBER, NUMBER)
def best_score(midgame: Midgame, ply: int, count: int) -> int:
    """Return the value one ply before the horizon, where the score of a move is the value after it."""
    best = -INFINITE
    for index in range(count):
        best = max(best, midgame.move_score[ply, index])
    return best - ply - 1 if best == WON else best


@compiled(NUMBER, MIDGAME_TYPE, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER)
def search(midgame: Midgame, ply: int, depth: int, alpha: int, beta: int, colour: int) -> int:
    """Return the value of the board for ``colour``, the side to move; CUT_SHORT when stopped.

    Stores the best move at ply 0 in ``state[BEST]``.
    """
    state = midgame.state
    state[NODES] += 1
    if state[NODES] > state[NODE_LIMIT] or should_stop(state, STOP):
        return CUT_SHORT
    if state[PAIRS] == 0:
        return ply - WON
    if depth <= 0 or ply + 1 >= PLIES:
        return evaluate(midgame, colour)
    key = mix(state[KEY] + colour)
    slot = key & (len(midgame.table_key) - 1)
    first = -1
    if midgame.table_key[slot] == key and (depth > 1 or ply == 0):
        first = widen(int(midgame.table_move[slot]))
        value = look_up(midgame, slot, depth, alpha, beta)
        if ply and value != CUT_SHORT:
            return value
    count = generate_moves(midgame, ply, colour)
    score_moves(midgame, ply, count, colour, first)
    if depth == 1 and ply:
        return best_score(midgame, ply, count)
    best, best_move, bound = -INFINITE, -1, AT_MOST
    for index in range(count):
        move = pick_move(midgame, ply, index, count)
        play(midgame, move)
        # Late move reductions: search late moves less deeply, and again in full if they raise alpha.
        less = 1 + (index >= 6 and depth >= 3) + (index >= 24 and depth >= 3)
        value = CUT_SHORT
        if index > 0:
            value = -search(midgame, ply + 1, depth - less, -alpha - 1, -alpha, 1 - colour)
        if index == 0 or (abs(value) != CUT_SHORT and value > alpha and (less > 1 or value < beta)):
            value = -search(midgame, ply + 1, depth - 1, -beta, -alpha, 1 - colour)
        take_back(midgame, move)
        if abs(value) == CUT_SHORT:
            return CUT_SHORT
        if value > best:
            best, best_move = value, move
            if ply == 0:
                state[BEST] = move
        if value > alpha:
            alpha, bound = value, EXACT
        if alpha >= beta:
            bound = AT_LEAST
            break
    midgame.table_key[slot] = key
    midgame.table_value[slot] = (((best + 2 * WON) << 6 | min(depth, 63)) << 2) | bound
    midgame.table_move[slot] = best_move
    return best


@compiled(NOTHING, MIDGAME_TYPE, BYTES)
def set_up(midgame: Midgame, grid: NDArray[np.int8]) -> None:
    """Set up the stones of ``grid``."""
    for square in range(SQUARES):
        if grid[square] != midgame.grid[square]:
            put(midgame, square, int(grid[square]))
