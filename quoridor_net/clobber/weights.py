"""Kernels for the atomic weights of all-small games.

The atomic weight of a sum is the sum of the atomic weights. With a weight of at least 2 Left wins, with at
least 1 Left wins moving first. Berlekamp, Conway and Guy, *Winning Ways*, chapter 8; Siegel, *Combinatorial
Game Theory*, section II.7.

Terminology: :mod:`quoridor_net.clobber.games`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.games import (
    GAMES_TYPE,
    LARGEST_WEIGHT,
    NOT_COMPUTED,
    OPTIONS,
    GamePool,
    add_games,
    at_least,
    integer_game,
    simplify,
)
from quoridor_net.clobber.jit import compiled, int64
from quoridor_net.jit.types import NOTHING, NUMBER, NUMBERS, TRUTH

#: Marks an atomic weight that is too large to compute.
NO_WEIGHT = -2


@compiled(NUMBER, GAMES_TYPE, NUMBER)
def integer_value(games: GamePool, game: int) -> int:
    """Return the integer equal to ``game``; LARGEST_WEIGHT + 1 if it is not an integer."""
    for value in range(-LARGEST_WEIGHT, LARGEST_WEIGHT + 1):
        if integer_game(games, value) == game:
            return value
    return LARGEST_WEIGHT + 1


@compiled(TRUTH, GAMES_TYPE, NUMBERS, NUMBER, NUMBER)
def all_beyond(games: GamePool, options: NDArray[np.int64], value: int, sign: int) -> bool:
    """Return whether no option is <= ``value`` (``sign`` 1) or >= ``value`` (``sign`` -1)."""
    bound = integer_game(games, value)
    for option in options:
        if at_least(games, bound, option) if sign > 0 else at_least(games, option, bound):
            return False
    return True


@compiled(NOTHING, GAMES_TYPE, NUMBER, NUMBER)
def note_bounds(games: GamePool, game: int, weight: int) -> None:
    """Store the integer bounds of the atomic weight of ``game``."""
    record = games.records[game]
    for value in range(LARGEST_WEIGHT, -LARGEST_WEIGHT - 1, -1):
        if at_least(games, weight, integer_game(games, value)):
            record.low = value
            break
    for value in range(-LARGEST_WEIGHT, LARGEST_WEIGHT + 1):
        if at_least(games, integer_game(games, value), weight):
            record.high = value
            break


@compiled(NUMBER, GAMES_TYPE, NUMBER)
def weigh(games: GamePool, game: int) -> int:
    """Return the number of the atomic weight of an all-small game, and store its bounds; -2 if too large."""
    record = games.records[game]
    if record.weight != NOT_COMPUTED:
        return int64(record.weight)
    # This stays if the weight turns out to be too large.
    record.weight = NO_WEIGHT
    # Step 1. The options of the weight: those of the options, shifted by two towards the other side.
    lefts, rights, at = int64(record.left_count), int64(record.right_count), int64(record.first_option)
    left = np.empty(OPTIONS, np.int64)
    right = np.empty(OPTIONS, np.int64)
    for index in range(lefts + rights):
        weight = weigh(games, games.pool[at + index])
        if weight >= 0:
            weight = add_games(games, weight, integer_game(games, -2 if index < lefts else 2))
        if weight < 0:
            return NO_WEIGHT
        if index < lefts:
            left[index] = weight
        else:
            right[index - lefts] = weight
    weight = simplify(games, left.copy(), lefts, right.copy(), rights)
    if weight < 0:
        return NO_WEIGHT
    # Step 2. Several integers may fit the options; the comparison with the remote star selects one.
    value = integer_value(games, weight)
    if value <= LARGEST_WEIGHT:
        if at_least(games, game, games.remote[0]):
            while value < LARGEST_WEIGHT and all_beyond(games, right[:rights], value + 1, 1):
                value += 1
        elif at_least(games, games.remote[0], game):
            while value > -LARGEST_WEIGHT and all_beyond(games, left[:lefts], value - 1, -1):
                value -= 1
        else:
            value = 0
        # The weight may be beyond the largest number that was tried.
        if abs(value) == LARGEST_WEIGHT:
            return NO_WEIGHT
        weight = integer_game(games, value)
    record.weight = weight
    note_bounds(games, game, weight)
    return weight
