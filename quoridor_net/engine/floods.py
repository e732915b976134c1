"""Kernel: distances by bit-parallel flooding, shortest paths, and which walls cut them."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.layout import (
    CORRIDOR,
    CORRIDORS,
    DISTANCE,
    FOUND_AT,
    GOALS,
    IS_FLOODED,
    LAYERS,
    LAYERS_OF_SEAT,
    LAYERS_OF_SLOT,
    NARROW,
    PATH,
    PATHS,
    PAWN,
    PLAYERS,
    ROW,
    ROWS,
    SEATS,
    SIZE,
    SLOT,
    SOUTH,
)
from quoridor_net.engine.sets import count, holds, left, right, single, spread
from quoridor_net.engine.words import Words


@kernel
def layers_at(slot: int, seat: int) -> int:
    """Return where the distance layers of ``seat`` in ``slot`` begin."""
    return LAYERS + slot * LAYERS_OF_SLOT + seat * LAYERS_OF_SEAT


@kernel
def flood(memory: Words, row: int, slot: int, seat: int, is_whole: int) -> int:
    """Fill the distance layers of ``seat`` in ``slot`` for the walls of ``row``.

    Unless ``is_whole``, only as far as its pawn.

    Returns:
        The distance of the seat's pawn from its goal line, or -1 when the walls cut it off.
    """
    size = memory[SIZE]
    east_low = memory[row]
    east_high = memory[row + 1]
    south_low = memory[row + SOUTH]
    south_high = memory[row + SOUTH + 1]
    pawn_low, pawn_high = single(memory[row + PAWN + seat])
    place = layers_at(slot, seat)
    new_low = memory[GOALS + 2 * seat]
    new_high = memory[GOALS + 2 * seat + 1]
    seen_low = 0
    seen_high = 0
    distance = -1
    depth = 0
    while new_low | new_high:
        memory[place] = new_low
        memory[place + 1] = new_high
        place += 2
        if (new_low & pawn_low) | (new_high & pawn_high):
            distance = depth
            if not is_whole:
                return distance
        depth += 1
        seen_low |= new_low
        seen_high |= new_high
        new_low, new_high = spread(size, east_low, east_high, south_low, south_high, new_low, new_high)
        new_low &= ~seen_low
        new_high &= ~seen_high
    memory[place] = 0
    memory[place + 1] = 0
    memory[place + 2] = 0
    memory[place + 3] = 0
    return distance


@kernel
def reachable(memory: Words, row: int, seat: int) -> tuple[int, int]:
    """Return the squares from which the goal line of ``seat`` can be reached."""
    size = memory[SIZE]
    low = 0
    high = 0
    new_low = memory[GOALS + 2 * seat]
    new_high = memory[GOALS + 2 * seat + 1]
    while new_low & ~low | new_high & ~high:
        low |= new_low
        high |= new_high
        new_low, new_high = spread(
            size, memory[row], memory[row + 1], memory[row + SOUTH], memory[row + SOUTH + 1], low, high
        )
    return low, high


@kernel
def distance_of(memory: Words, slot: int, seat: int, square: int, near: int) -> int:
    """Return the distance of ``square``, one step away from a square at the distance ``near``.

    A step crosses at most as many edges as there are players: a chained jump leads over all other pawns.
    """
    reach = memory[PLAYERS]
    start = max(near - reach, 0)
    place = layers_at(slot, seat) + 2 * start
    while not holds(memory[place], memory[place + 1], square):
        place += 2
        start += 1
        if start > near + reach:
            return -1
    return start


@kernel
def flood_all(memory: Words, ply: int) -> int:
    """Fill the layers of every seat at ``ply`` into its own slot; return 0 if somebody is cut off, else 1."""
    row = ROWS + ply * ROW
    memory[row + SLOT] = ply
    memory[row + IS_FLOODED] = 1
    for seat in range(memory[PLAYERS]):
        if memory[row + PAWN + seat] >= 0:
            distance = flood(memory, row, ply, seat, 1)
            if distance < 0:
                return 0
            memory[row + DISTANCE + seat] = distance
    return 1


@kernel
def corridor_at(ply: int, seat: int) -> int:
    """Return where the corridor of ``seat`` at ``ply`` lies."""
    return CORRIDORS + (ply * SEATS + seat) * CORRIDOR


@kernel
def find_corridor(memory: Words, ply: int, seat: int) -> None:
    """Find the walls that cut a shortest path of ``seat``, and the walls that surely cut all of them.

    Walks down the layers from the pawn over all shortest paths at once. The sets may hold walls that do not
    fit. Counts the steps of the way that a single wall can block, too.
    """
    row = ROWS + ply * ROW
    size = memory[SIZE]
    east_low, east_high = memory[row], memory[row + 1]
    south_low, south_high = memory[row + SOUTH], memory[row + SOUTH + 1]
    distance = memory[row + DISTANCE + seat]
    place = layers_at(memory[row + SLOT], seat) + 2 * distance
    low, high = single(memory[row + PAWN + seat])
    cut_h_low = cut_h_high = cut_v_low = cut_v_high = 0
    all_h_low = all_h_high = all_v_low = all_v_high = 0
    narrow = 0
    for _ in range(distance):
        place -= 2
        goal_low, goal_high = memory[place], memory[place + 1]
        down_low, down_high = left(low & south_low, high & south_high, size)
        down_low, down_high = down_low & goal_low, down_high & goal_high
        up_low, up_high = right(low, high, size)
        up_low, up_high = up_low & south_low & goal_low, up_high & south_high & goal_high
        on_low, on_high = left(low & east_low, high & east_high, 1)
        on_low, on_high = on_low & goal_low, on_high & goal_high
        back_low, back_high = right(low, high, 1)
        back_low, back_high = back_low & east_low & goal_low, back_high & east_high & goal_high
        low, high = down_low | up_low | on_low | back_low, down_high | up_high | on_high | back_high
        h_low, h_high = right(down_low, down_high, size)
        h_low, h_high = h_low | up_low, h_high | up_high
        v_low, v_high = right(on_low, on_high, 1)
        v_low, v_high = v_low | back_low, v_high | back_high
        more_h_low, more_h_high = right(h_low, h_high, 1)
        more_v_low, more_v_high = right(v_low, v_high, size)
        cut_h_low, cut_h_high = cut_h_low | h_low | more_h_low, cut_h_high | h_high | more_h_high
        cut_v_low, cut_v_high = cut_v_low | v_low | more_v_low, cut_v_high | v_high | more_v_high
        across, along = count(h_low, h_high), count(v_low, v_high)
        if across + along == 1:
            narrow += 1
            if across:
                all_h_low, all_h_high = all_h_low | h_low | more_h_low, all_h_high | h_high | more_h_high
            else:
                all_v_low, all_v_high = all_v_low | v_low | more_v_low, all_v_high | v_high | more_v_high
        elif across == 2 and along == 0:
            all_h_low, all_h_high = all_h_low | (h_low & more_h_low), all_h_high | (h_high & more_h_high)
        elif along == 2 and across == 0:
            all_v_low, all_v_high = all_v_low | (v_low & more_v_low), all_v_high | (v_high & more_v_high)
    found = corridor_at(ply, seat)
    memory[found], memory[found + 1] = cut_h_low, cut_h_high
    memory[found + 2], memory[found + 3] = cut_v_low, cut_v_high
    memory[found + 4], memory[found + 5] = all_h_low, all_h_high
    memory[found + 6], memory[found + 7] = all_v_low, all_v_high
    memory[found + NARROW] = narrow


@kernel
def corridor_of(memory: Words, ply: int, seat: int) -> int:
    """Return where the corridor of ``seat`` at ``ply`` lies, finding it if no earlier ply has the same."""
    at = ROWS + ply * ROW + FOUND_AT + seat
    if memory[at] < 0:
        find_corridor(memory, ply, seat)
        memory[at] = ply
    return corridor_at(memory[at], seat)


@kernel
def path_at(ply: int, seat: int) -> int:
    """Return where the known path of ``seat`` at ``ply`` lies."""
    return PATHS + (ply * SEATS + seat) * PATH


@kernel
def find_path(memory: Words, row: int, slot: int, seat: int, path: int) -> int:
    """Flood for ``seat`` and store at ``path`` the walls that cut one of its shortest paths.

    Returns:
        1, or 0 when the walls cut the pawn off.
    """
    distance = flood(memory, row, slot, seat, 0)
    if distance < 0:
        return 0
    size = memory[SIZE]
    low, high = single(memory[row + PAWN + seat])
    place = layers_at(slot, seat) + 2 * distance
    h_low = h_high = v_low = v_high = 0
    for _ in range(distance):
        place -= 2
        goal_low, goal_high = memory[place], memory[place + 1]
        low, high, is_vertical, cut_low, cut_high = _descend(
            memory, row, size, low, high, goal_low, goal_high
        )
        if is_vertical:
            more_low, more_high = right(cut_low, cut_high, size)
            v_low, v_high = v_low | cut_low | more_low, v_high | cut_high | more_high
        else:
            more_low, more_high = right(cut_low, cut_high, 1)
            h_low, h_high = h_low | cut_low | more_low, h_high | cut_high | more_high
    memory[path], memory[path + 1] = h_low, h_high
    memory[path + 2], memory[path + 3] = v_low, v_high
    return 1


@kernel
def _descend(
    memory: Words, row: int, size: int, low: int, high: int, goal_low: int, goal_high: int
) -> tuple[int, int, int, int, int]:
    """Step from one square into the next layer.

    Returns:
        The set of the square reached, whether the step goes east or west, and the set of the north or west
        of the two squares.
    """
    south_low, south_high = memory[row + SOUTH], memory[row + SOUTH + 1]
    next_low, next_high = left(low & south_low, high & south_high, size)
    next_low, next_high = next_low & goal_low, next_high & goal_high
    if next_low | next_high:
        return next_low, next_high, 0, low, high
    next_low, next_high = right(low, high, size)
    next_low, next_high = next_low & south_low & goal_low, next_high & south_high & goal_high
    if next_low | next_high:
        return next_low, next_high, 0, next_low, next_high
    east_low, east_high = memory[row], memory[row + 1]
    next_low, next_high = left(low & east_low, high & east_high, 1)
    next_low, next_high = next_low & goal_low, next_high & goal_high
    if next_low | next_high:
        return next_low, next_high, 1, low, high
    next_low, next_high = right(low, high, 1)
    next_low, next_high = next_low & east_low & goal_low, next_high & east_high & goal_high
    return next_low, next_high, 1, next_low, next_high
