"""Kernels for the regions of a board and their moves.

Terminology:

* *Region*: a set of connected stones; no move can join two of them. Its number is its place in the
  store. Regions that are equal up to shift, rotation and reflection share one number.
* *Left* plays the stones of colour 0, *Right* those of colour 1.
* *Negative*: the region with exchanged colours. Right's moves in a region are Left's moves in its negative.
* *Dead*: without opposing neighbours, so that no side can move there. Other regions are *live*.
* *Pair*: two opposing neighbours. Each is one move for either side.
* *Value*: the number of the game that equals a region, see :mod:`quoridor_net.clobber.games`.
* *Grid*: a board with a border of empty squares, as the colour of each square.

Memory::

    Regions
     |-- counts: how much of the store is used, and the limits
     |-- records: one Region each, by number        stones: those of all regions
     |   +------------------------+                 +-------------+
     |   | 0: first stone      -----------------------> x, y, colour | ...
     |   |    first move       -----------.          moves: those of all regions
     |   +------------------------+        |        +---------------------------------+
     |-- slots: a hash table (open         `----------> count | region | region | ... |
     |   addressing) from keys to regions           +---------------------------------+
     `-- scratch memory

A move is the list of the live regions that it leaves, as the numbers of their negatives, with their count in
front. They are negatives because after a move the other side becomes Left.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.games import GAMES_TYPE, OPTIONS, ZERO, GamePool, add_games, negate_game, simplify
from quoridor_net.clobber.jit import StopSignal, compiled, int64, should_stop, store_type
from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.clobber.values import MAX_SIZE, ClobberSquare, Colour
from quoridor_net.clobber.weights import weigh
from quoridor_net.jit.arrays import Array
from quoridor_net.jit.bits import mix
from quoridor_net.jit.records import element_type, new_array, new_record
from quoridor_net.jit.types import BYTES, NOTHING, NUMBER, TRUTH, numbers

#: Row length of the kernels' board, which has a border of empty squares.
STRIDE = MAX_SIZE + 2
SQUARES = STRIDE * STRIDE

EMPTY = -1
#: The value of a region that is too large, or whose moves are too many, and of one that was not tried yet.
NOT_VALUED = -1
NOT_TRIED = -2
#: The number of a negative, and the place of moves, before they were computed.
NOT_COMPUTED = -1
FULL = -1
#: Parts of a sum from this number on are regions, those below are games.
FIRST_REGION = 1 << 40
#: Maximum number of parts of a sum; neither a move nor a 26x26 board makes more.
PARTS = 256
#: Room for stones and for numbers of moves, per region.
_STONES_A_REGION, _MOVES_A_REGION = 24, 48
#: A move leaves at most four regions: that of its target, and one on each other side of its origin.
_MOST_LEFT = 4


def square_number(square: ClobberSquare) -> int:
    """Return the number of ``square`` on the kernels' board."""
    return (square.row + 1) * STRIDE + square.column + 1


