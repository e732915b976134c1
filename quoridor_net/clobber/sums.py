"""Who wins a sum of regions and games: kernels of the exact search.

A state is a list of parts with Left to move; after a move all parts are replaced by their negatives, so that
the side to move is always Left. Parts that are worth nothing and pairs of opposites are left out. The search
stops at once where outcomes or atomic weights decide. (Adding the games up to a single one was tried: it
saved no states and took time.)
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
    negative,
)
from quoridor_net.clobber.jit import compiled, stopped
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
    opposite,
    valued,
    write_moves,
)
from quoridor_net.jit.bits import mix
from quoridor_net.jit.types import BYTES, NOTHING, NUMBER, NUMBERS, TRUTH, type_of

LOSS, WIN, UNKNOWN, STOPPED = 0, 1, -1, -2
MAX_PLIES = 132
MAX_MOVES = 600

NODES, NODE_LIMIT = range(2)


class Sums(NamedTuple):
    """The stack of the search and its memory."""

    parts: NDArray[np.int64]
    counts: NDArray[np.int64]
    #: Per ply and move: what it leaves in its part, and how promising it looks, low first.
    part: NDArray[np.int64]
    option: NDArray[np.int64]
    score: NDArray[np.int64]
    #: Two slots per place: the upper keeps what took most nodes, the lower the latest.
    table_key: NDArray[np.int64]
    table_nodes: NDArray[np.int32]
    table_verdict: NDArray[np.int8]
    #: Nodes so far, and how many nodes are allowed.
    control: NDArray[np.int64]


def new_sums(places: int) -> Sums:
    """Return an empty search memory of two times ``places`` (a power of two) states."""
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
def opposed(regions: Regions, games: GamePool, part: int) -> int:
    """Return the part with the sides exchanged; -1 when there is no room for it."""
    if part < FIRST_REGION:
        return negative(games, part)
    found = opposite(regions, part - FIRST_REGION)
    return found + FIRST_REGION if found >= 0 else -1


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, NUMBER, NUMBER)
def cancelling(regions: Regions, games: GamePool, one: int, other: int) -> bool:
    """Return whether two parts are known to be negatives of each other."""
    if one < FIRST_REGION or other < FIRST_REGION:
        return max(one, other) < FIRST_REGION and games.negative[one] == other
    return bool(regions.key[one - FIRST_REGION] == regions.negative_key[other - FIRST_REGION])


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBERS, NUMBER, NUMBER)
def with_part(regions: Regions, games: GamePool, parts: NDArray[np.int64], count: int, part: int) -> int:
    """Add ``part`` to a sum in which it may cancel; return the number of parts, -1 if full."""
    if part == ZERO:
        return count
    if count + 1 >= PARTS:
        return -1
    for index in range(count):
        if cancelling(regions, games, parts[index], part):
            parts[index] = parts[count - 1]
            return count - 1
    parts[count] = part
    return count + 1


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBERS, NUMBER, NUMBER)
def with_region(regions: Regions, games: GamePool, parts: NDArray[np.int64], count: int, region: int) -> int:
    """Add a region to a sum, as the game it equals if that is known; return the number of parts."""
    value = regions.value[region]
    part = int(value) if value >= 0 else region + FIRST_REGION
    return with_part(regions, games, parts, count, part)


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER)
def explored(regions: Regions, games: GamePool, sums: Sums, ply: int) -> bool:
    """Write down and value what moves in the regions of ``ply`` lead to; False when there is no room."""
    for index in range(sums.counts[ply]):
        part = sums.parts[ply, index]
        if part < FIRST_REGION:
            continue
        region = part - FIRST_REGION
        if not write_moves(regions, region):
            return False
        at = regions.first_move[region]
        for _ in range(regions.moves[region]):
            for left in range(at + 1, at + 1 + regions.move_pool[at]):
                valued(regions, games, regions.move_pool[left])
            at += regions.move_pool[at] + 1
    return True


@compiled(NUMBER, GAMES_TYPE, NUMBERS, NUMBER)
def settled(games: GamePool, parts: NDArray[np.int64], count: int) -> int:
    """Return whether Left, to move, wins or loses the sum, where that shows without a search."""
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
    """Return a number for the sum that does not depend on the order of its parts."""
    key = 0
    for index in range(count):
        key += mix(parts[index] + 1)
    return key


@compiled(NUMBER, SUMS_TYPE, NUMBER)
def remembered(sums: Sums, key: int) -> int:
    """Return the verdict on the state of that key, UNKNOWN when it is not remembered."""
    slot = (mix(key) & (len(sums.table_key) // 2 - 1)) * 2
    if sums.table_key[slot] == key:
        return int(sums.table_verdict[slot])
    if sums.table_key[slot + 1] == key:
        return int(sums.table_verdict[slot + 1])
    return UNKNOWN


@compiled(NOTHING, SUMS_TYPE, NUMBER, NUMBER, NUMBER)
def remember(sums: Sums, key: int, verdict: int, nodes: int) -> None:
    """Remember the verdict on the state of that key, which took ``nodes`` nodes."""
    slot = (mix(key) & (len(sums.table_key) // 2 - 1)) * 2
    if sums.table_key[slot] != key and nodes < sums.table_nodes[slot]:
        slot += 1
    sums.table_key[slot] = key
    sums.table_nodes[slot] = min(nodes, 2**31 - 1)
    sums.table_verdict[slot] = verdict


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER, NUMBER)
def played(regions: Regions, games: GamePool, sums: Sums, ply: int, move: int) -> bool:
    """Write the state after a move of ``ply`` to the next ply; False when there is no room."""
    moving, option = sums.part[ply, move], sums.option[ply, move]
    parts = sums.parts[ply + 1]
    count = 0
    for index in range(sums.counts[ply]):
        if index != moving:
            parts[count] = opposed(regions, games, sums.parts[ply, index])
            if parts[count] < 0:
                return False
            count += 1
    part = sums.parts[ply, moving]
    if part < FIRST_REGION:
        left = negative(games, option)
        if left < 0:
            return False
        count = with_part(regions, games, parts, count, left)
    else:
        for index in range(option + 1, option + 1 + regions.move_pool[option]):
            count = with_region(regions, games, parts, count, regions.move_pool[index])
            if count < 0:
                return False
    sums.counts[ply + 1] = count
    return count >= 0


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER)
def listed(regions: Regions, games: GamePool, sums: Sums, ply: int) -> int:
    """List Left's moves in the explored state of ``ply``; return their number, -1 when there is no room."""
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
def promise(regions: Regions, games: GamePool, parts: NDArray[np.int64], count: int) -> int:
    """Return how good a state looks for Left, who is to move in it; states with many moves are put off."""
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
def ordered(regions: Regions, games: GamePool, sums: Sums, ply: int, moves: int) -> int:
    """Look at where each move leads; return WIN when one is seen to win, else the number of moves left * -1.

    Moves seen to lose are dropped, the others ordered, the most promising first. STOPPED becomes a number
    below every count of moves.
    """
    open_moves = 0
    for move in range(moves):
        if not played(regions, games, sums, ply, move):
            return -MAX_MOVES - 1
        parts, count = sums.parts[ply + 1], sums.counts[ply + 1]
        verdict = settled(games, parts, count)
        if verdict == UNKNOWN:
            verdict = remembered(sums, state_key(parts, count))
        if verdict == LOSS:
            return WIN
        if verdict == UNKNOWN:
            score = promise(regions, games, parts, count)
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
def searched(regions: Regions, games: GamePool, sums: Sums, ply: int) -> int:
    """Return WIN or LOSS for Left, to move in the state of ``ply``; STOPPED when told to or out of room."""
    parts, count = sums.parts[ply], sums.counts[ply]
    verdict = settled(games, parts, count)
    if verdict != UNKNOWN:
        return verdict
    key = state_key(parts, count)
    verdict = remembered(sums, key)
    if verdict != UNKNOWN:
        return verdict
    sums.control[NODES] += 1
    start = sums.control[NODES]
    if start > sums.control[NODE_LIMIT] or ply + 2 >= MAX_PLIES or stopped(regions.counts, HALT):
        return STOPPED
    if not explored(regions, games, sums, ply):
        return STOPPED
    moves = listed(regions, games, sums, ply)
    if moves < 0:
        return STOPPED
    moves = ordered(regions, games, sums, ply, moves)
    if moves < -MAX_MOVES:
        return STOPPED
    verdict = LOSS
    if moves == WIN:
        verdict = WIN
    for move in range(-moves):
        if not played(regions, games, sums, ply, move):
            return STOPPED
        answer = searched(regions, games, sums, ply + 1)
        if answer == STOPPED:
            return STOPPED
        if answer == LOSS:
            verdict = WIN
            break
    remember(sums, key, verdict, sums.control[NODES] - start + 1)
    return verdict


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, BYTES)
def stated(regions: Regions, games: GamePool, sums: Sums, grid: NDArray[np.int8]) -> bool:
    """Take the board apart into the state of ply 0, Left playing colour 0; False when there is no room."""
    sums.counts[0] = 0
    for square in range(SQUARES):
        if grid[square] == EMPTY:
            continue
        stones = collect(grid, square, regions.cells)
        if stones > 0:
            region = find_or_add(regions, regions.cells, stones)
            if region < 0:
                return False
            valued(regions, games, region)
            count = with_region(regions, games, sums.parts[0], sums.counts[0], region)
            if count < 0:
                return False
            sums.counts[0] = count
    return True


@compiled(NUMBER, GAMES_TYPE, SUMS_TYPE)
def known(games: GamePool, sums: Sums) -> int:
    """Return the verdict on the state of ply 0 as far as it shows without a search."""
    verdict = settled(games, sums.parts[0], sums.counts[0])
    if verdict == UNKNOWN:
        verdict = remembered(sums, state_key(sums.parts[0], sums.counts[0]))
    return verdict
