"""Kernels of the exact search for the winner of a sum of regions and games.

Outcomes and atomic weights decide many states without a search. Adding all games up to a single one was
slower and saved no states.

Terminology:

* *Part*: a game, by its number, or a region, by its number plus FIRST_REGION.
* *State*: a sum of parts with Left to move. After a move all parts are replaced by their negatives, so that
  the side to move is always Left. Parts equal to zero and pairs of negatives are left out.
* *Verdict*: WIN or LOSS for Left, UNKNOWN, or STOPPED if the search ended without one.
* *Option* of a part: of a game, the game to which Left moves; of a region, the place of the move in
  the store.
* *Expand*: generate the moves in the regions of a state, and value the regions that they leave.
* *Score*: an estimate for the side to move after a move; the search tries the lowest first.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, cast

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
from quoridor_net.clobber.jit import compiled, int64, should_stop, store_type
from quoridor_net.clobber.regions import (
    EMPTY,
    FIRST_REGION,
    FULL,
    PARTS,
    REGIONS_TYPE,
    SQUARES,
    Regions,
    collect,
    find_or_add,
    generate_region_moves,
    negate_region,
    skip_move,
    value_region,
)
from quoridor_net.jit.arrays import Array, Words
from quoridor_net.jit.bits import mix
from quoridor_net.jit.records import element_type, new_array, new_record
from quoridor_net.jit.types import BYTES, NOTHING, NUMBER, TRUTH

LOSS, WIN, UNKNOWN, STOPPED = 0, 1, -1, -2
#: Returned instead of the number of ordered moves if one is known to win.
FOUND_WIN = -2
PLIES = 132
MOST_MOVES = 600
_MOST_NODES = 2**31 - 1


class SumControl:
    """The nodes of a search."""

    nodes: int
    node_limit: int


class SumMove:
    """A move of a state: the index of its part, and the option of that part."""

    option: int
    part: Annotated[int, np.int32]
    score: Annotated[int, np.int32]


class SumState:
    """A state, and its moves, which are ordered by score."""

    part_count: int
    parts: Annotated[Words, PARTS]
    moves: Annotated[Array[SumMove], MOST_MOVES]


class SumEntry:
    """An entry of the transposition table."""

    key: int
    #: The nodes that the verdict took.
    nodes: Annotated[int, np.int32]
    verdict: Annotated[int, np.int32]


class SumBucket:
    """Two entries: the first keeps the verdict that took most nodes, the second the latest."""

    most: SumEntry
    latest: SumEntry


class Sums(NamedTuple):
    """The stack of the search and its transposition table."""

    control: SumControl
    #: One state for each ply.
    states: Array[SumState]
    #: By the last bits of the hashed key.
    table: Array[SumBucket]


def new_sums(buckets: int) -> Sums:
    """Return an empty stack and a table of ``buckets`` (a power of two)."""
    return Sums(
        control=new_record(SumControl),
        states=new_array(SumState, PLIES),
        table=new_array(SumBucket, buckets),
    )


def clear_table(sums: Sums) -> None:
    """Remove all verdicts."""
    cast("NDArray[np.void]", sums.table).view(np.uint8)[...] = 0


SUMS_TYPE = store_type(new_sums(1))
_STATE_TYPE = element_type(SumState)


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, NUMBER)
def negate_part(regions: Regions, games: GamePool, part: int) -> int:
    """Return the negative of ``part``; FULL without room."""
    if part < FIRST_REGION:
        return negate_game(games, part)
    found = negate_region(regions, part - FIRST_REGION)
    return found + FIRST_REGION if found >= 0 else FULL


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, NUMBER, NUMBER)
def are_negatives(regions: Regions, games: GamePool, one: int, other: int) -> bool:
    """Return whether two parts are known to be negatives of each other."""
    if one < FIRST_REGION or other < FIRST_REGION:
        return max(one, other) < FIRST_REGION and games.records[one].negative == other
    region, rival = regions.records[one - FIRST_REGION], regions.records[other - FIRST_REGION]
    return region.key == rival.negative_key


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, _STATE_TYPE, NUMBER)
def add_part(regions: Regions, games: GamePool, state: SumState, part: int) -> bool:
    """Add ``part`` to a state, or cancel it with its negative; return False without room."""
    if part == ZERO:
        return True
    count = state.part_count
    if count + 1 >= PARTS:
        return False
    for index in range(count):
        if are_negatives(regions, games, state.parts[index], part):
            state.parts[index] = state.parts[count - 1]
            state.part_count = count - 1
            return True
    state.parts[count] = part
    state.part_count = count + 1
    return True


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, _STATE_TYPE, NUMBER)
def add_region(regions: Regions, games: GamePool, state: SumState, number: int) -> bool:
    """Add a region to a state, as its value if that is known; return False without room."""
    value = int64(regions.records[number].value)
    return add_part(regions, games, state, value if value >= 0 else number + FIRST_REGION)


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, _STATE_TYPE)
def expand(regions: Regions, games: GamePool, state: SumState) -> bool:
    """Generate the moves in the regions of a state, and value what they leave; return False without room."""
    for index in range(state.part_count):
        part = state.parts[index]
        if part < FIRST_REGION:
            continue
        number = part - FIRST_REGION
        if not generate_region_moves(regions, number):
            return False
        at = int64(regions.records[number].first_move)
        for _ in range(regions.records[number].move_count):
            after = skip_move(regions, at)
            for left in range(at + 1, after):
                value_region(regions, games, regions.moves[left])
            at = after
    return True


@compiled(NUMBER, GAMES_TYPE, _STATE_TYPE)
def decide_statically(games: GamePool, state: SumState) -> int:
    """Return the verdict on a state if outcomes or atomic weights decide; otherwise UNKNOWN."""
    if state.part_count == 0:
        return LOSS
    low = high = 0
    none_for_right = none_for_left = True
    first_player_wins = 0
    for index in range(state.part_count):
        part = state.parts[index]
        if part >= FIRST_REGION:
            return UNKNOWN
        game = games.records[part]
        low += game.low
        high += game.high
        if game.outcome == LEFT_WINS_FIRST:
            none_for_right = False
        elif game.outcome == RIGHT_WINS_FIRST:
            none_for_left = False
        else:
            first_player_wins += 1
    if low >= 1 or (none_for_left and first_player_wins <= 1):
        return WIN
    if high <= -2 or (none_for_right and first_player_wins == 0):
        return LOSS
    return UNKNOWN


@compiled(NUMBER, _STATE_TYPE)
def key_of(state: SumState) -> int:
    """Return a hash of a state that does not depend on the order of its parts."""
    key = 0
    for index in range(state.part_count):
        key += mix(state.parts[index] + 1)
    return key


@compiled(NUMBER, SUMS_TYPE, NUMBER)
def recall(sums: Sums, key: int) -> int:
    """Return the stored verdict on the state with this key; UNKNOWN if there is none."""
    bucket = sums.table[mix(key) & (len(sums.table) - 1)]
    if bucket.most.key == key:
        return int64(bucket.most.verdict)
    if bucket.latest.key == key:
        return int64(bucket.latest.verdict)
    return UNKNOWN


@compiled(NOTHING, SUMS_TYPE, NUMBER, NUMBER, NUMBER)
def remember(sums: Sums, key: int, verdict: int, nodes: int) -> None:
    """Store the verdict on the state with this key, which took ``nodes`` nodes."""
    bucket = sums.table[mix(key) & (len(sums.table) - 1)]
    entry = bucket.most
    if entry.key != key and nodes < entry.nodes:
        entry = bucket.latest
    entry.key, entry.verdict = key, verdict
    entry.nodes = min(nodes, _MOST_NODES)


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER, NUMBER)
def play(regions: Regions, games: GamePool, sums: Sums, ply: int, index: int) -> bool:
    """Write the state after a move of ``ply`` to the next ply; return False without room."""
    before, after = sums.states[ply], sums.states[ply + 1]
    moving, option = int64(before.moves[index].part), before.moves[index].option
    # Step 1. The parts that rest. No two of them cancel, because they did not before.
    count = 0
    for resting in range(before.part_count):
        if resting != moving:
            negative = negate_part(regions, games, before.parts[resting])
            if negative < 0:
                return False
            after.parts[count] = negative
            count += 1
    after.part_count = count
    # Step 2. The option of the part that moves; the store holds the negatives of regions.
    if before.parts[moving] < FIRST_REGION:
        negative = negate_game(games, option)
        return negative >= 0 and add_part(regions, games, after, negative)
    for left in range(option + 1, skip_move(regions, option)):
        if not add_region(regions, games, after, regions.moves[left]):
            return False
    return True


@compiled(TRUTH, _STATE_TYPE, NUMBER)
def is_earlier_part(state: SumState, index: int) -> bool:
    """Return whether a part is the same as an earlier one, and so has the same moves."""
    for earlier in range(index):
        if state.parts[earlier] == state.parts[index]:
            return True
    return False


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, _STATE_TYPE)
def list_moves(regions: Regions, games: GamePool, state: SumState) -> int:
    """List Left's moves in an expanded state; return their number, -1 if there are too many."""
    total = 0
    for index in range(state.part_count):
        if is_earlier_part(state, index):
            continue
        part = state.parts[index]
        is_game = part < FIRST_REGION
        if is_game:
            at, count = int64(games.records[part].first_option), int64(games.records[part].left_count)
        else:
            region = regions.records[part - FIRST_REGION]
            at, count = int64(region.first_move), int64(region.move_count)
        if total + count > MOST_MOVES:
            return -1
        for number in range(total, total + count):
            move = state.moves[number]
            move.part = index
            move.option = games.pool[at] if is_game else at
            at = at + 1 if is_game else skip_move(regions, at)
        total += count
    return total


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, _STATE_TYPE)
def score_state(regions: Regions, games: GamePool, state: SumState) -> int:
    """Return the score of a state for Left, to move; more moves give a higher score."""
    score = 0
    for index in range(state.part_count):
        part = state.parts[index]
        if part >= FIRST_REGION:
            region = regions.records[part - FIRST_REGION]
            score += region.stone_count + 4 * region.pairs
        else:
            game = games.records[part]
            score += 2
            if game.high < UNKNOWN_WEIGHT:
                score += 3 * (game.low + game.high)
    return score


