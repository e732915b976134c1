"""Kernel: playing moves from one row of the memory to the next, and which walls are legal."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.floods import corridor_at, distance_of, find_path, flood, flood_all, path_at
from quoridor_net.engine.layout import (
    BOTTOM_EDGE,
    CELLS,
    CUT_HORIZONTAL,
    CUT_VERTICAL,
    DISTANCE,
    FIT_HORIZONTAL,
    FIT_VERTICAL,
    FOUND_AT,
    HORIZONTAL,
    IS_FLOODED,
    KEY,
    LEFT,
    LEFT_EDGE,
    LEFT_KEYS,
    LEFT_LIMIT,
    MOVE,
    PATH,
    PAWN,
    PAWN_KEYS,
    PLACED,
    PLAYERS,
    RIGHT_EDGE,
    ROW,
    ROWS,
    RUN,
    SIZE,
    SLOT,
    SOUTH,
    TOP_EDGE,
    TOUCHED,
    TURN,
    TURN_KEYS,
    VERTICAL,
    VIEWS,
    WALL_COUNT,
    WALL_KEY,
    WALL_KEYS,
)
from quoridor_net.engine.sets import count, holds, left, lowest, right, single, steps
from quoridor_net.engine.words import Words


@kernel
def next_seat(memory: Words, row: int) -> int:
    """Return the seat in the game that follows the one to move."""
    seat = memory[row + TURN]
    players = memory[PLAYERS]
    for _ in range(players):
        seat += 1
        if seat == players:
            seat = 0
        if memory[row + PAWN + seat] >= 0:
            break
    return seat


@kernel
def give_turn(memory: Words, row: int, seat: int) -> None:
    """Make ``seat`` the one to move in ``row``."""
    memory[row + KEY] ^= memory[TURN_KEYS + memory[row + TURN]] ^ memory[TURN_KEYS + seat]
    memory[row + TURN] = seat


@kernel
def put_step(memory: Words, ply: int, square: int) -> None:
    """Copy the row at ``ply`` to the next with the pawn of the seat to move on ``square``; keep distances."""
    row = ROWS + ply * ROW
    new = row + ROW
    for index in range(ROW):
        memory[new + index] = memory[row + index]
    seat = memory[row + TURN]
    keys = PAWN_KEYS + seat * CELLS
    memory[new + KEY] ^= memory[keys + memory[row + PAWN + seat]] ^ memory[keys + square]
    memory[new + PAWN + seat] = square
    memory[new + RUN] += 1
    memory[new + MOVE] = square
    memory[new + VIEWS + seat] = ply + 1
    memory[new + FOUND_AT + seat] = -1
    give_turn(memory, new, next_seat(memory, row))


@kernel
def play_step(memory: Words, ply: int, square: int) -> None:
    """Play a step from ``ply`` to the next row; the layers stay those of the last wall."""
    put_step(memory, ply, square)
    row = ROWS + ply * ROW
    seat = memory[row + TURN]
    near = memory[row + DISTANCE + seat]
    memory[row + ROW + DISTANCE + seat] = distance_of(memory, memory[row + SLOT], seat, square, near)


@kernel
def close_wall(memory: Words, row: int, move: int) -> None:
    """Put a wall on the board of ``row``: close its edges, take away what no longer fits, note its points."""
    size = memory[SIZE]
    if move < VERTICAL:
        low, high = single(move - HORIZONTAL)
        along = 1
        edge = SOUTH
        same, other = FIT_HORIZONTAL, FIT_VERTICAL
    else:
        low, high = single(move - VERTICAL)
        along = size
        edge = 0
        same, other = FIT_VERTICAL, FIT_HORIZONTAL
    after_low, after_high = left(low, high, along)
    before_low, before_high = right(low, high, along)
    memory[row + edge] &= ~(low | after_low)
    memory[row + edge + 1] &= ~(high | after_high)
    memory[row + same] &= ~(low | after_low | before_low)
    memory[row + same + 1] &= ~(high | after_high | before_high)
    memory[row + other] &= ~low
    memory[row + other + 1] &= ~high
    memory[row + TOUCHED] |= low | after_low | before_low
    memory[row + TOUCHED + 1] |= high | after_high | before_high


@kernel
def put_wall(memory: Words, ply: int, move: int) -> None:
    """Copy the row at ``ply`` to the next with a wall on it; distances and layers stay as they are."""
    row = ROWS + ply * ROW
    new = row + ROW
    for index in range(ROW):
        memory[new + index] = memory[row + index]
    seat = memory[row + TURN]
    walls = memory[row + LEFT + seat]
    keys = LEFT_KEYS + seat * LEFT_LIMIT + walls
    memory[new + LEFT + seat] = walls - 1
    memory[new + KEY] ^= memory[WALL_KEYS + move] ^ memory[keys] ^ memory[keys - 1]
    memory[new + WALL_KEY] ^= memory[WALL_KEYS + move]
    memory[new + RUN] = 0
    memory[new + MOVE] = move
    memory[PLACED + memory[row + WALL_COUNT]] = move
    memory[new + WALL_COUNT] += 1
    memory[new + VIEWS] = memory[new + VIEWS + 1] = ply + 1
    close_wall(memory, new, move)
    give_turn(memory, new, next_seat(memory, row))


@kernel
def play_wall(memory: Words, ply: int, move: int) -> int:
    """Play a wall that fits from ``ply`` to the next row; return 0 if it cuts somebody off, else 1.

    Whoever has no shortest path cut, as far as is known, keeps distance and corridor. The layers reach the
    pawns of the others only, until :func:`flood_rest` is called.
    """
    put_wall(memory, ply, move)
    row = ROWS + ply * ROW
    new = row + ROW
    memory[new + SLOT] = ply + 1
    memory[new + IS_FLOODED] = 0
    side = CUT_HORIZONTAL if move < VERTICAL else CUT_VERTICAL
    anchor = move - (HORIZONTAL if move < VERTICAL else VERTICAL)
    for seat in range(memory[PLAYERS]):
        if memory[row + PAWN + seat] < 0:
            continue
        known = memory[row + FOUND_AT + seat]
        if known >= 0:
            cut = corridor_at(known, seat) + side
            if not holds(memory[cut], memory[cut + 1], anchor):
                continue
        memory[new + FOUND_AT + seat] = -1
        distance = flood(memory, new, ply + 1, seat, 0)
        if distance < 0:
            return 0
        memory[new + DISTANCE + seat] = distance
    return 1


@kernel
def flood_rest(memory: Words, ply: int) -> None:
    """See to it that the layers at ``ply`` reach every square."""
    if not memory[ROWS + ply * ROW + IS_FLOODED]:
        flood_all(memory, ply)


@kernel
def suspects(memory: Words, row: int) -> tuple[int, int, int, int]:
    """Return the walls that fit and could close a path: at least two of their points touch something.

    A wall with fewer joins nothing to nothing, so whoever had a way round it still has.
    """
    size = memory[SIZE]
    low, high = memory[row + TOUCHED], memory[row + TOUCHED + 1]
    one_low, one_high = left(low, high, 1)
    two_low, two_high = right(low, high, 1)
    one_low, one_high = one_low | memory[LEFT_EDGE], one_high | memory[LEFT_EDGE + 1]
    two_low, two_high = two_low | memory[RIGHT_EDGE], two_high | memory[RIGHT_EDGE + 1]
    h_low = ((one_low & two_low) | (low & (one_low | two_low))) & memory[row + FIT_HORIZONTAL]
    h_high = ((one_high & two_high) | (high & (one_high | two_high))) & memory[row + FIT_HORIZONTAL + 1]
    one_low, one_high = left(low, high, size)
    two_low, two_high = right(low, high, size)
    one_low, one_high = one_low | memory[TOP_EDGE], one_high | memory[TOP_EDGE + 1]
    two_low, two_high = two_low | memory[BOTTOM_EDGE], two_high | memory[BOTTOM_EDGE + 1]
    v_low = ((one_low & two_low) | (low & (one_low | two_low))) & memory[row + FIT_VERTICAL]
    v_high = ((one_high & two_high) | (high & (one_high | two_high))) & memory[row + FIT_VERTICAL + 1]
    return h_low, h_high, v_low, v_high


@kernel
def closing(memory: Words, ply: int) -> tuple[int, int, int, int]:
    """Return the walls that fit but leave somebody without a path.

    Needs a known path of every seat at ``ply``. Uses the row, path and layers of the next ply as scratch
    space: a wall is tried there, and each way round it that is found spares other suspects the test.
    """
    row = ROWS + ply * ROW
    h_low, h_high, v_low, v_high = suspects(memory, row)
    bad_h_low = bad_h_high = bad_v_low = bad_v_high = 0
    if h_low | h_high | v_low | v_high == 0:
        return 0, 0, 0, 0
    for seat in range(memory[PLAYERS]):
        if memory[row + PAWN + seat] < 0:
            continue
        path = path_at(ply, seat)
        left_h_low, left_h_high = h_low & memory[path], h_high & memory[path + 1]
        left_v_low, left_v_high = v_low & memory[path + 2], v_high & memory[path + 3]
        while left_h_low | left_h_high | left_v_low | left_v_high:
            if left_h_low | left_h_high:
                anchor = lowest(left_h_low, left_h_high)
                low, high = single(anchor)
                left_h_low, left_h_high = left_h_low & ~low, left_h_high & ~high
                found = _try_wall(memory, ply, seat, HORIZONTAL + anchor)
                if not found:
                    bad_h_low, bad_h_high = bad_h_low | low, bad_h_high | high
            else:
                anchor = lowest(left_v_low, left_v_high)
                low, high = single(anchor)
                left_v_low, left_v_high = left_v_low & ~low, left_v_high & ~high
                found = _try_wall(memory, ply, seat, VERTICAL + anchor)
                if not found:
                    bad_v_low, bad_v_high = bad_v_low | low, bad_v_high | high
            if found:
                other = path_at(ply + 1, seat)
                left_h_low, left_h_high = left_h_low & memory[other], left_h_high & memory[other + 1]
                left_v_low, left_v_high = left_v_low & memory[other + 2], left_v_high & memory[other + 3]
        h_low, h_high = h_low & ~bad_h_low, h_high & ~bad_h_high
        v_low, v_high = v_low & ~bad_v_low, v_high & ~bad_v_high
    return bad_h_low, bad_h_high, bad_v_low, bad_v_high


@kernel
def _try_wall(memory: Words, ply: int, seat: int, move: int) -> int:
    row = ROWS + ply * ROW
    new = row + ROW
    for index in range(PAWN):
        memory[new + index] = memory[row + index]
    memory[new + PAWN + seat] = memory[row + PAWN + seat]
    close_wall(memory, new, move)
    return find_path(memory, new, ply + 1, seat, path_at(ply + 1, seat))


@kernel
def find_paths(memory: Words, ply: int) -> int:
    """Find a path of every seat at ``ply`` into its own slot; return 0 if somebody is cut off, else 1."""
    row = ROWS + ply * ROW
    for seat in range(memory[PLAYERS]):
        if memory[row + PAWN + seat] >= 0 and not find_path(memory, row, ply, seat, path_at(ply, seat)):
            return 0
    return 1


@kernel
def legal_walls(memory: Words, ply: int) -> tuple[int, int, int, int]:
    """Return the legal walls of the seat to move, whose paths at ``ply`` are known."""
    row = ROWS + ply * ROW
    if memory[row + LEFT + memory[row + TURN]] <= 0:
        return 0, 0, 0, 0
    h_low, h_high, v_low, v_high = closing(memory, ply)
    return (
        memory[row + FIT_HORIZONTAL] & ~h_low,
        memory[row + FIT_HORIZONTAL + 1] & ~h_high,
        memory[row + FIT_VERTICAL] & ~v_low,
        memory[row + FIT_VERTICAL + 1] & ~v_high,
    )


@kernel
def keep_paths(memory: Words, ply: int) -> int:
    """Bring the known paths of the row after ``ply`` up to date with the move just put there.

    Returns:
        1, or 0 when the move, a wall, cuts somebody off.
    """
    row = ROWS + ply * ROW
    new = row + ROW
    move = memory[new + MOVE]
    for index in range(memory[PLAYERS] * PATH):
        memory[path_at(ply + 1, 0) + index] = memory[path_at(ply, 0) + index]
    if move < HORIZONTAL:
        seat = memory[row + TURN]
        return find_path(memory, new, ply + 1, seat, path_at(ply + 1, seat))
    side = 0 if move < VERTICAL else 2
    anchor = move - (HORIZONTAL if side == 0 else VERTICAL)
    for seat in range(memory[PLAYERS]):
        path = path_at(ply + 1, seat)
        if (
            memory[new + PAWN + seat] >= 0
            and holds(memory[path + side], memory[path + side + 1], anchor)
            and not find_path(memory, new, ply + 1, seat, path)
        ):
            return 0
    return 1


@kernel
def has_move(memory: Words, ply: int) -> int:
    """Return 1 if the seat to move has a legal move, else 0."""
    row = ROWS + ply * ROW
    low, high = steps(memory, row)
    if low | high:
        return 1
    if memory[row + LEFT + memory[row + TURN]] <= 0:
        return 0
    find_paths(memory, ply)
    h_low, h_high, v_low, v_high = legal_walls(memory, ply)
    return 1 if count(h_low, h_high) + count(v_low, v_high) else 0
