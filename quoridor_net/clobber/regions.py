"""Kernels for the regions of a board and their moves.

A region is a set of connected stones; no move can join two of them. Regions equal up to shift, rotation and
reflection share one number. A region without opposing neighbours is dead. In all kernels Left plays the
stones of colour 0. Right's moves in a region are Left's moves in its negative, the region with exchanged
colours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.games import GAMES_TYPE, OPTIONS, ZERO, GamePool, add_games, negate_game, simplify
from quoridor_net.clobber.jit import STOP_NUMBERS, compiled, should_stop, widen
from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.clobber.values import MAX_SIZE, ClobberSquare, Colour
from quoridor_net.clobber.weights import weigh
from quoridor_net.jit.bits import mix
from quoridor_net.jit.types import BYTES, NOTHING, NUMBER, NUMBERS, SMALL_NUMBERS, TRUTH, numbers, type_of

#: Row length of the kernels' board, which has a border of empty squares.
STRIDE = MAX_SIZE + 2
SQUARES = STRIDE * STRIDE

EMPTY = -1
NOT_VALUED = -1
NOT_TRIED = -2
#: Parts of a sum from this number on are regions, those below are games.
FIRST_REGION = 1 << 40
#: Maximum number of parts of a sum; neither a move nor a 26x26 board makes more.
PARTS = 256

REGIONS, STONES, MOVES, REGION_LIMIT, STONE_LIMIT, MOVE_LIMIT, VALUED_STONES, HALT = range(8)


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


class Regions(NamedTuple):
    """The store of all regions."""

    counts: NDArray[np.int64]
    first_stone: NDArray[np.int64]
    stones: NDArray[np.int64]
    #: Number of opposing neighbours; each pair is one move for either side.
    pairs: NDArray[np.int64]
    #: The stones, as x + 32 * y + 1024 * colour.
    stone_pool: NDArray[np.int16]
    key: NDArray[np.int64]
    negative_key: NDArray[np.int64]
    #: Hash table from keys to number + 1.
    table: NDArray[np.int32]
    #: Number of the negative; -1 before it was computed.
    negative: NDArray[np.int32]
    #: Start of Left's moves in the pool (-1 before they were generated), and their number.
    first_move: NDArray[np.int32]
    moves: NDArray[np.int32]
    #: Per move: the number of live regions that it leaves, then the numbers of their negatives.
    move_pool: NDArray[np.int32]
    #: Number of the equal game, or NOT_VALUED, or NOT_TRIED.
    value: NDArray[np.int32]
    #: Random numbers for keys, by colour, row and column.
    random: NDArray[np.int64]
    #: Scratch memory: a board for moves, a board for counting pairs, and the squares of a region.
    grid: NDArray[np.int8]
    spare: NDArray[np.int8]
    cells: NDArray[np.int64]


def new_regions(limit: int, valued_stones: int) -> Regions:
    """Return a store for ``limit`` regions; those of at most ``valued_stones`` stones are valued as games."""
    stone_limit, move_limit = limit * 24, limit * 48
    return Regions(
        counts=np.array(
            [0, 0, 0, limit, stone_limit, move_limit, valued_stones] + [0] * STOP_NUMBERS, np.int64
        ),
        first_stone=np.zeros(limit, np.int64),
        stones=np.zeros(limit, np.int64),
        pairs=np.zeros(limit, np.int64),
        stone_pool=np.zeros(stone_limit, np.int16),
        key=np.zeros(limit, np.int64),
        negative_key=np.zeros(limit, np.int64),
        # The size of a hash table is a power of two.
        table=np.zeros(1 << limit.bit_length() + 1, np.int32),
        negative=np.full(limit, -1, np.int32),
        first_move=np.full(limit, -1, np.int32),
        moves=np.zeros(limit, np.int32),
        move_pool=np.zeros(move_limit, np.int32),
        value=np.full(limit, NOT_TRIED, np.int32),
        random=np.random.default_rng(2006).integers(-(2**62), 2**62, (2, MAX_SIZE, MAX_SIZE), dtype=np.int64),
        grid=np.full(SQUARES, EMPTY, np.int8),
        spare=np.full(SQUARES, EMPTY, np.int8),
        cells=np.zeros(SQUARES, np.int64),
    )


REGIONS_TYPE = type_of(new_regions(1, 0))


def clear_regions(regions: Regions) -> None:
    """Remove all regions. This is much faster than a new store, which needs new memory."""
    used = int(regions.counts[REGIONS])
    regions.table.fill(0)
    regions.negative[:used] = -1
    regions.first_move[:used] = -1
    regions.value[:used] = NOT_TRIED
    regions.counts[[REGIONS, STONES, MOVES]] = 0


@compiled(NUMBER, BYTES, NUMBER, NUMBERS)
def collect(grid: NDArray[np.int8], square: int, cells: NDArray[np.int64]) -> int:
    """Move the region around ``square`` from the board to ``cells``, as square + SQUARES * colour.

    Return its number of stones, as a negative number if it is dead.
    """
    colour = grid[square]
    cells[0] = square + SQUARES * colour
    grid[square] = EMPTY
    found, index = 1, 0
    live = False
    while index < found:
        at, colour = cells[index] % SQUARES, cells[index] // SQUARES
        index += 1
        for step in (1, -1, STRIDE, -STRIDE):
            beside = grid[at + step]
            if beside != EMPTY:
                cells[found] = at + step + SQUARES * beside
                found += 1
                grid[at + step] = EMPTY
                live |= beside != colour
    return found if live else -found


@compiled(numbers(4), REGIONS_TYPE, NUMBERS, NUMBER)
def compute_keys(regions: Regions, cells: NDArray[np.int64], count: int) -> tuple[int, int, int, int]:
    """Return the key, the key of the negative, the lowest x and the lowest y of the stones in ``cells``."""
    left = bottom = STRIDE
    right = top = 0
    for index in range(count):
        x, y = cells[index] % SQUARES % STRIDE, cells[index] % SQUARES // STRIDE
        left, right = min(left, x), max(right, x)
        bottom, top = min(bottom, y), max(top, y)
    width, height = right - left, top - bottom
    sums = np.zeros(16, np.int64)
    for index in range(count):
        colour = cells[index] // SQUARES
        x, y = cells[index] % SQUARES % STRIDE - left, cells[index] % SQUARES // STRIDE - bottom
        for turn in range(4):
            u = x if turn & 1 else width - x
            v = y if turn & 2 else height - y
            sums[turn] += regions.random[colour, v, u]
            sums[turn + 4] += regions.random[colour, u, v]
            sums[turn + 8] += regions.random[1 - colour, v, u]
            sums[turn + 12] += regions.random[1 - colour, u, v]
    return sums[:8].min(), sums[8:].min(), left, bottom


@compiled(NUMBER, REGIONS_TYPE, NUMBERS, NUMBER)
def count_pairs(regions: Regions, cells: NDArray[np.int64], count: int) -> int:
    """Return the number of pairs of opposing neighbours in ``cells``."""
    for index in range(count):
        regions.spare[cells[index] % SQUARES] = cells[index] // SQUARES
    pairs = 0
    for index in range(count):
        square, other = cells[index] % SQUARES, 1 - cells[index] // SQUARES
        pairs += regions.spare[square + 1] == other
        pairs += regions.spare[square + STRIDE] == other
    for index in range(count):
        regions.spare[cells[index] % SQUARES] = EMPTY
    return pairs


@compiled(NUMBER, REGIONS_TYPE, NUMBERS, NUMBER)
def find_or_add(regions: Regions, cells: NDArray[np.int64], count: int) -> int:
    """Return the number of the region in ``cells``, adding it if new; -1 if the store is full."""
    key, negative_key, left, bottom = compute_keys(regions, cells, count)
    size = len(regions.table)
    slot = mix(key) & (size - 1)
    while regions.table[slot]:
        region = regions.table[slot] - 1
        if regions.key[region] == key:
            return int(region)
        slot = (slot + 1) & (size - 1)
    region = regions.counts[REGIONS]
    at = regions.counts[STONES]
    if region >= regions.counts[REGION_LIMIT] or at + count > regions.counts[STONE_LIMIT]:
        return -1
    regions.counts[REGIONS] += 1
    regions.counts[STONES] += count
    regions.first_stone[region] = at
    regions.stones[region] = count
    regions.pairs[region] = count_pairs(regions, cells, count)
    regions.key[region] = key
    regions.negative_key[region] = negative_key
    for index in range(count):
        x, y = cells[index] % SQUARES % STRIDE - left, cells[index] % SQUARES // STRIDE - bottom
        regions.stone_pool[at + index] = x + 32 * y + 1024 * (cells[index] // SQUARES)
    regions.table[slot] = region + 1
    return int(region)


@compiled(NUMBER, REGIONS_TYPE, NUMBER)
def negate_region(regions: Regions, region: int) -> int:
    """Return the number of the negative of ``region``; -1 if the store is full."""
    if regions.negative[region] >= 0:
        return int(regions.negative[region])
    count = regions.stones[region]
    at = regions.first_stone[region]
    cells = np.empty(count, np.int64)
    for index in range(count):
        stone = regions.stone_pool[at + index]
        cells[index] = ((stone >> 5 & 31) + 1) * STRIDE + (stone & 31) + 1 + SQUARES * (1 - (stone >> 10))
    found = find_or_add(regions, cells, count)
    if found >= 0:
        regions.negative[region] = found
        regions.negative[found] = region
    return found


@compiled(NOTHING, REGIONS_TYPE, NUMBER)
def place_negative(regions: Regions, region: int) -> None:
    """Set up ``region`` with exchanged colours on the empty board."""
    at = regions.first_stone[region]
    for stone in regions.stone_pool[at : at + regions.stones[region]]:
        regions.grid[((stone >> 5 & 31) + 1) * STRIDE + (stone & 31) + 1] = 1 - (stone >> 10)


@compiled(NUMBER, REGIONS_TYPE, SMALL_NUMBERS, NUMBER)
def split_board(regions: Regions, stones: NDArray[np.int16], at: int) -> int:
    """Split the board into its live regions, clearing it; write their sorted numbers and return their count.

    Returns -1 if the store is full.
    """
    parts = 0
    full = False
    for stone in stones:
        square = ((stone >> 5 & 31) + 1) * STRIDE + (stone & 31) + 1
        if regions.grid[square] == EMPTY:
            continue
        count = collect(regions.grid, square, regions.cells)
        if count < 0 or full:
            continue
        part = find_or_add(regions, regions.cells, count)
        full = part < 0
        place_at = at + parts
        while place_at > at and regions.move_pool[place_at - 1] > part:
            regions.move_pool[place_at] = regions.move_pool[place_at - 1]
            place_at -= 1
        regions.move_pool[place_at] = part
        parts += 1
    return -1 if full else parts


@compiled(TRUTH, REGIONS_TYPE, NUMBER, NUMBER)
def is_repeated(regions: Regions, first: int, last: int) -> bool:
    """Return whether the move at ``last`` leaves the same regions as an earlier one, from ``first`` on."""
    pool = regions.move_pool
    at = first
    while at < last:
        same = pool[at] == pool[last]
        if same:
            for index in range(1, pool[at] + 1):
                same &= pool[at + index] == pool[last + index]
        if same:
            return True
        at += pool[at] + 1
    return False


@compiled(TRUTH, REGIONS_TYPE, NUMBER)
def generate_region_moves(regions: Regions, region: int) -> bool:
    """Generate Left's moves in ``region``, once; return False if the store is full."""
    if regions.first_move[region] >= 0:
        return True
    first = at = regions.counts[MOVES]
    moves = 0
    size = regions.stones[region]
    stones = regions.stone_pool[regions.first_stone[region] : regions.first_stone[region] + size]
    place_negative(regions, region)
    full = False
    for stone in stones:
        origin = ((stone >> 5 & 31) + 1) * STRIDE + (stone & 31) + 1
        for step in (1, -1, STRIDE, -STRIDE):
            if stone >> 10 or regions.grid[origin + step] != 0:
                continue
            full |= at + 6 >= regions.counts[MOVE_LIMIT]
            if full:
                continue
            regions.grid[origin] = EMPTY
            regions.grid[origin + step] = 1
            parts = split_board(regions, stones, at + 1)
            place_negative(regions, region)
            full |= parts < 0
            regions.move_pool[at] = parts
            if not full and not is_repeated(regions, first, at):
                at += parts + 1
                moves += 1
    for stone in stones:
        regions.grid[((stone >> 5 & 31) + 1) * STRIDE + (stone & 31) + 1] = EMPTY
    if full:
        return False
    regions.counts[MOVES] = at
    regions.first_move[region] = first
    regions.moves[region] = moves
    return True


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBER)
def value_region(regions: Regions, games: GamePool, region: int) -> int:
    """Return the number of the game equal to ``region``; NOT_VALUED if it is too large or time is up."""
    if regions.value[region] != NOT_TRIED:
        return int(regions.value[region])
    if should_stop(regions.counts, HALT):
        return NOT_VALUED
    regions.value[region] = NOT_VALUED
    if regions.stones[region] > regions.counts[VALUED_STONES]:
        return NOT_VALUED
    other = negate_region(regions, region)
    if other < 0:
        return NOT_VALUED
    options = np.empty((2, OPTIONS), np.int64)
    counts = np.zeros(2, np.int64)
    for side in range(2):
        mover = region if side == 0 else other
        if not generate_region_moves(regions, mover):
            return NOT_VALUED
        at = regions.first_move[mover]
        for _ in range(regions.moves[mover]):
            option = ZERO
            for index in range(1, regions.move_pool[at] + 1):
                part = value_region(regions, games, widen(int(regions.move_pool[at + index])))
                option = add_games(games, option, part) if part >= 0 else -1
                if option < 0:
                    if regions.counts[HALT]:
                        regions.value[region] = NOT_TRIED
                    return NOT_VALUED
            at += regions.move_pool[at] + 1
            if side == 0:
                option = negate_game(games, option)
            if option < 0 or counts[side] >= OPTIONS // 2:
                return NOT_VALUED
            options[side, counts[side]] = option
            counts[side] += 1
    value = simplify(games, options[0], counts[0], options[1], counts[1])
    if value >= 0:
        weigh(games, value)
        regions.value[region] = value
        opposed = negate_game(games, value)
        if opposed >= 0:
            weigh(games, opposed)
            regions.value[other] = opposed
    return int(regions.value[region])
