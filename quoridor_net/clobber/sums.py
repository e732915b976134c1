"""Kernels of the exact search for the winner of a sum of regions and games.

A state is a list of parts with Left to move. After a move all parts are replaced by their negatives, so that
the side to move is always Left. Parts equal to zero and pairs of negatives are left out. Outcomes and
atomic weights decide many states without a search. Adding all games up to a single one was slower and saved
no states.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.games import (
    GAMES_TYPE,
    LEFT_WINS_FIRST,
    RIGHT_WINS_FIRST,
    UNKNOWN_WEIGHT,
    ZERO,
    GamePool,
    negate_game,
)
from quoridor_net.clobber.jit import compiled, should_stop
from quoridor_net.clobber.regions import (
    EMPTY,
    FIRST_REGION,
    HALT,
    PARTS,
    REGIONS_TYPE,
    SQUARES,
    Regions,
    collect,
    find_or_add,
    generate_region_moves,
    negate_region,
    value_region,
)
from quoridor_net.jit.bits import mix
from quoridor_net.jit.types import BYTES, NOTHING, NUMBER, NUMBERS, TRUTH, type_of

LOSS, WIN, UNKNOWN, STOPPED = 0, 1, -1, -2
MAX_PLIES = 132
MAX_MOVES = 600

NODES, NODE_LIMIT = range(2)


class Sums(NamedTuple):
    """The stack of the search and its transposition table."""

    parts: NDArray[np.int64]
    counts: NDArray[np.int64]
    #: Per ply and move: index of its part, the option in that part, and its score, lowest first.
    part: NDArray[np.int64]
    option: NDArray[np.int64]
    score: NDArray[np.int64]
    #: Two slots per bucket: the first keeps the result that took most nodes, the second the latest.
    table_key: NDArray[np.int64]
    table_nodes: NDArray[np.int32]
    table_verdict: NDArray[np.int8]
    #: Nodes so far, and the node limit.
    control: NDArray[np.int64]


def new_sums(places: int) -> Sums:
    """Return an empty stack and a table of ``places`` (a power of two) buckets."""
    return Sums(
        parts=np.zeros((MAX_PLIES, PARTS), np.int64),
        counts=np.zeros(MAX_PLIES, np.int64),
        part=np.zeros((MAX_PLIES, MAX_MOVES), np.int64),
        option=np.zeros((MAX_PLIES, MAX_MOVES), np.int64),
        score=np.zeros((MAX_PLIES, MAX_MOVES), np.int64),
        table_key=np.zeros(2 * places, np.int64),
        table_nodes=np.zeros(2 * places, np.int32),
        table_verdict=np.zeros(2 * places, np.int8),
        control=np.zeros(2, np.int64),
    )


SUMS_TYPE = type_of(new_sums(1))


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBER)
def negate_part(regions: Regions, games: GamePool, part: int) -> int:
    """Return the negative of ``part``; -1 if a store is full."""
    if part < FIRST_REGION:
        return negate_game(games, part)
    found = negate_region(regions, part - FIRST_REGION)
    return found + FIRST_REGION if found >= 0 else -1


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, NUMBER, NUMBER)
def are_negatives(regions: Regions, games: GamePool, one: int, other: int) -> bool:
    """Return whether two parts are known to be negatives of each other."""
    if one < FIRST_REGION or other < FIRST_REGION:
        return max(one, other) < FIRST_REGION and games.negative[one] == other
    return bool(regions.key[one - FIRST_REGION] == regions.negative_key[other - FIRST_REGION])


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBERS, NUMBER, NUMBER)
def add_part(regions: Regions, games: GamePool, parts: NDArray[np.int64], count: int, part: int) -> int:
    """Add ``part`` to a sum, or cancel it with its negative; return the number of parts, -1 if full."""
    if part == ZERO:
        return count
    if count + 1 >= PARTS:
        return -1
    for index in range(count):
        if are_negatives(regions, games, parts[index], part):
            parts[index] = parts[count - 1]
            return count - 1
    parts[count] = part
    return count + 1


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBERS, NUMBER, NUMBER)
def add_region(regions: Regions, games: GamePool, parts: NDArray[np.int64], count: int, region: int) -> int:
    """Add a region to a sum, as its equal game if known; return the number of parts, -1 if full."""
    value = regions.value[region]
    part = int(value) if value >= 0 else region + FIRST_REGION
    return add_part(regions, games, parts, count, part)


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER)
def expand(regions: Regions, games: GamePool, sums: Sums, ply: int) -> bool:
    """Generate the moves in the regions of ``ply`` and value the results; return False if a store is full."""
    for index in range(sums.counts[ply]):
        part = sums.parts[ply, index]
        if part < FIRST_REGION:
            continue
        region = part - FIRST_REGION
        if not generate_region_moves(regions, region):
            return False
        at = regions.first_move[region]
        for _ in range(regions.moves[region]):
            for left in range(at + 1, at + 1 + regions.move_pool[at]):
                value_region(regions, games, regions.move_pool[left])
            at += regions.move_pool[at] + 1
    return True


@compiled(NUMBER, GAMES_TYPE, NUMBERS, NUMBER)
def decide_statically(games: GamePool, parts: NDArray[np.int64], count: int) -> int:
    """Return WIN or LOSS for Left, to move, if outcomes or atomic weights decide; otherwise UNKNOWN."""
    if count == 0:
        return LOSS
    low = high = 0
    none_for_right = none_for_left = True
    first_player_wins = 0
    for index in range(count):
        part = parts[index]
        if part >= FIRST_REGION:
            return UNKNOWN
        low += games.low[part]
        high += games.high[part]
        outcome = games.outcome[part]
        if outcome == LEFT_WINS_FIRST:
            none_for_right = False
        elif outcome == RIGHT_WINS_FIRST:
            none_for_left = False
        else:
            first_player_wins += 1
    if low >= 1 or (none_for_left and first_player_wins <= 1):
        return WIN
    if high <= -2 or (none_for_right and first_player_wins == 0):
        return LOSS
    return UNKNOWN


@compiled(NUMBER, NUMBERS, NUMBER)
def state_key(parts: NDArray[np.int64], count: int) -> int:
    """Return a hash of the sum that does not depend on the order of its parts."""
    key = 0
    for index in range(count):
        key += mix(parts[index] + 1)
    return key


@compiled(NUMBER, SUMS_TYPE, NUMBER)
def recall(sums: Sums, key: int) -> int:
    """Return the stored verdict on the state with this key; UNKNOWN if there is none."""
    slot = (mix(key) & (len(sums.table_key) // 2 - 1)) * 2
    if sums.table_key[slot] == key:
        return int(sums.table_verdict[slot])
    if sums.table_key[slot + 1] == key:
        return int(sums.table_verdict[slot + 1])
    return UNKNOWN


@compiled(NOTHING, SUMS_TYPE, NUMBER, NUMBER, NUMBER)
def remember(sums: Sums, key: int, verdict: int, nodes: int) -> None:
    """Store the verdict on the state with this key, which took ``nodes`` nodes."""
    slot = (mix(key) & (len(sums.table_key) // 2 - 1)) * 2
    if sums.table_key[slot] != key and nodes < sums.table_nodes[slot]:
        slot += 1
    sums.table_key[slot] = key
    sums.table_nodes[slot] = min(nodes, 2**31 - 1)
    sums.table_verdict[slot] = verdict


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER, NUMBER)
def play(regions: Regions, games: GamePool, sums: Sums, ply: int, move: int) -> bool:
    """Write the state after a move of ``ply`` to the next ply; return False if a store is full."""
    moving, option = sums.part[ply, move], sums.option[ply, move]
    parts = sums.parts[ply + 1]
    count = 0
    for index in range(sums.counts[ply]):
        if index != moving:
            parts[count] = negate_part(regions, games, sums.parts[ply, index])
            if parts[count] < 0:
                return False
            count += 1
    part = sums.parts[ply, moving]
    if part < FIRST_REGION:
        left = negate_game(games, option)
        if left < 0:
            return False
        count = add_part(regions, games, parts, count, left)
    else:
        for index in range(option + 1, option + 1 + regions.move_pool[option]):
            count = add_region(regions, games, parts, count, regions.move_pool[index])
            if count < 0:
                return False
    sums.counts[ply + 1] = count
    return count >= 0


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER)
def list_moves(regions: Regions, games: GamePool, sums: Sums, ply: int) -> int:
    """List Left's moves in the expanded state of ``ply``; return their number, -1 if there are too many."""
    moves = 0
    for index in range(sums.counts[ply]):
        part = sums.parts[ply, index]
        again = False
        for earlier in range(index):
            again |= sums.parts[ply, earlier] == part
        if again:
            continue
        if part < FIRST_REGION:
            at = games.start[part]
            count = games.lefts[part]
        else:
            at = regions.first_move[part - FIRST_REGION]
            count = regions.moves[part - FIRST_REGION]
        if moves + count > MAX_MOVES:
            return -1
        for _ in range(count):
            sums.part[ply, moves] = index
            if part < FIRST_REGION:
                sums.option[ply, moves] = games.pool[at]
                at += 1
            else:
                sums.option[ply, moves] = at
                at += regions.move_pool[at] + 1
            moves += 1
    return moves


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBERS, NUMBER)
def score_state(regions: Regions, games: GamePool, parts: NDArray[np.int64], count: int) -> int:
    """Return the score of a state for Left, to move, for move ordering; more moves give a higher score."""
    score = 0
    for index in range(count):
        part = parts[index]
        if part >= FIRST_REGION:
            region = part - FIRST_REGION
            score += regions.stones[region] + 4 * regions.pairs[region]
        else:
            score += 2
            if games.high[part] < UNKNOWN_WEIGHT:
                score += 3 * (games.low[part] + games.high[part])
    return score


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER, NUMBER)
def order_moves(regions: Regions, games: GamePool, sums: Sums, ply: int, moves: int) -> int:
    """Order the moves of ``ply`` without a search, best first, and drop those known to lose.

    Return WIN if a move is known to win, otherwise minus the number of moves left, or a number below
    -MAX_MOVES if a store is full.
    """
    open_moves = 0
    for move in range(moves):
        if not play(regions, games, sums, ply, move):
            return -MAX_MOVES - 1
        parts, count = sums.parts[ply + 1], sums.counts[ply + 1]
        verdict = decide_statically(games, parts, count)
        if verdict == UNKNOWN:
            verdict = recall(sums, state_key(parts, count))
        if verdict == LOSS:
            return WIN
        if verdict == UNKNOWN:
            score = score_state(regions, games, parts, count)
            part, option = sums.part[ply, move], sums.option[ply, move]
            at = open_moves
            while at > 0 and sums.score[ply, at - 1] > score:
                sums.score[ply, at] = sums.score[ply, at - 1]
                sums.part[ply, at] = sums.part[ply, at - 1]
                sums.option[ply, at] = sums.option[ply, at - 1]
                at -= 1
            sums.score[ply, at], sums.part[ply, at], sums.option[ply, at] = score, part, option
            open_moves += 1
    return -open_moves


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER)
def search(regions: Regions, games: GamePool, sums: Sums, ply: int) -> int:
    """Return WIN or LOSS for Left, to move in the state of ``ply``; STOPPED if stopped or out of memory."""
    parts, count = sums.parts[ply], sums.counts[ply]
    verdict = decide_statically(games, parts, count)
    if verdict != UNKNOWN:
        return verdict
    key = state_key(parts, count)
    verdict = recall(sums, key)
    if verdict != UNKNOWN:
        return verdict
    sums.control[NODES] += 1
    start = sums.control[NODES]
    if start > sums.control[NODE_LIMIT] or ply + 2 >= MAX_PLIES or should_stop(regions.counts, HALT):
        return STOPPED
    if not expand(regions, games, sums, ply):
        return STOPPED
    moves = list_moves(regions, games, sums, ply)
    if moves < 0:
        return STOPPED
    moves = order_moves(regions, games, sums, ply, moves)
    if moves < -MAX_MOVES:
        return STOPPED
    verdict = LOSS
    if moves == WIN:
        verdict = WIN
    for move in range(-moves):
        if not play(regions, games, sums, ply, move):
            return STOPPED
        answer = search(regions, games, sums, ply + 1)
        if answer == STOPPED:
            return STOPPED
        if answer == LOSS:
            verdict = WIN
            break
    remember(sums, key, verdict, sums.control[NODES] - start + 1)
    return verdict


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, BYTES)
def set_up(regions: Regions, games: GamePool, sums: Sums, grid: NDArray[np.int8]) -> bool:
    """Split the board into the state of ply 0, with Left as colour 0; return False if a store is full."""
    sums.counts[0] = 0
    for square in range(SQUARES):
        if grid[square] == EMPTY:
            continue
        stones = collect(grid, square, regions.cells)
        if stones > 0:
            region = find_or_add(regions, regions.cells, stones)
            if region < 0:
                return False
            value_region(regions, games, region)
            count = add_region(regions, games, sums.parts[0], sums.counts[0], region)
            if count < 0:
                return False
            sums.counts[0] = count
    return True


@compiled(NUMBER, GAMES_TYPE, SUMS_TYPE)
def known_verdict(games: GamePool, sums: Sums) -> int:
    """Return the verdict on the state of ply 0 if it is known without a search; otherwise UNKNOWN."""
    verdict = decide_statically(games, sums.parts[0], sums.counts[0])
    if verdict == UNKNOWN:
        verdict = recall(sums, state_key(sums.parts[0], sums.counts[0]))
    return verdict
