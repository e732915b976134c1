"""Kernels of the heuristic search, for boards that are too full to be solved.

Alpha-beta search with iterative deepening over the whole board, a transposition table and late move
reductions. The evaluation is the sum of the learned worth of the pattern around every stone. It holds on
every board, because Clobber does not distinguish an empty square from the edge.

Terminology:

* *Colour*: 0 for black, 1 for white, EMPTY for a square without a stone.
* *Direction*: right, left, up, down, by numbers from 0 to 3. *Move*: a number, 4 * origin + direction.
* *Pair*: two opposing neighbours. Either side can move onto the other, so without pairs the game is over, and
  the side to move has lost.
* *Pattern*: the nine squares around and including a square, as a number of nine ternary digits.
* *Worth*: what a pattern is worth to Black, in thousandths of log-odds of winning. *Tempo*: the same of the
  right to move.
* *Value*: an evaluation for the side to move, WON - n for a win in n plies, or CUT_SHORT.
* *Bound*: whether the value of an entry of the table is exact, or the search was cut off at it.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.jit import StopSignal, compiled, int64, should_stop
from quoridor_net.clobber.patterns import PATTERNS
from quoridor_net.clobber.regions import EMPTY, SQUARES, STRIDE
from quoridor_net.clobber.values import MAX_SIZE
from quoridor_net.jit.arrays import Array, Numbers, Table, Words
from quoridor_net.jit.bits import mix
from quoridor_net.jit.records import element_type, kernel_type, new_array, new_record
from quoridor_net.jit.types import BYTES, NOTHING, NUMBER, NUMBERS, type_of

#: More than any evaluation; a win in n plies counts WON - n.
WON = 1_000_000
SURELY_WON = WON - 1000
#: The value of a search that was stopped.
CUT_SHORT = 2 * WON
INFINITE = WON + 1

PLIES = 64
#: Maximum number of moves of a position: no stone of a 26x26 board has more than four.
MOST_MOVES = 2704

# Bounds: the value of the entry, or one at least or at most as large.
EXACT, AT_LEAST, AT_MOST = range(3)

#: From this move on, moves are searched one ply less deeply, and from the second on two plies.
_LATE, _LATER = 6, 24
#: The minimum depth of a node that does so.
_LEAST_REDUCED = 3


class ScoredMove:
    """A move with its score for move ordering. It is small, because full boards have a thousand of them."""

    move: Annotated[int, np.int32]
    score: Annotated[int, np.int32]


class MidgamePly:
    """The moves of a ply, sorted as far as they were searched."""

    moves: Annotated[Array[ScoredMove], MOST_MOVES]


class MidgameEntry:
    """An entry of the transposition table."""

    key: int
    value: Annotated[int, np.int32]
    move: Annotated[int, np.int16]
    depth: Annotated[int, np.int8]
    bound: Annotated[int, np.int8]


class MidgameState:
    """The one record that a search works on: a board with its evaluation, and the stack."""

    #: The colour of each square.
    grid: Annotated[Numbers, SQUARES]
    #: Squares of the board, in the order in which moves are generated.
    squares: Annotated[Words, MAX_SIZE * MAX_SIZE]
    square_count: int
    #: The pattern around each square, and the worth of each pattern.
    pattern: Annotated[Words, SQUARES]
    worth: Annotated[Words, PATTERNS]
    tempo: int
    #: Random numbers for the key, by colour and square.
    random: Annotated[Table, 2, SQUARES]
    # Every move updates these: the sum of the worth of all patterns, a hash of the stones, and twice the
    # number of pairs.
    score: int
    key: int
    pairs: int
    nodes: int
    node_limit: int
    #: The best move at ply 0, -1 before the first was searched.
    best_move: int
    stop: StopSignal
    plies: Annotated[Array[MidgamePly], PLIES]


def new_state(worth: NDArray[np.int64], tempo: int) -> MidgameState:
    """Return an empty board with these weights."""
    state = new_record(MidgameState)
    state.grid[:] = EMPTY
    state.worth[:] = worth
    state.tempo = tempo
    random = np.random.default_rng(10).integers(-(2**62), 2**62, 2 * SQUARES, dtype=np.int64)
    state.random[:] = random.reshape(2, SQUARES)
    return state


def new_table(places: int) -> Array[MidgameEntry]:
    """Return a transposition table of ``places`` (a power of two) entries, by the last bits of the key."""
    return new_array(MidgameEntry, places)


_STATE = kernel_type(MidgameState)
_TABLE = type_of(new_table(1))
_ENTRY = element_type(MidgameEntry)


@compiled(NOTHING, _STATE, NUMBERS)
def choose_squares(state: MidgameState, squares: NDArray[np.int64]) -> None:
    """Set the squares of the board, in the order that move generation visits them."""
    state.square_count = len(squares)
    for index in range(len(squares)):
        state.squares[index] = squares[index]


@compiled(NOTHING, _STATE, NUMBER, NUMBER)
def put(state: MidgameState, square: int, colour: int) -> None:
    """Set ``square`` to ``colour``, and update the state."""
    grid, pattern, worth = state.grid, state.pattern, state.worth
    before = grid[square]
    if before != EMPTY:
        state.key ^= state.random[before, square]
    if colour != EMPTY:
        state.key ^= state.random[colour, square]
    for step in (1, -1, STRIDE, -STRIDE):
        beside = grid[square + step]
        if beside != EMPTY:
            state.pairs += (colour == 1 - beside) - (before == 1 - beside)
    grid[square] = colour
    # EMPTY is -1, so the difference of two colours is that of their digits.
    change = int64(colour) - before
    score, power = int64(0), int64(1)
    for rise in range(-1, 2):
        for shift in range(-1, 2):
            # In the pattern around its neighbour, the square has the opposite offset.
            at = square - rise * STRIDE - shift
            score -= worth[pattern[at]]
            pattern[at] += change * power
            score += worth[pattern[at]]
            power *= 3
    state.score += score


@compiled(NUMBER, NUMBER)
def offset_of(direction: int) -> int:
    """Return the offset of the neighbour in ``direction``."""
    if direction < 2:
        return 1 - 2 * direction
    return STRIDE * (5 - 2 * direction)


@compiled(NUMBER, NUMBER)
def origin_of(move: int) -> int:
    """Return the square of the stone that moves."""
    return move >> 2


@compiled(NUMBER, NUMBER)
def target_of(move: int) -> int:
    """Return the square that the stone moves to."""
    return (move >> 2) + offset_of(move & 3)


@compiled(NOTHING, _STATE, NUMBER)
def play(state: MidgameState, move: int) -> None:
    """Play ``move``."""
    origin = origin_of(move)
    colour = int(state.grid[origin])
    put(state, origin, EMPTY)
    put(state, target_of(move), colour)


@compiled(NOTHING, _STATE, NUMBER)
def take_back(state: MidgameState, move: int) -> None:
    """Undo :func:`play`."""
    target = target_of(move)
    colour = int(state.grid[target])
    put(state, target, 1 - colour)
    put(state, origin_of(move), colour)


@compiled(NUMBER, _STATE, NUMBER)
def evaluate(state: MidgameState, colour: int) -> int:
    """Return the evaluation for the side to move."""
    score = state.score
    return (score if colour == 0 else -score) + state.tempo


@compiled(NUMBER, _STATE, NUMBER, NUMBER)
def generate_moves(state: MidgameState, ply: int, colour: int) -> int:
    """Generate the moves of ``colour`` for ``ply``; return their number."""
    grid, moves = state.grid, state.plies[ply].moves
    count = 0
    for index in range(state.square_count):
        square = state.squares[index]
        if grid[square] == colour:
            for direction in range(4):
                if grid[square + offset_of(direction)] == 1 - colour:
                    moves[count].move = square * 4 + direction
                    count += 1
    return count


@compiled(NOTHING, _STATE, NUMBER, NUMBER, NUMBER, NUMBER)
def score_moves(state: MidgameState, ply: int, count: int, colour: int, first: int) -> None:
    """Score the moves for ordering: ``first`` highest, the others by the evaluation after them."""
    for index in range(count):
        scored = state.plies[ply].moves[index]
        if scored.move == first:
            scored.score = INFINITE
            continue
        play(state, scored.move)
        scored.score = WON if state.pairs == 0 else -evaluate(state, 1 - colour)
        take_back(state, scored.move)


@compiled(NUMBER, _STATE, NUMBER, NUMBER, NUMBER)
def pick_move(state: MidgameState, ply: int, index: int, count: int) -> int:
    """Swap the move with the highest score from ``index`` on to ``index``, and return it.

    The moves are not sorted, because most nodes are cut off after a few of them.
    """
    moves = state.plies[ply].moves
    best = index
    for other in range(index + 1, count):
        if moves[other].score > moves[best].score:
            best = other
    one, two = moves[index], moves[best]
    one.move, two.move = two.move, one.move
    one.score, two.score = two.score, one.score
    return one.move


@compiled(NUMBER, _ENTRY, NUMBER, NUMBER, NUMBER)
def read_value(entry: MidgameEntry, depth: int, alpha: int, beta: int) -> int:
    """Return the value of an entry if it is deep enough and its bound cuts off; otherwise CUT_SHORT."""
    value, bound = int64(entry.value), entry.bound
    if entry.depth >= depth and (
        bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)
    ):
        return value
    return CUT_SHORT


@compiled(NUMBER, _STATE, NUMBER, NUMBER)
def find_best_score(state: MidgameState, ply: int, count: int) -> int:
    """Return the value of a ply one before the horizon, where scores are values."""
    best = -INFINITE
    for index in range(count):
        best = max(best, state.plies[ply].moves[index].score)
    return best - ply - 1 if best == WON else best


@compiled(NUMBER, _STATE, _TABLE, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER)
def search(
    state: MidgameState, table: Array[MidgameEntry], ply: int, depth: int, alpha: int, beta: int, colour: int
) -> int:
    """Return the value of the board for ``colour``, the side to move; CUT_SHORT when stopped.

    At ply 0 the best move is stored in ``state.best_move``.
    """
    state.nodes += 1
    if state.nodes > state.node_limit or should_stop(state.stop):
        return CUT_SHORT
    # Step 1. The end of the game, or the horizon.
    if state.pairs == 0:
        return ply - WON
    if depth <= 0 or ply + 1 >= PLIES:
        return evaluate(state, colour)
    # Step 2. The transposition table. It holds no values of the last ply, which are quick to compute.
    key = mix(state.key + colour)
    entry = table[key & (len(table) - 1)]
    first = -1
    if entry.key == key and (depth > 1 or ply == 0):
        first = int64(entry.move)
        value = read_value(entry, depth, alpha, beta)
        # The root is searched again, because its best move is needed.
        if ply and value != CUT_SHORT:
            return value
    # Step 3. The moves and their scores, which one ply before the horizon are their values.
    count = generate_moves(state, ply, colour)
    score_moves(state, ply, count, colour, first)
    if depth == 1 and ply:
        return find_best_score(state, ply, count)
    best, best_move, bound = -INFINITE, -1, AT_MOST
    for index in range(count):
        # Step 4. Principal variation search: a window of one for all moves but the first, and late moves
        # less deeply.
        move = pick_move(state, ply, index, count)
        play(state, move)
        less = (
            1 + (index >= _LATE and depth >= _LEAST_REDUCED) + (index >= _LATER and depth >= _LEAST_REDUCED)
        )
        value = CUT_SHORT
        if index > 0:
            value = -search(state, table, ply + 1, depth - less, -alpha - 1, -alpha, 1 - colour)
        # Step 5. In full, the first move and those that raise alpha.
        if index == 0 or (abs(value) != CUT_SHORT and value > alpha and (less > 1 or value < beta)):
            value = -search(state, table, ply + 1, depth - 1, -beta, -alpha, 1 - colour)
        take_back(state, move)
        if abs(value) == CUT_SHORT:
            return CUT_SHORT
        # Step 6. The best move so far, and the cutoff.
        if value > best:
            best, best_move = value, move
            if ply == 0:
                state.best_move = move
        if value > alpha:
            alpha, bound = value, EXACT
        if alpha >= beta:
            bound = AT_LEAST
            break
    # Step 7. The table keeps the latest result.
    entry.key, entry.value, entry.move, entry.bound = key, best, best_move, bound
    entry.depth = min(depth, PLIES - 1)
    return best


@compiled(NOTHING, _STATE, BYTES)
def set_up(state: MidgameState, grid: NDArray[np.int8]) -> None:
    """Set up the stones of ``grid``."""
    for square in range(SQUARES):
        if grid[square] != state.grid[square]:
            put(state, square, int(grid[square]))
