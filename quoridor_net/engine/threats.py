"""Kernel: threats, which are how far single walls lengthen the way of either seat.

What one wall can do to a way tells as much about a position as its length: a lead of two steps is none if a
wall takes four. Only walls that surely cut all shortest paths are tried, each by a flood that begins where
the wall stands.
"""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.floods import corridor_of, flood, layers_at
from quoridor_net.engine.layout import (
    CHOKE_HORIZONTAL,
    CHOKE_VERTICAL,
    CUT_HORIZONTAL,
    CUT_VERTICAL,
    DISTANCE,
    FIT_HORIZONTAL,
    FIT_VERTICAL,
    HORIZONTAL,
    IS_FLOODED,
    LEFT,
    PAWN,
    ROW,
    ROWS,
    SIZE,
    SLOT,
    SOUTH,
    VERTICAL,
)
from quoridor_net.engine.layout import THREAT as _THREAT
from quoridor_net.engine.layout import THREATS as _THREATS
from quoridor_net.engine.network import WORTHS
from quoridor_net.engine.sets import holds, left, lowest, single, spread
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


@kernel
def threats_at(ply: int, seat: int) -> int:
    """Return where the threats to ``seat`` at ``ply`` lie."""
    return _THREATS + (2 * ply + seat) * _THREAT


@kernel
def _way_round(memory: Words, row: int, seat: int, move: int) -> int:
    """Return the distance of ``seat`` in ``row``, whose layers reach its pawn, with the wall ``move`` there.

    -1 if the wall cuts it off. Layers as near as the wall are those without it.
    """
    size = memory[SIZE]
    east_low, east_high = memory[row], memory[row + 1]
    south_low, south_high = memory[row + SOUTH], memory[row + SOUTH + 1]
    if move < VERTICAL:
        low, high = single(move - HORIZONTAL)
        more_low, more_high = left(low, high, 1)
        low, high = low | more_low, high | more_high
        south_low, south_high = south_low & ~low, south_high & ~high
        more_low, more_high = left(low, high, size)
    else:
        low, high = single(move - VERTICAL)
        more_low, more_high = left(low, high, size)
        low, high = low | more_low, high | more_high
        east_low, east_high = east_low & ~low, east_high & ~high
        more_low, more_high = left(low, high, 1)
    low, high = low | more_low, high | more_high
    distance = memory[row + DISTANCE + seat]
    layer = layers_at(memory[row + SLOT], seat)
    depth = 0
    while not (memory[layer + 2 * depth] & low) | (memory[layer + 2 * depth + 1] & high):
        depth += 1
        if depth > distance:
            return distance
    pawn_low, pawn_high = single(memory[row + PAWN + seat])
    layer += 2 * depth
    new_low, new_high = memory[layer], memory[layer + 1]
    old_low = old_high = 0
    if depth > 0:
        old_low, old_high = memory[layer - 2], memory[layer - 1]
    while new_low | new_high:
        if (new_low & pawn_low) | (new_high & pawn_high):
            return depth
        depth += 1
        next_low, next_high = spread(size, east_low, east_high, south_low, south_high, new_low, new_high)
        # Whoever is next to a layer is in it or in one of its neighbours.
        next_low, next_high = next_low & ~(new_low | old_low), next_high & ~(new_high | old_high)
        old_low, old_high = new_low, new_high
        new_low, new_high = next_low, next_high
    return -1


@kernel
def _try_walls(memory: Words, ply: int, seat: int, base: int, low: int, high: int) -> None:
    """Add what the walls ``base`` plus each number of the set do to ``seat`` to the threats to it."""
    row = ROWS + ply * ROW
    rival = 1 - seat
    found = threats_at(ply, seat)
    own_cut = corridor_of(memory, ply, rival) + (CUT_HORIZONTAL if base == HORIZONTAL else CUT_VERTICAL)
    while low | high:
        anchor = lowest(low, high)
        one_low, one_high = single(anchor)
        low, high = low & ~one_low, high & ~one_high
        gain = _way_round(memory, row, seat, base + anchor) - memory[row + DISTANCE + seat]
        if gain < 0:
            continue
        net = gain
        if holds(memory[own_cut], memory[own_cut + 1], anchor):
            loss = _way_round(memory, row, rival, base + anchor) - memory[row + DISTANCE + rival]
            if loss < 0:
                continue
            net -= loss
        memory[found + GAIN] = max(memory[found + GAIN], min(gain, MOST))
        memory[found + NET] = max(memory[found + NET], min(net + 1, MOST))
        if net >= STRONG:
            memory[found + COUNT] = min(memory[found + COUNT] + 1, MOST)
        place = found + LIST + 2 * memory[found + LISTED]
        memory[place] = base + anchor
        memory[place + 1] = min(max(net, -1) + 2, MOST)
        memory[found + LISTED] += 1


@kernel
def find_threats(memory: Words, ply: int) -> None:
    """Find the threats to both seats at ``ply``; there are none to a seat whose rival has no walls."""
    row = ROWS + ply * ROW
    if memory[row + LEFT] + memory[row + LEFT + 1] > 0 and not memory[row + IS_FLOODED]:
        for seat in range(2):
            flood(memory, row, memory[row + SLOT], seat, 0)
    for seat in range(2):
        found = threats_at(ply, seat)
        for index in range(LIST):
            memory[found + index] = 0
        if memory[row + LEFT + 1 - seat] == 0:
            continue
        corridor = corridor_of(memory, ply, seat)
        choke, fits = corridor + CHOKE_HORIZONTAL, row + FIT_HORIZONTAL
        low, high = memory[choke] & memory[fits], memory[choke + 1] & memory[fits + 1]
        _try_walls(memory, ply, seat, HORIZONTAL, low, high)
        choke, fits = corridor + CHOKE_VERTICAL, row + FIT_VERTICAL
        low, high = memory[choke] & memory[fits], memory[choke + 1] & memory[fits + 1]
        _try_walls(memory, ply, seat, VERTICAL, low, high)
