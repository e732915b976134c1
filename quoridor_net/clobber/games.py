"""Kernels for the canonical forms of small games, their outcomes, sums and comparisons.

A small region of the board is replaced by the simplest game equal to it, so that the search does not
distinguish regions of equal value. Games are numbered; equal games have equal numbers. All this is standard
combinatorial game theory: Berlekamp, Conway and Guy, *Winning Ways*, chapters 3 (simplifying) and 8 (all
small games, atomic weights); Siegel, *Combinatorial Game Theory*, sections II.2 and II.7.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.jit import compiled
from quoridor_net.jit.bits import mix
from quoridor_net.jit.types import NOTHING, NUMBER, NUMBERS, TRUTH, type_of

#: Options of one side before simplification; a sum with more is left to the search.
OPTIONS = 400
#: A simplified game with more options than this on one side is left to the search.
KEPT_OPTIONS = 60
#: Far larger than any nimber in the regions that are valued (a region of n stones lasts n - 1 moves).
REMOTE_NIMBER = 15
#: Bounds of atomic weights are integers up to this one; larger ones are unknown.
LARGEST_WEIGHT = 20
UNKNOWN_WEIGHT = 100

ZERO = 0
TOO_LARGE = -1

#: Bits of an outcome: which sides win when moving first.
LEFT_WINS_FIRST = 1
RIGHT_WINS_FIRST = 2

GAMES, POOL, SERIAL, LIMIT, POOL_LIMIT = range(5)


class GamePool(NamedTuple):
    """The store of all games. Game g has its options at ``pool[start[g]:]``, Left's first, sides sorted."""

    counts: NDArray[np.int64]
    start: NDArray[np.int64]
    lefts: NDArray[np.int64]
    rights: NDArray[np.int64]
    #: Distinguishes temporary games that take the same number one after another.
    serial: NDArray[np.int64]
    pool: NDArray[np.int64]
    #: Hash table from options to number + 1.
    table: NDArray[np.int64]
    #: Number of the negative; -1 before it was computed.
    negative: NDArray[np.int64]
    outcome: NDArray[np.int8]
    #: Number of the atomic weight, itself a game; -1 before it was computed, -2 when too large.
    weight: NDArray[np.int64]
    #: Integer bounds of the atomic weight.
    low: NDArray[np.int8]
    high: NDArray[np.int8]
    #: Lossy caches of comparisons and sums.
    compared: NDArray[np.int64]
    comparison: NDArray[np.bool_]
    added: NDArray[np.int64]
    total: NDArray[np.int64]
    #: Numbers of the integers from -LARGEST_WEIGHT - 4 to LARGEST_WEIGHT + 4, and of the remote star.
    integers: NDArray[np.int64]
    remote: NDArray[np.int64]


