"""Kernels for the canonical forms of small games, their outcomes, sums and comparisons.

A small region of the board is replaced by the simplest game equal to it, so that the search does not
distinguish regions of equal value. All this is standard combinatorial game theory: Berlekamp, Conway and Guy,
*Winning Ways*, chapters 3 (simplifying) and 8 (all small games, atomic weights); Siegel, *Combinatorial Game
Theory*, sections II.2 and II.7.

Terminology:

* *Game*: known by its number, which is its place in the store. Equal games have equal numbers.
* *Option*: a game that a side can move to. *Left* and *Right* are the sides.
* *Canonical form*: the simplest game of a value, without *dominated* options, which are worse than others of
  the same side, and without *reversible* ones, which the other side answers with a game that is at least as
  good for it as the whole.
* *Negative*: the game with exchanged sides. *Sum*: two games side by side; a move is made in one of them.
* *Outcome*: which sides win if they move first, as bits.
* *Atomic weight*: itself a game, see :mod:`quoridor_net.clobber.weights`. A *bound* is an integer.
* *Nimber*: a game whose options, the same for both sides, are the smaller nimbers. The *remote star* is a
  nimber far larger than all others.

Memory::

    GamePool
     |-- counts: how much of the store is used, and the limits
     |-- records: one Game each, by number        pool: the options of all games
     |   +---------------------------+            +--------------------------------+
     |   | 0: zero                   |            |  ...                           |
     |   | 1: first option        ---------------> Left's, sorted | Right's, sorted |
     |   |    left count, right count|            |  ...                           |
     |   +---------------------------+            +--------------------------------+
     |-- slots: a hash table (open addressing) from the options to the game
     |-- comparisons, sums: lossy caches of results
     `-- integers, remote: the numbers of games that the kernels need
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.jit import compiled, int64, store_type
from quoridor_net.jit.arrays import Array
from quoridor_net.jit.bits import mix
from quoridor_net.jit.records import new_array, new_record
from quoridor_net.jit.types import NOTHING, NUMBER, NUMBERS, TRUTH

#: Options of one side before simplification; a sum with more is left to the search.
OPTIONS = 400
#: A simplified game with more options than this on one side is left to the search.
KEPT_OPTIONS = 60
#: Far larger than any nimber in the regions that are valued (a region of n stones lasts n - 1 moves).
REMOTE_NIMBER = 15
#: Bounds of atomic weights are integers up to this one; larger ones are unknown.
LARGEST_WEIGHT = 20
UNKNOWN_WEIGHT = 100
#: Integers up to this one are in the store: bounds are compared with some that are a little larger.
_LARGEST_INTEGER = LARGEST_WEIGHT + 4
#: Room for options per game.
_OPTIONS_A_GAME = 12

ZERO = 0
TOO_LARGE = -1
#: The number of a negative or an atomic weight that was not computed yet.
NOT_COMPUTED = -1

#: Bits of an outcome: which sides win when moving first.
LEFT_WINS_FIRST = 1
RIGHT_WINS_FIRST = 2


class GameCounts:
    """The use of the store, and its limits."""

    games: int
    options: int
    #: The serial number of the latest game, temporary ones included.
    serial: int
    game_limit: int
    option_limit: int


class Game:
    """A game."""

    #: Its place in the pool, where Left's options come first, and the number of options of each side.
    first_option: Annotated[int, np.int32]
    left_count: Annotated[int, np.int16]
    right_count: Annotated[int, np.int16]
    outcome: Annotated[int, np.int8]
    #: Integer bounds of the atomic weight.
    low: Annotated[int, np.int8]
    high: Annotated[int, np.int8]
    #: The number of the negative.
    negative: Annotated[int, np.int32]
    #: The number of the atomic weight, or ``NO_WEIGHT`` of :mod:`quoridor_net.clobber.weights`.
    weight: Annotated[int, np.int32]
    #: Distinguishes temporary games that take the same number one after another.
    serial: int


class CachedComparison:
    """Whether one game is at least as large as another; the key is made of their serial numbers."""

    key: int
    is_at_least: int


class CachedSum:
    """The sum of two games; the key is made of their serial numbers."""

    key: int
    total: int


class GamePool(NamedTuple):
    """The store of all games."""

    counts: GameCounts
    records: Array[Game]
    pool: NDArray[np.int64]
    #: Numbers of games plus 1, by the last bits of the hash of their options; 0 for none.
    slots: NDArray[np.int64]
    comparisons: Array[CachedComparison]
    sums: Array[CachedSum]
    #: Numbers of the integers from -_LARGEST_INTEGER to _LARGEST_INTEGER, and of the remote star.
    integers: NDArray[np.int64]
    remote: NDArray[np.int64]


def empty_games(limit: int) -> GamePool:
    """Return an empty store for ``limit`` games."""
    # The size of a hash table is a power of two.
    places = 1 << (2 * limit).bit_length()
    games = GamePool(
        counts=new_record(GameCounts),
        records=new_array(Game, limit),
        pool=np.zeros(limit * _OPTIONS_A_GAME, np.int64),
        slots=np.zeros(places, np.int64),
        comparisons=new_array(CachedComparison, places),
        sums=new_array(CachedSum, places // 2),
        integers=np.zeros(2 * _LARGEST_INTEGER + 1, np.int64),
        remote=np.zeros(1, np.int64),
    )
    games.counts.game_limit = limit
    games.counts.option_limit = len(games.pool)
    return games


GAMES_TYPE = store_type(empty_games(1))


def new_games(limit: int) -> GamePool:
    """Return a store for ``limit`` games with the integers and nimbers that the kernels need."""
    games = empty_games(limit)
    prepare(games)
    return games


def clear_games(games: GamePool) -> None:
    """Reset the store to that of :func:`new_games`; games are overwritten as new ones are added."""
    games.counts.games = games.counts.options = games.counts.serial = 0
    games.slots.fill(0)
    for cached in (games.comparisons, games.sums):
        cast("NDArray[np.void]", cached)["key"] = 0
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
    counts = games.counts
    number, at = counts.games, counts.options
    if number + 1 >= counts.game_limit or at + lefts + rights >= counts.option_limit:
        return TOO_LARGE
    outcome = 0
    for index in range(lefts):
        games.pool[at + index] = left[index]
        if not games.records[left[index]].outcome & RIGHT_WINS_FIRST:
            outcome |= LEFT_WINS_FIRST
    for index in range(rights):
        games.pool[at + lefts + index] = right[index]
        if not games.records[right[index]].outcome & LEFT_WINS_FIRST:
            outcome |= RIGHT_WINS_FIRST
    counts.serial += 1
    game = games.records[number]
    game.first_option = at
    game.left_count, game.right_count = lefts, rights
    game.serial = counts.serial
    game.low, game.high = -UNKNOWN_WEIGHT, UNKNOWN_WEIGHT
    game.weight = game.negative = NOT_COMPUTED
    game.outcome = outcome
    return number


@compiled(TRUTH, GAMES_TYPE, NUMBER, NUMBERS, NUMBER, NUMBERS, NUMBER)
def has_options(
    games: GamePool, number: int, left: NDArray[np.int64], lefts: int, right: NDArray[np.int64], rights: int
) -> bool:
    """Return whether a game has these sorted options."""
    game = games.records[number]
    if game.left_count != lefts or game.right_count != rights:
        return False
    at = game.first_option
    for index in range(lefts):
        if games.pool[at + index] != left[index]:
            return False
    for index in range(rights):
        if games.pool[at + lefts + index] != right[index]:
            return False
    return True


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
    last = len(games.slots) - 1
    slot = key & last
    while games.slots[slot]:
        number = games.slots[slot] - 1
        if has_options(games, number, left, lefts, right, rights):
            return int(number)
        slot = (slot + 1) & last
    number = write_game(games, left, lefts, right, rights)
    if number >= 0:
        games.counts.games += 1
        games.counts.options += lefts + rights
        games.slots[slot] = number + 1
    return number


@compiled(NUMBER, GAMES_TYPE, NUMBER)
def integer_game(games: GamePool, value: int) -> int:
    """Return the number of the integer game ``value``."""
    return int(games.integers[value + _LARGEST_INTEGER])


@compiled(NOTHING, GAMES_TYPE)
def prepare(games: GamePool) -> None:
    """Add the integers and the remote star to an empty store."""
    none = np.empty(1, np.int64)
    middle = _LARGEST_INTEGER
    games.integers[middle] = intern_game(games, none, 0, none, 0)
    zero = games.records[ZERO]
    zero.weight = zero.negative = ZERO
    zero.low = zero.high = 0
    one = np.empty(1, np.int64)
    for value in range(1, middle + 1):
        one[0] = games.integers[middle + value - 1]
        games.integers[middle + value] = intern_game(games, one, 1, none, 0)
        one[0] = games.integers[middle - value + 1]
        games.integers[middle - value] = intern_game(games, none, 0, one, 1)
        games.records[games.integers[middle + value]].negative = games.integers[middle - value]
        games.records[games.integers[middle - value]].negative = games.integers[middle + value]
    nimbers = np.zeros(REMOTE_NIMBER, np.int64)
    for size in range(1, REMOTE_NIMBER + 1):
        left, right = nimbers[:size].copy(), nimbers[:size].copy()
        nimber = intern_game(games, left, size, right, size)
        games.records[nimber].negative = nimber
        if size < REMOTE_NIMBER:
            nimbers[size] = nimber
        else:
            games.remote[0] = nimber


@compiled(TRUTH, GAMES_TYPE, NUMBER, NUMBER)
def at_least(games: GamePool, one: int, other: int) -> bool:
    """Return whether game ``one`` >= ``other``, that is at least as good for Left.

    It is, unless a Right option of ``one`` is <= ``other`` or a Left option of ``other`` is >= ``one``.
    """
    # Step 1. Games whose outcomes or bounds suffice.
    if one == other:
        return True
    first, second = games.records[one], games.records[other]
    if other == ZERO:
        return not first.outcome & RIGHT_WINS_FIRST
    if one == ZERO:
        return not second.outcome & LEFT_WINS_FIRST
    if first.low - second.high >= 2:
        return True
    if first.high - second.low <= -1:
        return False
    # Step 2. The cache.
    key = (first.serial << 32) | second.serial
    cached = games.comparisons[mix(key) & (len(games.comparisons) - 1)]
    if cached.key == key:
        return cached.is_at_least != 0
    # Step 3. The options.
    answer = True
    at = first.first_option + first.left_count
    for index in range(at, at + first.right_count):
        if at_least(games, other, games.pool[index]):
            answer = False
            break
    if answer:
        at = int64(second.first_option)
        for index in range(at, at + second.left_count):
            if at_least(games, games.pool[index], one):
                answer = False
                break
    cached.key = key
    cached.is_at_least = answer
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
        game = games.records[option]
        at = game.first_option + (game.left_count if sign > 0 else 0)
        answers = game.right_count if sign > 0 else game.left_count
        replaced = False
        for answer in games.pool[at : at + answers]:
            if not (at_least(games, whole, answer) if sign > 0 else at_least(games, answer, whole)):
                continue
            replaced = True
            count -= 1
            options[index] = options[count]
            reply = games.records[answer]
            first = reply.first_option + (0 if sign > 0 else reply.left_count)
            more = reply.left_count if sign > 0 else reply.right_count
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
    # Step 1. Dominated options go first, because fewer options make the next, more expensive step cheaper.
    lefts = drop_dominated(games, left, lefts, 1)
    rights = drop_dominated(games, right, rights, -1)
    whole = write_game(games, left, lefts, right, rights)
    if whole < 0:
        return TOO_LARGE
    # Step 2. The temporary game stays intact while it is needed, because no game is added until then.
    lefts = bypass_reversible(games, whole, left, lefts, 1)
    rights = bypass_reversible(games, whole, right, rights, -1)
    if lefts < 0 or rights < 0:
        return TOO_LARGE
    # Step 3. The options that took the place of reversible ones may dominate.
    lefts = drop_dominated(games, left, lefts, 1)
    rights = drop_dominated(games, right, rights, -1)
    if lefts > KEPT_OPTIONS or rights > KEPT_OPTIONS:
        return TOO_LARGE
    return intern_game(games, left, lefts, right, rights)


@compiled(NUMBER, GAMES_TYPE, NUMBER)
def negate_game(games: GamePool, game: int) -> int:
    """Return the number of the negative, the game with exchanged sides; -1 if the store is full."""
    record = games.records[game]
    if record.negative >= 0:
        return int64(record.negative)
    lefts, rights, at = int64(record.left_count), int64(record.right_count), int64(record.first_option)
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
        record.negative = found
        games.records[found].negative = game
    return found


@compiled(NUMBER, GAMES_TYPE, NUMBER, NUMBER)
def add_games(games: GamePool, one: int, other: int) -> int:
    """Return the number of the sum of two games; -1 if it is too large."""
    # Step 1. Sums that are known without their options.
    if ZERO in (one, other):
        return one + other
    if games.records[one].negative == other:
        return ZERO
    one, other = min(one, other), max(one, other)
    key = (games.records[one].serial << 32) | games.records[other].serial
    cached = games.sums[mix(key) & (len(games.sums) - 1)]
    if cached.key == key:
        return cached.total
    # Step 2. The options: a move in one game, beside the other.
    options = np.empty((2, OPTIONS), np.int64)
    counts = np.zeros(2, np.int64)
    answer = 0
    for moving, resting in ((one, other), (other, one)):
        game = games.records[moving]
        at, lefts = int64(game.first_option), int64(game.left_count)
        for index in range(lefts + game.right_count):
            side = 0 if index < lefts else 1
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
    # Step 3. The canonical form.
    if answer >= 0:
        answer = simplify(games, options[0], counts[0], options[1], counts[1])
    cached.key, cached.total = key, answer
    return answer
