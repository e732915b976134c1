"""Kernel: threats, how far single walls lengthen the path of either seat.

The damage that one wall can do to a path matters as much as the path's length: a lead of two steps is lost if
a wall costs four. Only walls that surely cut all shortest paths are tried. A flood tests eight at a time,
starting at the nearest of them.

The *gain* of a wall is the number of steps by which it lengthens the path of a seat. Its *net* gain is the
gain minus the steps that it adds to the path of the player who places it. ``Threats`` keeps, over all walls
that threaten a seat, the largest gain, the largest net gain plus one, and the number of walls with a net gain
of at least ``STRONG``, each at most ``MOST``. For each wall it keeps the *effect*: the net gain plus two,
from 1 to ``MOST``.
"""

from __future__ import annotations

import numpy as np

from quoridor_net.engine.board.bitboard import (
    Bitboard,
    empty,
    high_word,
    holds,
    load,
    low_word,
    lowest,
    square,
    without_lowest,
)
from quoridor_net.engine.board.distances import corridor_of, flood
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import LANES, UNKNOWN, Frame, SearchState
from quoridor_net.engine.evaluation.network import THREAT_VALUES
from quoridor_net.engine.evaluation.simd import fill
from quoridor_net.engine.jit import kernel

MOST = THREAT_VALUES - 1
STRONG = 2

_ALL = np.uint64(2**64 - 1)
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_WORD = np.uint64(64)


@kernel
def _begin_lanes(state: SearchState, frame: Frame, first: int) -> Bitboard:
    """Fill each lane with the passages left by one more wall, for the tried walls from ``first`` on.

    Returns:
        The squares beside any of these walls.
    """
    lanes = state.lanes
    south, east = load(frame.passages[0]), load(frame.passages[1])
    south_low, south_high = low_word(south), high_word(south)
    east_low, east_high = low_word(east), high_word(east)
    near = empty()
    for lane in range(LANES):
        move = state.tried[first + lane]
        wall = state.walls[move]
        closes = load(wall.closes)
        low, high = low_word(closes), high_word(closes)
        is_vertical = _ALL if move >= VERTICAL else _NONE
        lanes.east.low[lane] = east_low & ~(low & is_vertical)
        lanes.east.high[lane] = east_high & ~(high & is_vertical)
        lanes.south.low[lane] = south_low & ~(low & ~is_vertical)
        lanes.south.high[lane] = south_high & ~(high & ~is_vertical)
        near |= load(wall.beside)
    return near


@kernel
def _flood_lanes(state: SearchState, frame: Frame, seat: int, depth: int) -> None:
    """Find the distance of ``seat`` in each lane, -1 where it is cut off.

    Up to ``depth`` the layers are those of ``frame``. All lanes do the same at each step, so that numba turns
    the loop over them into vector instructions.
    """
    lanes = state.lanes
    size = np.uint64(state.board_size)
    size_left = _WORD - size
    one_left = _WORD - _ONE
    pawn = square(frame.pawns[seat])
    pawn_low, pawn_high = low_word(pawn), high_word(pawn)
    layers = state.layers[frame.wall_ply, seat]
    new, old = load(layers[depth]), empty()
    if depth > 0:
        old = load(layers[depth - 1])
    # Fill whole vectors: the loop below would wait for words that are written one by one.
    new_low, new_high = low_word(new), high_word(new)
    old_low, old_high = low_word(old), high_word(old)
    fill(lanes.new.low, new_low)
    fill(lanes.new.high, new_high)
    fill(lanes.old.low, old_low)
    fill(lanes.old.high, old_high)
    fill(lanes.distances, -1)
    rest = _ONE
    while rest:
        rest = _NONE
        for lane in range(LANES):
            low, high = lanes.new.low[lane], lanes.new.high[lane]
            is_there = ((low & pawn_low) | (high & pawn_high)) != _NONE
            lanes.distances[lane] = depth if is_there else lanes.distances[lane]
            east_low, east_high = lanes.east.low[lane], lanes.east.high[lane]
            south_low, south_high = lanes.south.low[lane], lanes.south.high[lane]
            down_low, down_high = low & south_low, high & south_high
            on_low, on_high = low & east_low, high & east_high
            next_low = (
                (down_low << size)
                | (on_low << _ONE)
                | (((low >> size) | (high << size_left)) & south_low)
                | (((low >> _ONE) | (high << one_left)) & east_low)
            )
            next_high = (
                ((down_high << size) | (down_low >> size_left))
                | ((on_high << _ONE) | (on_low >> one_left))
                | ((high >> size) & south_high)
                | ((high >> _ONE) & east_high)
            )
            # A square next to a layer is in it or in one of its neighbours.
            goes_on = _NONE if is_there else _ALL
            next_low &= ~(low | lanes.old.low[lane]) & goes_on
            next_high &= ~(high | lanes.old.high[lane]) & goes_on
            lanes.old.low[lane], lanes.old.high[lane] = low, high
            lanes.new.low[lane], lanes.new.high[lane] = next_low, next_high
            rest |= next_low | next_high
        depth += 1