@compiled(NUMBER, GAMES_TYPE, SUMS_TYPE, NUMBER)
def find_verdict(games: GamePool, sums: Sums, ply: int) -> int:
    """Return the verdict on the state of ``ply`` if it is known without a search; otherwise UNKNOWN."""
    state = sums.states[ply]
    verdict = decide_statically(games, state)
    return recall(sums, key_of(state)) if verdict == UNKNOWN else verdict


@compiled(NOTHING, _STATE_TYPE, NUMBER, NUMBER, NUMBER)
def insert_move(state: SumState, index: int, score: int, count: int) -> None:
    """Insert the move at ``index`` with its score into the ``count`` ordered moves at the front."""
    option, part = state.moves[index].option, state.moves[index].part
    at = count
    while at > 0 and state.moves[at - 1].score > score:
        state.moves[at] = state.moves[at - 1]
        at -= 1
    move = state.moves[at]
    move.option, move.part, move.score = option, part, score


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER, NUMBER)
def order_moves(regions: Regions, games: GamePool, sums: Sums, ply: int, total: int) -> int:
    """Order the moves of ``ply`` without a search, best first, and drop those known to lose.

    Return the number of moves left, FOUND_WIN if a move is known to win, or FULL without room.
    """
    count = 0
    for index in range(total):
        if not play(regions, games, sums, ply, index):
            return FULL
        verdict = find_verdict(games, sums, ply + 1)
        if verdict == LOSS:
            return FOUND_WIN
        if verdict == UNKNOWN:
            insert_move(sums.states[ply], index, score_state(regions, games, sums.states[ply + 1]), count)
            count += 1
    return count


