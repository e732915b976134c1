"""Kernel: threats, which are how far single walls lengthen the way of either seat.

What one wall can do to a way tells as much about a position as its length: a lead of two steps is none if a
wall takes four. Only walls that surely cut all shortest paths are tried, eight at a time, by a flood that
begins where the nearest of them stands.
"""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.floods import corridor_of, flood, layers_at
from quoridor_net.engine.layout import (
    CHOKE_HORIZONTAL,
    CUT_HORIZONTAL,
    CUT_VERTICAL,
    DISTANCE,
    FIT_HORIZONTAL,
    FULL,
    HORIZONTAL,
    IS_FLOODED,
    LANE_COUNT,
    LANE_WORDS,
    LANES,
    LEFT,
    MOVES,
    PAWN,
    ROW,
    ROWS,
    SIZE,
    SLOT,
    SOUTH,
    TRIED,
    VERTICAL,
    WALL_SET,
    WALL_SETS,
    WAYS,
)
from quoridor_net.engine.layout import THREAT as _THREAT
from quoridor_net.engine.layout import THREATS as _THREATS
from quoridor_net.engine.network import WORTHS
from quoridor_net.engine.sets import lowest, single, spread, write_numbers
from quoridor_net.engine.words import Words

#: What is known of the threats to a seat: by how much a wall lengthens its way at most; the most of that
#: which is left when what it adds to the way of who plays it is taken off, plus one; how many walls have
#: ``STRONG`` left; how many walls are listed. Numbers but the last are cut off at ``MOST``.
GAIN = 0
NET = 1
COUNT = 2
LISTED = 3
#: Then for each wall listed its number as a move and its effect: what is left of its gain plus two, from 1 to
#: ``MOST``.
LIST = 4
MOST = WORTHS - 1
STRONG = 2


# What a lane holds, each part side by side for all lanes: the edges between squares, the layer that was
# reached last and the one before, and the distance, -1 as long as it is not known.
(
    _EAST_LOW,
    _EAST_HIGH,
    _SOUTH_LOW,
    _SOUTH_HIGH,
    _NEW_LOW,
    _NEW_HIGH,
    _OLD_LOW,
    _OLD_HIGH,
    _FOUND,
) = range(LANES, LANES + LANE_WORDS * LANE_COUNT, LANE_COUNT)


@kernel
def threats_at(ply: int, seat: int) -> int:
    """Return where the threats to ``seat`` at ``ply`` lie."""
    return _THREATS + (2 * ply + seat) * _THREAT


@kernel
def _begin_lanes(memory: Words, row: int, walls: int) -> tuple[int, int]:
    """Put the edges of ``row`` with one more wall into each lane, for the moves listed from ``walls`` on.

    Returns:
        The squares beside any of these walls.
    """
    near_low = near_high = 0
    for lane in range(LANE_COUNT):
        wall = memory[walls + lane]
        place = WALL_SETS + wall * WALL_SET
        low, high = memory[place], memory[place + 1]
        east = FULL if wall >= VERTICAL else 0
        memory[_EAST_LOW + lane] = memory[row] & ~(low & east)
        memory[_EAST_HIGH + lane] = memory[row + 1] & ~(high & east)
        memory[_SOUTH_LOW + lane] = memory[row + SOUTH] & ~(low & ~east)
        memory[_SOUTH_HIGH + lane] = memory[row + SOUTH + 1] & ~(high & ~east)
        near_low |= memory[place + 2]
        near_high |= memory[place + 3]
    return near_low, near_high


@kernel
def _flood_lanes(memory: Words, row: int, seat: int, depth: int) -> None:
    """Find the distance of ``seat`` in each lane, -1 where it is cut off.

    Up to ``depth`` the layers are those of ``row``. The lanes do the same at each step, so that numba turns
    the loop over them into vector instructions.
    """
    size = memory[SIZE]
    pawn_low, pawn_high = single(memory[row + PAWN + seat])
    layer = layers_at(memory[row + SLOT], seat) + 2 * depth
    new_low, new_high = memory[layer], memory[layer + 1]
    old_low = old_high = 0
    if depth > 0:
        old_low, old_high = memory[layer - 2], memory[layer - 1]
    for lane in range(LANE_COUNT):
        memory[_NEW_LOW + lane] = new_low
        memory[_NEW_HIGH + lane] = new_high
        memory[_OLD_LOW + lane] = old_low
        memory[_OLD_HIGH + lane] = old_high
        memory[_FOUND + lane] = -1
    rest = 1
    while rest:
        rest = 0
        for lane in range(LANE_COUNT):
            # Without sign bits, which are never set, shifts cost less.
            low, high = memory[_NEW_LOW + lane] & FULL, memory[_NEW_HIGH + lane] & FULL
            is_there = (low & pawn_low) | (high & pawn_high)
            memory[_FOUND + lane] = depth if is_there else memory[_FOUND + lane]
            next_low, next_high = spread(
                size,
                memory[_EAST_LOW + lane],
                memory[_EAST_HIGH + lane],
                memory[_SOUTH_LOW + lane],
                memory[_SOUTH_HIGH + lane],
                low,
                high,
            )
            # Whoever is next to a layer is in it or in one of its neighbours.
            goes_on = 0 if is_there else FULL
            next_low = next_low & ~(low | memory[_OLD_LOW + lane]) & goes_on
            next_high = next_high & ~(high | memory[_OLD_HIGH + lane]) & goes_on
            memory[_OLD_LOW + lane], memory[_OLD_HIGH + lane] = low, high
            memory[_NEW_LOW + lane], memory[_NEW_HIGH + lane] = next_low, next_high
            rest |= next_low | next_high
        depth += 1