@kernel
def _measure_tried(state: SearchState, frame: Frame, seat: int, total: int) -> None:
    """Write the distance of ``seat`` with each of the ``total`` tried walls, -1 if the wall cuts it off.

    The layers of the seat must reach its pawn. Up to the nearest wall in the lanes, the layers are the same
    with and without the walls.
    """
    layers = state.layers[frame.wall_ply, seat]
    # Pad the list, so that the last lanes are not empty.
    for lane in range(LANES):
        state.tried[total + lane] = state.tried[0]
    for first in range(0, total, LANES):
        near = _begin_lanes(state, frame, first)
        depth = 0
        while depth < frame.distances[seat] and not load(layers[depth]) & near:
            depth += 1
        _flood_lanes(state, frame, seat, depth)
        for lane in range(LANES):
            state.lengths[seat, state.tried[first + lane]] = state.lanes.distances[lane]


@kernel
def _weigh_walls(state: SearchState, ply: int, seat: int, orientation: int) -> None:
    """Add to the threats to ``seat`` the walls of one orientation that cut all its shortest paths."""
    frame, found = state.frames[ply], state.threats[ply, seat]
    rival = 1 - seat
    first = VERTICAL if orientation else HORIZONTAL
    rival_cuts = load(corridor_of(state, ply, rival).cuts[orientation])
    walls = load(corridor_of(state, ply, seat).chokes[orientation]) & load(frame.fits[orientation])
    own, other = frame.distances[seat], frame.distances[rival]
    most, most_net, strong, total = found.gain, found.net_gain, found.strong, found.wall_count
    while walls:
        anchor = lowest(walls)
        walls = without_lowest(walls)
        gain = state.lengths[seat, first + anchor] - own
        loss = state.lengths[rival, first + anchor] - other if holds(rival_cuts, anchor) else 0
        if gain < 0 or loss < 0:
            continue
        net = gain - loss
        most = max(most, gain)
        most_net = max(most_net, net + 1)
        strong += net >= STRONG
        found.walls[total].move = first + anchor
        found.walls[total].effect = min(max(net, -1) + 2, MOST)
        total += 1
    found.gain = min(most, MOST)
    found.net_gain = min(most_net, MOST)
    found.strong = min(strong, MOST)
    found.wall_count = total


@kernel
def _walls_to_try(state: SearchState, ply: int, seat: int, orientation: int) -> Bitboard:
    """Return the walls that fit and matter to the path of ``seat``.

    These are the walls that threaten it, and its own threats that cut a shortest path of its own, too.
    """
    frame = state.frames[ply]
    own, other = corridor_of(state, ply, seat), corridor_of(state, ply, 1 - seat)
    walls = empty()
    if frame.walls_left[1 - seat] > 0:
        walls = load(own.chokes[orientation])
    if frame.walls_left[seat] > 0:
        walls |= load(own.cuts[orientation]) & load(other.chokes[orientation])
    return walls & load(frame.fits[orientation])


@kernel
def find_threats(state: SearchState, ply: int) -> None:
    """Find the threats to both seats at ``ply``; a seat whose rival has no walls faces none."""
    frame = state.frames[ply]
    for seat in range(2):
        found = state.threats[ply, seat]
        found.gain = found.net_gain = found.strong = found.wall_count = 0
    if frame.walls_left[0] + frame.walls_left[1] == 0:
        return
    if frame.flooded == UNKNOWN:
        for seat in range(2):
            flood(state, frame, seat, state.layers[frame.wall_ply, seat], False)
    for seat in range(2):
        total = 0
        for orientation in range(2):
            first = VERTICAL if orientation else HORIZONTAL
            walls = _walls_to_try(state, ply, seat, orientation)
            while walls:
                state.tried[total] = first + lowest(walls)
                walls = without_lowest(walls)
                total += 1
        _measure_tried(state, frame, seat, total)
    for seat in range(2):
        if frame.walls_left[1 - seat] > 0:
            for orientation in range(2):
                _weigh_walls(state, ply, seat, orientation)


@kernel
def greatest_gain(state: SearchState, ply: int, seat: int) -> int:
    """Return the longest detour, in steps, that a single wall causes for ``seat``.

    The layers at ``ply`` must reach every square. Walls that cut off another seat count, too: they are rare.
    """
    frame = state.frames[ply]
    corridor = corridor_of(state, ply, seat)
    total = 0
    for orientation in range(2):
        first = VERTICAL if orientation else HORIZONTAL
        walls = load(corridor.chokes[orientation]) & load(frame.fits[orientation])
        while walls:
            state.tried[total] = first + lowest(walls)
            walls = without_lowest(walls)
            total += 1
    _measure_tried(state, frame, seat, total)
    longest = frame.distances[seat]
    for index in range(total):
        longest = max(longest, state.lengths[seat, state.tried[index]])
    return longest - frame.distances[seat]