def square_at(number: int) -> ClobberSquare:
    """Return the square with this number."""
    return ClobberSquare(number % STRIDE - 1, number // STRIDE - 1)


def grid_of(position: ClobberPosition, first: Colour) -> NDArray[np.int8]:
    """Return the stones of ``position``: 0 for those of colour ``first``, 1 for the others."""
    grid = np.full(SQUARES, EMPTY, np.int8)
    for square, colour in position.stones().items():
        grid[square_number(square)] = colour is not first
    return grid


class RegionCounts:
    """The use of the store, its limits, and the signal that ends the search for values."""

    regions: int
    stones: int
    moves: int
    region_limit: int
    stone_limit: int
    move_limit: int
    #: Regions of at most this many stones are valued as games.
    valued_stones: int
    stop: StopSignal


class Region:
    """A region."""

    #: The lowest of the hashes of its rotations and reflections, and the same of its negative.
    key: int
    negative_key: int
    first_stone: Annotated[int, np.int32]
    stone_count: Annotated[int, np.int16]
    pairs: Annotated[int, np.int16]
    #: The number of the negative.
    negative: Annotated[int, np.int32]
    #: Left's moves.
    first_move: Annotated[int, np.int32]
    move_count: Annotated[int, np.int32]
    #: Its value, or NOT_VALUED or NOT_TRIED.
    value: Annotated[int, np.int32]


class Stone:
    """A stone of a region, counted from the left and from the bottom of the region."""

    x: Annotated[int, np.int8]
    y: Annotated[int, np.int8]
    colour: Annotated[int, np.int8]


class Cell:
    """A square of the grid with a stone."""

    square: Annotated[int, np.int32]
    colour: Annotated[int, np.int32]


class Regions(NamedTuple):
    """The store of all regions."""

    counts: RegionCounts
    records: Array[Region]
    stones: Array[Stone]
    #: Per move: the number of live regions that it leaves, then the numbers of their negatives.
    moves: NDArray[np.int32]
    #: Numbers of regions plus 1, by the last bits of their hashed keys; 0 for none.
    slots: NDArray[np.int32]
    #: Random numbers for keys, by colour, row and column.
    random: NDArray[np.int64]
    #: Scratch memory: a grid for moves, one for counting pairs, and the stones of one region.
    grid: NDArray[np.int8]
    spare: NDArray[np.int8]
    cells: Array[Cell]


def new_regions(limit: int, valued_stones: int) -> Regions:
    """Return a store for ``limit`` regions; those of at most ``valued_stones`` stones are valued as games."""
    regions = Regions(
        counts=new_record(RegionCounts),
        records=new_array(Region, limit),
        stones=new_array(Stone, limit * _STONES_A_REGION),
        moves=np.zeros(limit * _MOVES_A_REGION, np.int32),
        # The size of a hash table is a power of two.
        slots=np.zeros(1 << limit.bit_length() + 1, np.int32),
        random=np.random.default_rng(2006).integers(-(2**62), 2**62, (2, MAX_SIZE, MAX_SIZE), dtype=np.int64),
        grid=np.full(SQUARES, EMPTY, np.int8),
        spare=np.full(SQUARES, EMPTY, np.int8),
        cells=new_array(Cell, SQUARES),
    )
    regions.counts.region_limit = limit
    regions.counts.stone_limit = len(regions.stones)
    regions.counts.move_limit = len(regions.moves)
    regions.counts.valued_stones = valued_stones
    return regions


REGIONS_TYPE = store_type(new_regions(1, 0))
_STONE_TYPE = element_type(Stone)


def clear_regions(regions: Regions) -> None:
    """Remove all regions. This is much faster than a new store, which needs new memory."""
    regions.slots.fill(0)
    regions.counts.regions = regions.counts.stones = regions.counts.moves = 0


@compiled(NUMBER, REGIONS_TYPE, BYTES, NUMBER)
def collect(regions: Regions, grid: NDArray[np.int8], square: int) -> int:
    """Move the region around ``square`` from the grid to the cells.

    Return its number of stones, as a negative number if it is dead.
    """
    cells = regions.cells
    cells[0].square, cells[0].colour = square, grid[square]
    grid[square] = EMPTY
    found, index = 1, 0
    is_live = False
    while index < found:
        at, colour = cells[index].square, cells[index].colour
        index += 1
        for step in (1, -1, STRIDE, -STRIDE):
            beside = grid[at + step]
            if beside != EMPTY:
                cells[found].square, cells[found].colour = at + step, beside
                found += 1
                grid[at + step] = EMPTY
                is_live |= beside != colour
    return found if is_live else -found


@compiled(numbers(4), REGIONS_TYPE, NUMBER)
def compute_keys(regions: Regions, count: int) -> tuple[int, int, int, int]:
    """Return the key, the key of the negative, the lowest x and the lowest y of the first ``count`` cells."""
    # Step 1. The bounds, so that the place of a region does not matter.
    left = bottom = STRIDE
    right = top = 0
    for index in range(count):
        square = int64(regions.cells[index].square)
        x, y = square % STRIDE, square // STRIDE
        left, right = min(left, x), max(right, x)
        bottom, top = min(bottom, y), max(top, y)
    width, height = right - left, top - bottom
    # Step 2. A hash for each rotation and reflection: four as the region lies, four turned, and the same of
    # the negative.
    sums = np.zeros(16, np.int64)
    for index in range(count):
        square, colour = int64(regions.cells[index].square), regions.cells[index].colour
        x, y = square % STRIDE - left, square // STRIDE - bottom
        for turn in range(4):
            u = x if turn & 1 else width - x
            v = y if turn & 2 else height - y
            sums[turn] += regions.random[colour, v, u]
            sums[turn + 4] += regions.random[colour, u, v]
            sums[turn + 8] += regions.random[1 - colour, v, u]
            sums[turn + 12] += regions.random[1 - colour, u, v]
    return sums[:8].min(), sums[8:].min(), left, bottom


@compiled(NUMBER, REGIONS_TYPE, NUMBER)
def count_pairs(regions: Regions, count: int) -> int:
    """Return the number of pairs in the first ``count`` cells."""
    cells, spare = regions.cells, regions.spare
    for index in range(count):
        spare[cells[index].square] = cells[index].colour
    pairs = 0
    for index in range(count):
        square, other = cells[index].square, 1 - cells[index].colour
        pairs += spare[square + 1] == other
        pairs += spare[square + STRIDE] == other
    for index in range(count):
        spare[cells[index].square] = EMPTY
    return pairs


@compiled(NUMBER, REGIONS_TYPE, NUMBER)
def find_or_add(regions: Regions, count: int) -> int:
    """Return the number of the region in the first ``count`` cells, adding it if new; FULL without room."""
    # Step 1. Find it.
    key, negative_key, left, bottom = compute_keys(regions, count)
    last = len(regions.slots) - 1
    slot = mix(key) & last
    while regions.slots[slot]:
        known = regions.slots[slot] - 1
        if regions.records[known].key == key:
            return int(known)
        slot = (slot + 1) & last
    # Step 2. Add it, if there is room.
    counts = regions.counts
    number, at = counts.regions, counts.stones
    if number >= counts.region_limit or at + count > counts.stone_limit:
        return FULL
    counts.regions += 1
    counts.stones += count
    region = regions.records[number]
    region.key, region.negative_key = key, negative_key
    region.first_stone, region.stone_count = at, count
    region.pairs = count_pairs(regions, count)
    region.negative = region.first_move = NOT_COMPUTED
    region.value = NOT_TRIED
    for index in range(count):
        cell, stone = regions.cells[index], regions.stones[at + index]
        stone.x, stone.y = cell.square % STRIDE - left, cell.square // STRIDE - bottom
        stone.colour = cell.colour
    regions.slots[slot] = number + 1
    return number


@compiled(NUMBER, _STONE_TYPE)
def square_of(stone: Stone) -> int:
    """Return the square of a stone if its region is set up at the bottom left of a grid."""
    return (stone.y + 1) * STRIDE + stone.x + 1


@compiled(NUMBER, REGIONS_TYPE, NUMBER)
def negate_region(regions: Regions, number: int) -> int:
    """Return the number of the negative of a region; FULL without room."""
    region = regions.records[number]
    if region.negative >= 0:
        return int64(region.negative)
    count, at = int64(region.stone_count), int64(region.first_stone)
    for index in range(count):
        cell, stone = regions.cells[index], regions.stones[at + index]
        cell.square, cell.colour = square_of(stone), 1 - stone.colour
    found = find_or_add(regions, count)
    if found >= 0:
        region.negative = found
        regions.records[found].negative = number
    return found


@compiled(NOTHING, REGIONS_TYPE, NUMBER)
def place_negative(regions: Regions, number: int) -> None:
    """Set up a region with exchanged colours on the empty grid."""
    region = regions.records[number]
    at = int64(region.first_stone)
    for index in range(at, at + region.stone_count):
        stone = regions.stones[index]
        regions.grid[square_of(stone)] = 1 - stone.colour


@compiled(NOTHING, REGIONS_TYPE, NUMBER)
def clear_grid(regions: Regions, number: int) -> None:
    """Remove the stones of a region from the grid."""
    region = regions.records[number]
    at = int64(region.first_stone)
    for index in range(at, at + region.stone_count):
        regions.grid[square_of(regions.stones[index])] = EMPTY


@compiled(NUMBER, REGIONS_TYPE, NUMBER, NUMBER)
def split_grid(regions: Regions, number: int, at: int) -> int:
    """Split the grid, on which stones of a region are left, into its live regions, and clear it.

    Write their sorted numbers to the moves from ``at`` on, and return their count, or FULL without room.
    """
    region = regions.records[number]
    first_stone = int64(region.first_stone)
    parts = 0
    is_full = False
    for index in range(first_stone, first_stone + region.stone_count):
        square = square_of(regions.stones[index])
        if regions.grid[square] == EMPTY:
            continue
        count = collect(regions, regions.grid, square)
        if count < 0 or is_full:
            continue
        part = find_or_add(regions, count)
        is_full = part < 0
        place_at = at + parts
        while place_at > at and regions.moves[place_at - 1] > part:
            regions.moves[place_at] = regions.moves[place_at - 1]
            place_at -= 1
        regions.moves[place_at] = part
        parts += 1
    return FULL if is_full else parts


@compiled(NUMBER, REGIONS_TYPE, NUMBER)
def skip_move(regions: Regions, at: int) -> int:
    """Return the place of the move after the one at ``at``."""
    return int(at + 1 + regions.moves[at])


@compiled(TRUTH, REGIONS_TYPE, NUMBER, NUMBER)
def is_repeated(regions: Regions, first: int, last: int) -> bool:
    """Return whether the move at ``last`` leaves the same regions as an earlier one, from ``first`` on."""
    moves = regions.moves
    at = first
    while at < last:
        is_same = moves[at] == moves[last]
        if is_same:
            for index in range(1, moves[at] + 1):
                is_same &= moves[at + index] == moves[last + index]
        if is_same:
            return True
        at = skip_move(regions, at)
    return False


@compiled(TRUTH, REGIONS_TYPE, NUMBER)
def generate_region_moves(regions: Regions, number: int) -> bool:
    """Generate Left's moves in a region, once; return False without room."""
    region = regions.records[number]
    if region.first_move >= 0:
        return True
    first = at = regions.counts.moves
    moves = 0
    first_stone = int64(region.first_stone)
    # The grid shows the negative, so Left's stones have colour 1 there, and opposing ones colour 0.
    place_negative(regions, number)
    is_full = False
    for index in range(first_stone, first_stone + region.stone_count):
        stone = regions.stones[index]
        origin = square_of(stone)
        for step in (1, -1, STRIDE, -STRIDE):
            if stone.colour != 0 or regions.grid[origin + step] != 0:
                continue
            is_full |= at + _MOST_LEFT >= regions.counts.move_limit
            if is_full:
                continue
            regions.grid[origin] = EMPTY
            regions.grid[origin + step] = 1
            parts = split_grid(regions, number, at + 1)
            place_negative(regions, number)
            is_full |= parts < 0
            regions.moves[at] = parts
            if not is_full and not is_repeated(regions, first, at):
                at = skip_move(regions, at)
                moves += 1
    clear_grid(regions, number)
    if is_full:
        return False
    regions.counts.moves = at
    region.first_move = first
    region.move_count = moves
    return True


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBER)
def value_region(regions: Regions, games: GamePool, number: int) -> int:
    """Return the value of a region; NOT_VALUED if it is too large or time is up."""
    region = regions.records[number]
    if region.value != NOT_TRIED:
        return int64(region.value)
    if should_stop(regions.counts.stop):
        return NOT_VALUED
    # Step 1. Until it is known, the region counts as not valued; so does one that needs too much.
    region.value = NOT_VALUED
    if region.stone_count > regions.counts.valued_stones:
        return NOT_VALUED
    negative = negate_region(regions, number)
    if negative < 0:
        return NOT_VALUED
    # Step 2. The options of both sides: sums of the values of the regions that a move leaves.
    options = np.empty((2, OPTIONS), np.int64)
    counts = np.zeros(2, np.int64)
    for side in range(2):
        mover = number if side == 0 else negative
        if not generate_region_moves(regions, mover):
            return NOT_VALUED
        at = int64(regions.records[mover].first_move)
        for _ in range(regions.records[mover].move_count):
            option = ZERO
            for index in range(at + 1, skip_move(regions, at)):
                part = value_region(regions, games, int64(regions.moves[index]))
                option = add_games(games, option, part) if part >= 0 else -1
                if option < 0:
                    if regions.counts.stop.is_set:
                        region.value = NOT_TRIED
                    return NOT_VALUED
            at = skip_move(regions, at)
            if side == 0:
                option = negate_game(games, option)
            if option < 0 or counts[side] >= OPTIONS // 2:
                return NOT_VALUED
            options[side, counts[side]] = option
            counts[side] += 1
    # Step 3. The canonical form with its atomic weight, and the same of the negative.
    value = simplify(games, options[0], counts[0], options[1], counts[1])
    if value >= 0:
        weigh(games, value)
        region.value = value
        opposed = negate_game(games, value)
        if opposed >= 0:
            weigh(games, opposed)
            regions.records[negative].value = opposed
    return int64(region.value)