def empty_games(limit: int) -> GamePool:
    """Return an empty store for ``limit`` games."""
    pool = limit * 12
    # The size of a hash table is a power of two.
    places = 1 << (2 * limit).bit_length()
    return GamePool(
        counts=np.array([0, 0, 0, limit, pool], np.int64),
        start=np.zeros(limit, np.int64),
        lefts=np.zeros(limit, np.int64),
        rights=np.zeros(limit, np.int64),
        serial=np.zeros(limit, np.int64),
        pool=np.zeros(pool, np.int64),
        table=np.zeros(places, np.int64),
        negative=np.full(limit, -1, np.int64),
        outcome=np.zeros(limit, np.int8),
        weight=np.full(limit, -1, np.int64),
        low=np.zeros(limit, np.int8),
        high=np.zeros(limit, np.int8),
        compared=np.zeros(places, np.int64),
        comparison=np.zeros(places, np.bool_),
        added=np.zeros(places // 2, np.int64),
        total=np.zeros(places // 2, np.int64),
        integers=np.zeros(2 * (LARGEST_WEIGHT + 4) + 1, np.int64),
        remote=np.zeros(1, np.int64),
    )


GAMES_TYPE = type_of(empty_games(1))


def new_games(limit: int) -> GamePool:
    """Return a store for ``limit`` games with the integers and nimbers that the kernels need."""
    games = empty_games(limit)
    prepare(games)
    return games


def clear_games(games: GamePool) -> None:
    """Reset the store to that of :func:`new_games`; entries by number are overwritten with each new game."""
    games.counts[[GAMES, POOL, SERIAL]] = 0
    for memory in (games.table, games.compared, games.added):
        memory.fill(0)
    prepare(games)


@compiled(NOTHING, NUMBERS, NUMBER)
def sort(numbers: NDArray[np.int64], count: int) -> None:
    """Sort the first ``count`` numbers in place."""
    for index in range(1, count):
        number, at = numbers[index], index
        while at > 0 and numbers[at - 1] > number:
            numbers[at] = numbers[at - 1]
            at -= 1
        numbers[at] = number


@compiled(NUMBER, GAMES_TYPE, NUMBERS, NUMBER, NUMBERS, NUMBER)
def write_game(
    games: GamePool, left: NDArray[np.int64], lefts: int, right: NDArray[np.int64], rights: int
) -> int:
    """Write a temporary game under the next free number; return -1 if the store is full."""
    game, at = games.counts[GAMES], games.counts[POOL]
    if game + 1 >= games.counts[LIMIT] or at + lefts + rights >= games.counts[POOL_LIMIT]:
        return TOO_LARGE
    games.start[game] = at
    games.lefts[game] = lefts
    games.rights[game] = rights
    for index in range(lefts):
        games.pool[at + index] = left[index]
    for index in range(rights):
        games.pool[at + lefts + index] = right[index]
    games.counts[SERIAL] += 1
    games.serial[game] = games.counts[SERIAL]
    games.low[game] = -UNKNOWN_WEIGHT
    games.high[game] = UNKNOWN_WEIGHT
    games.weight[game] = -1
    games.negative[game] = -1
    outcome = 0
    for index in range(lefts):
        if not games.outcome[left[index]] & RIGHT_WINS_FIRST:
            outcome |= LEFT_WINS_FIRST
    for index in range(rights):
        if not games.outcome[right[index]] & LEFT_WINS_FIRST:
            outcome |= RIGHT_WINS_FIRST
    games.outcome[game] = outcome
    return int(game)


@compiled(NUMBER, GAMES_TYPE, NUMBERS, NUMBER, NUMBERS, NUMBER)
def intern_game(
    games: GamePool, left: NDArray[np.int64], lefts: int, right: NDArray[np.int64], rights: int
) -> int:
    """Return the number of the game with these simplified options, adding it if new; -1 if full."""
    sort(left, lefts)
    sort(right, rights)
    key = mix(lefts)
    for index in range(lefts):
        key = mix(key ^ left[index])
    for index in range(rights):
        key = mix(key ^ (right[index] + (1 << 32)))
    size = len(games.table)
    slot = key & (size - 1)
    while games.table[slot]:
        game = games.table[slot] - 1
        if games.lefts[game] == lefts and games.rights[game] == rights:
            at = games.start[game]
            same = True
            for index in range(lefts):
                same &= games.pool[at + index] == left[index]
            for index in range(rights):
                same &= games.pool[at + lefts + index] == right[index]
            if same:
                return int(game)
        slot = (slot + 1) & (size - 1)
    game = write_game(games, left, lefts, right, rights)
    if game >= 0:
        games.counts[GAMES] += 1
        games.counts[POOL] += lefts + rights
        games.table[slot] = game + 1
    return int(game)


@compiled(NUMBER, GAMES_TYPE, NUMBER)
def integer_game(games: GamePool, value: int) -> int:
    """Return the number of the integer game ``value``."""
    return int(games.integers[value + LARGEST_WEIGHT + 4])


@compiled(NOTHING, GAMES_TYPE)
def prepare(games: GamePool) -> None:
    """Add the integers and the remote star to an empty store."""
    none = np.empty(1, np.int64)
    middle = LARGEST_WEIGHT + 4
    games.integers[middle] = intern_game(games, none, 0, none, 0)
    games.weight[ZERO] = ZERO
    games.low[ZERO] = games.high[ZERO] = 0
    games.negative[ZERO] = ZERO
    one = np.empty(1, np.int64)
    for value in range(1, middle + 1):
        one[0] = games.integers[middle + value - 1]
        games.integers[middle + value] = intern_game(games, one, 1, none, 0)
        one[0] = games.integers[middle - value + 1]
        games.integers[middle - value] = intern_game(games, none, 0, one, 1)
        games.negative[games.integers[middle + value]] = games.integers[middle - value]
        games.negative[games.integers[middle - value]] = games.integers[middle + value]
    nimbers = np.zeros(REMOTE_NIMBER, np.int64)
    for size in range(1, REMOTE_NIMBER + 1):
        left, right = nimbers[:size].copy(), nimbers[:size].copy()
        nimber = intern_game(games, left, size, right, size)
        games.negative[nimber] = nimber
        if size < REMOTE_NIMBER:
            nimbers[size] = nimber
        else:
            games.remote[0] = nimber


@compiled(TRUTH, GAMES_TYPE, NUMBER, NUMBER)
def at_least(games: GamePool, one: int, other: int) -> bool:
    """Return whether game ``one`` >= ``other``, that is at least as good for Left.

    It is, unless a Right option of ``one`` is <= ``other`` or a Left option of ``other`` is >= ``one``.
    """
    if one == other:
        return True
    if other == ZERO:
        return not games.outcome[one] & RIGHT_WINS_FIRST
    if one == ZERO:
        return not games.outcome[other] & LEFT_WINS_FIRST
    if games.low[one] - games.high[other] >= 2:
        return True
    if games.high[one] - games.low[other] <= -1:
        return False
    key = (games.serial[one] << 32) | games.serial[other]
    slot = mix(key) & (len(games.compared) - 1)
    if games.compared[slot] == key:
        return bool(games.comparison[slot])
    at = games.start[one] + games.lefts[one]
    answer = True
    for index in range(at, at + games.rights[one]):
        if at_least(games, other, games.pool[index]):
            answer = False
            break
    if answer:
        at = games.start[other]
        for index in range(at, at + games.lefts[other]):
            if at_least(games, games.pool[index], one):
                answer = False
                break
    games.compared[slot] = key
    games.comparison[slot] = answer
    return answer


@compiled(NUMBER, GAMES_TYPE, NUMBER, NUMBERS, NUMBER, NUMBER)
def bypass_reversible(games: GamePool, whole: int, options: NDArray[np.int64], count: int, sign: int) -> int:
    """Bypass the reversible options of one side of ``whole``; return the new number of options.

    An option is reversible if the other side can answer it with a game at least as good for it as ``whole``.
    The options of the first side in that game replace it. ``sign`` is 1 for Left's options, -1 for Right's.
    """
    index = 0
    while index < count:
        option = options[index]
        at = games.start[option] + (games.lefts[option] if sign > 0 else 0)
        answers = games.rights[option] if sign > 0 else games.lefts[option]
        replaced = False
        for answer in games.pool[at : at + answers]:
            if not (at_least(games, whole, answer) if sign > 0 else at_least(games, answer, whole)):
                continue
            replaced = True
            count -= 1
            options[index] = options[count]
            first = games.start[answer] + (0 if sign > 0 else games.lefts[answer])
            more = games.lefts[answer] if sign > 0 else games.rights[answer]
            for follower in games.pool[first : first + more]:
                known = False
                for earlier in range(count):
                    known |= options[earlier] == follower
                if not known:
                    if count >= len(options):
                        return TOO_LARGE
                    options[count] = follower
                    count += 1
            break
        if not replaced:
            index += 1
    return count


@compiled(NUMBER, GAMES_TYPE, NUMBERS, NUMBER, NUMBER)
def drop_dominated(games: GamePool, options: NDArray[np.int64], count: int, sign: int) -> int:
    """Remove the dominated options of one side; return the number of the others."""
    index = 0
    while index < count:
        dominated = False
        for rival in range(count):
            if rival == index:
                continue
            if sign > 0:
                dominated = at_least(games, options[rival], options[index])
            else:
                dominated = at_least(games, options[index], options[rival])
            if dominated:
                break
        if dominated:
            count -= 1
            options[index] = options[count]
        else:
            index += 1
    return count


@compiled(NUMBER, GAMES_TYPE, NUMBERS, NUMBER, NUMBERS, NUMBER)
def simplify(
    games: GamePool, left: NDArray[np.int64], lefts: int, right: NDArray[np.int64], rights: int
) -> int:
    """Return the number of the canonical form of the game with these options; -1 if it is too large."""
    # Dominated options go first, because fewer options make the second, more expensive step cheaper.
    lefts = drop_dominated(games, left, lefts, 1)
    rights = drop_dominated(games, right, rights, -1)
    whole = write_game(games, left, lefts, right, rights)
    if whole < 0:
        return TOO_LARGE
    # The temporary game stays intact while it is needed, because no game is added until then.
    lefts = bypass_reversible(games, whole, left, lefts, 1)
    rights = bypass_reversible(games, whole, right, rights, -1)
    if lefts < 0 or rights < 0:
        return TOO_LARGE
    lefts = drop_dominated(games, left, lefts, 1)
    rights = drop_dominated(games, right, rights, -1)
    if lefts > KEPT_OPTIONS or rights > KEPT_OPTIONS:
        return TOO_LARGE
    return intern_game(games, left, lefts, right, rights)


@compiled(NUMBER, GAMES_TYPE, NUMBER)
def negate_game(games: GamePool, game: int) -> int:
    """Return the number of the negative, the game with exchanged sides; -1 if the store is full."""
    if games.negative[game] >= 0:
        return int(games.negative[game])
    lefts, rights, at = games.lefts[game], games.rights[game], games.start[game]
    left = np.empty(rights, np.int64)
    right = np.empty(lefts, np.int64)
    for index in range(lefts):
        right[index] = negate_game(games, games.pool[at + index])
        if right[index] < 0:
            return TOO_LARGE
    for index in range(rights):
        left[index] = negate_game(games, games.pool[at + lefts + index])
        if left[index] < 0:
            return TOO_LARGE
    found = intern_game(games, left, rights, right, lefts)
    if found >= 0:
        games.negative[game] = found
        games.negative[found] = game
    return found


@compiled(NUMBER, GAMES_TYPE, NUMBER, NUMBER)
def add_games(games: GamePool, one: int, other: int) -> int:
    """Return the number of the sum of two games; -1 if it is too large."""
    if ZERO in (one, other):
        return one + other
    if games.negative[one] == other:
        return ZERO
    one, other = min(one, other), max(one, other)
    key = (games.serial[one] << 32) | games.serial[other]
    slot = mix(key) & (len(games.added) - 1)
    if games.added[slot] == key:
        return int(games.total[slot])
    options = np.empty((2, OPTIONS), np.int64)
    counts = np.zeros(2, np.int64)
    answer = 0
    for moving, resting in ((one, other), (other, one)):
        at = games.start[moving]
        for index in range(games.lefts[moving] + games.rights[moving]):
            side = 0 if index < games.lefts[moving] else 1
            option = add_games(games, games.pool[at + index], resting)
            if option < 0 or counts[side] >= OPTIONS // 2:
                answer = TOO_LARGE
                break
            known = False
            for earlier in range(counts[side]):
                known |= options[side, earlier] == option
            if not known:
                options[side, counts[side]] = option
                counts[side] += 1
        if answer < 0:
            break
    if answer >= 0:
        answer = simplify(games, options[0], counts[0], options[1], counts[1])
    games.added[slot] = key
    games.total[slot] = answer
    return answer