@compiled(NUMBER, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, NUMBER)
def search(regions: Regions, games: GamePool, sums: Sums, ply: int) -> int:
    """Return the verdict on the state of ``ply``; STOPPED if stopped or without room."""
    # Step 1. A verdict that needs no search.
    state, control = sums.states[ply], sums.control
    verdict = decide_statically(games, state)
    if verdict != UNKNOWN:
        return verdict
    key = key_of(state)
    verdict = recall(sums, key)
    if verdict != UNKNOWN:
        return verdict
    # Step 2. The limits.
    control.nodes += 1
    start = control.nodes
    if start > control.node_limit or ply + 2 >= PLIES or should_stop(regions.counts.stop):
        return STOPPED
    # Step 3. The moves in their order, unless one is known to win.
    if not expand(regions, games, state):
        return STOPPED
    total = list_moves(regions, games, state)
    if total < 0:
        return STOPPED
    count = order_moves(regions, games, sums, ply, total)
    if count == FULL:
        return STOPPED
    # Step 4. The search, up to the first move after which the opponent loses.
    verdict = WIN if count == FOUND_WIN else LOSS
    for index in range(count):
        if not play(regions, games, sums, ply, index):
            return STOPPED
        answer = search(regions, games, sums, ply + 1)
        if answer == STOPPED:
            return STOPPED
        if answer == LOSS:
            verdict = WIN
            break
    remember(sums, key, verdict, control.nodes - start + 1)
    return verdict


@compiled(TRUTH, REGIONS_TYPE, GAMES_TYPE, SUMS_TYPE, BYTES)
def set_up(regions: Regions, games: GamePool, sums: Sums, grid: NDArray[np.int8]) -> bool:
    """Split a grid, with Left as colour 0, into the state of ply 0; return False without room."""
    state = sums.states[0]
    state.part_count = 0
    for square in range(SQUARES):
        if grid[square] == EMPTY:
            continue
        stones = collect(regions, grid, square)
        if stones > 0:
            number = find_or_add(regions, stones)
            if number < 0:
                return False
            value_region(regions, games, number)
            if not add_region(regions, games, state, number):
                return False
    return True