@kernel
def _find_ways(memory: Words, row: int, seat: int, end: int) -> None:
    """Note the distance of ``seat`` in ``row``, whose layers reach its pawn, with each wall before ``end``.

    They are listed from ``TRIED`` on. The distance is -1 with a wall that cuts the seat off. Layers as near
    as the nearest of the walls in the lanes are those without them.
    """
    distance = memory[row + DISTANCE + seat]
    ways = WAYS + seat * MOVES
    for lane in range(LANE_COUNT):
        memory[end + lane] = memory[TRIED]
    for first in range(TRIED, end, LANE_COUNT):
        low, high = _begin_lanes(memory, row, first)
        layer = layers_at(memory[row + SLOT], seat)
        depth = 0
        while depth < distance and not (memory[layer] & low) | (memory[layer + 1] & high):
            depth += 1
            layer += 2
        _flood_lanes(memory, row, seat, depth)
        for lane in range(LANE_COUNT):
            memory[ways + memory[first + lane]] = memory[_FOUND + lane]


@kernel
def _weigh_walls(memory: Words, ply: int, seat: int, base: int, low: int, high: int) -> None:
    """Add what the walls ``base`` plus each number of the set do to ``seat`` to the threats to it."""
    row = ROWS + ply * ROW
    rival = 1 - seat
    found = threats_at(ply, seat)
    cut = corridor_of(memory, ply, rival) + (CUT_HORIZONTAL if base == HORIZONTAL else CUT_VERTICAL)
    cut_low, cut_high = memory[cut], memory[cut + 1]
    own, other = memory[row + DISTANCE + seat], memory[row + DISTANCE + rival]
    most, most_left, strong = memory[found + GAIN], memory[found + NET], memory[found + COUNT]
    place = found + LIST + 2 * memory[found + LISTED]
    while low | high:
        anchor = lowest(low, high)
        one_low, one_high = single(anchor)
        low, high = low & ~one_low, high & ~one_high
        gain = memory[WAYS + seat * MOVES + base + anchor] - own
        if gain < 0:
            continue
        net = gain
        if (cut_low & one_low) | (cut_high & one_high):
            loss = memory[WAYS + rival * MOVES + base + anchor] - other
            if loss < 0:
                continue
            net -= loss
        most = max(most, gain)
        most_left = max(most_left, net + 1)
        strong += net >= STRONG
        memory[place] = base + anchor
        memory[place + 1] = min(max(net, -1) + 2, MOST)
        place += 2
    memory[found + GAIN] = min(most, MOST)
    memory[found + NET] = min(most_left, MOST)
    memory[found + COUNT] = min(strong, MOST)
    memory[found + LISTED] = (place - found - LIST) // 2


@kernel
def _walls_to_try(memory: Words, ply: int, seat: int, word: int) -> int:
    """Return one of the four words that hold the walls which fit and matter to the way of ``seat``.

    Those that threaten it, and of those with which it threatens its rival the ones that cut its own way too.
    """
    row = ROWS + ply * ROW
    own, other = corridor_of(memory, ply, seat), corridor_of(memory, ply, 1 - seat)
    walls = 0
    if memory[row + LEFT + 1 - seat] > 0:
        walls = memory[own + CHOKE_HORIZONTAL + word]
    if memory[row + LEFT + seat] > 0:
        walls |= memory[own + CUT_HORIZONTAL + word] & memory[other + CHOKE_HORIZONTAL + word]
    return walls & memory[row + FIT_HORIZONTAL + word]


@kernel
def find_threats(memory: Words, ply: int) -> None:
    """Find the threats to both seats at ``ply``; there are none to a seat whose rival has no walls."""
    row = ROWS + ply * ROW
    for seat in range(2):
        for index in range(LIST):
            memory[threats_at(ply, seat) + index] = 0
    if memory[row + LEFT] + memory[row + LEFT + 1] == 0:
        return
    if not memory[row + IS_FLOODED]:
        for seat in range(2):
            flood(memory, row, memory[row + SLOT], seat, 0)
    for seat in range(2):
        low, high = _walls_to_try(memory, ply, seat, 0), _walls_to_try(memory, ply, seat, 1)
        end = write_numbers(memory, TRIED, HORIZONTAL, low, high)
        low, high = _walls_to_try(memory, ply, seat, 2), _walls_to_try(memory, ply, seat, 3)
        end = write_numbers(memory, end, VERTICAL, low, high)
        _find_ways(memory, row, seat, end)
    for seat in range(2):
        if memory[row + LEFT + 1 - seat] == 0:
            continue
        choke, fits = corridor_of(memory, ply, seat) + CHOKE_HORIZONTAL, row + FIT_HORIZONTAL
        low, high = memory[choke] & memory[fits], memory[choke + 1] & memory[fits + 1]
        _weigh_walls(memory, ply, seat, HORIZONTAL, low, high)
        low, high = memory[choke + 2] & memory[fits + 2], memory[choke + 3] & memory[fits + 3]
        _weigh_walls(memory, ply, seat, VERTICAL, low, high)
