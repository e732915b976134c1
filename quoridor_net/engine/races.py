"""Kernel: exact solution of all positions of two players with one set of walls.

All pairs of pawn squares with either seat to move make a small graph, which is solved backwards from the goal
lines, in an array of words. A state is ``seat << 14 | own square << 7 | other square``, seat being
the one to move. The value is n if it wins in n plies, -n - 1 if it loses in n plies, and 0 if neither side
can force a win.

Walls still in hand enter as *exits*: the best outcome of a state by leaving the graph, and the number of
moves that leave it for anything but a loss.
"""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.layout import JUMPS, SIZE
from quoridor_net.engine.sets import is_goal, lowest, neighbours, single
from quoridor_net.engine.words import Words

STATES = 1 << 15
#: No line is longer than this; longer ones would be taken for draws.
LEVELS = 512
#: Exits can lie this many levels apart.
QUIET = 128
#: Stands in EXIT_LOSS for a state without any move, whose seat is passed over; that counts as a ply here.
PASSES = -1

# Working space, then the solutions.
NEIGHBOURS = 0
NEIGHBOUR = 5
EXIT_WIN = 1024
EXIT_LOSS = EXIT_WIN + STATES
PENDING = EXIT_LOSS + STATES
# Two lists of states for each level: those known beforehand to be resolved there, and those found out.
KNOWN = PENDING + STATES
FOUND = KNOWN + STATES + LEVELS
VALUES = FOUND + STATES + LEVELS
RACE_WORDS = VALUES + STATES


@kernel
def _find_neighbours(memory: Words, row: int, races: Words) -> None:
    cells = memory[SIZE] * memory[SIZE]
    for square in range(cells):
        low, high = neighbours(memory, row, square)
        place = NEIGHBOURS + square * NEIGHBOUR
        total = 0
        while low | high:
            near = lowest(low, high)
            one_low, one_high = single(near)
            low, high = low & ~one_low, high & ~one_high
            total += 1
            races[place + total] = near
        races[place] = total


@kernel
def _is_near(races: Words, square: int, other: int) -> int:
    place = NEIGHBOURS + square * NEIGHBOUR
    for index in range(races[place]):
        if races[place + 1 + index] == other:
            return 1
    return 0


@kernel
def _jumps(memory: Words, races: Words, start: int, over: int, end: int) -> int:
    """Return 1 if a pawn on ``start`` may jump the one on ``over`` to ``end``, both next to ``over``."""
    if start == end:
        return 0
    if memory[JUMPS]:
        return 1
    straight = 2 * over - start
    return 1 if end == straight or not _is_near(races, over, straight) else 0


@kernel
def _count_moves(memory: Words, races: Words, own: int, other: int) -> int:
    place = NEIGHBOURS + own * NEIGHBOUR
    total = races[place]
    if _is_near(races, own, other):
        total -= 1
        place = NEIGHBOURS + other * NEIGHBOUR
        for index in range(races[place]):
            total += _jumps(memory, races, own, other, races[place + 1 + index])
    return total


@kernel
def solve(memory: Words, row: int, races: Words) -> None:
    """Solve the graph of the walls of ``row`` and write the values from place ``VALUES`` on.

    The exits have been written: EXIT_WIN holds the fewest plies of a win by a wall or 0, EXIT_LOSS the most
    plies of a loss by a wall, and PENDING the number of walls that do not lose at once or are not known to.
    """
    _find_neighbours(memory, row, races)
    for level in range(LEVELS):
        races[KNOWN + STATES + level] = -1
        races[FOUND + STATES + level] = -1
    cells = memory[SIZE] * memory[SIZE]
    for seat in range(2):
        for own in range(cells):
            for other in range(cells):
                state = seat << 14 | own << 7 | other
                races[VALUES + state] = 0
                if own == other or is_goal(memory, seat, own):
                    continue
                if is_goal(memory, 1 - seat, other):
                    _put(races, KNOWN, state, 0)
                    continue
                moves = _count_moves(memory, races, own, other)
                if moves + races[PENDING + state] == 0 and races[EXIT_LOSS + state] == 0:
                    moves = 1
                    races[EXIT_LOSS + state] = PASSES
                races[PENDING + state] += moves
                if races[EXIT_WIN + state] > 0:
                    _put(races, KNOWN, state, races[EXIT_WIN + state])
                elif races[PENDING + state] == 0:
                    _put(races, KNOWN, state, races[EXIT_LOSS + state])
    _resolve(memory, races)


@kernel
def _put(races: Words, states: int, state: int, level: int) -> None:
    """Have ``state`` resolved at ``level``: a win at odd levels, a loss at even ones."""
    heads = states + STATES
    races[states + state] = races[heads + level]
    races[heads + level] = state


@kernel
def _resolve(memory: Words, races: Words) -> None:
    empty = 0
    level = 0
    while level < LEVELS - 1 and empty < QUIET:
        empty += 1
        for states in (KNOWN, FOUND):
            state = races[states + STATES + level]
            while state >= 0:
                empty = 0
                if races[VALUES + state] == 0:
                    races[VALUES + state] = level if level & 1 else -level - 1
                    _tell(memory, races, state, level)
                state = races[states + state]
        level += 1


@kernel
def _tell(memory: Words, races: Words, state: int, level: int) -> None:
    """Tell all states from which one move leads to ``state`` how it ends."""
    seat = 1 - (state >> 14)
    still = (state >> 7) & 127
    moved = state & 127
    base = seat << 14 | still
    place = NEIGHBOURS + moved * NEIGHBOUR
    for index in range(races[place]):
        start = races[place + 1 + index]
        if start != still:
            _hear(memory, races, base | start << 7, level)
    if _is_near(races, moved, still):
        place = NEIGHBOURS + still * NEIGHBOUR
        for index in range(races[place]):
            start = races[place + 1 + index]
            if _jumps(memory, races, start, still, moved):
                _hear(memory, races, base | start << 7, level)
    if races[EXIT_LOSS + (base | moved << 7)] == PASSES:
        _hear(memory, races, base | moved << 7, level)


@kernel
def _hear(memory: Words, races: Words, state: int, level: int) -> None:
    if races[VALUES + state] != 0 or is_goal(memory, state >> 14, (state >> 7) & 127):
        return
    if is_goal(memory, 1 - (state >> 14), state & 127):
        return
    if level & 1 == 0:
        if races[EXIT_WIN + state] == 0 or races[EXIT_WIN + state] > level + 1:
            races[EXIT_WIN + state] = level + 1
            _put(races, FOUND, state, level + 1)
        return
    races[PENDING + state] -= 1
    if races[PENDING + state] == 0 and races[EXIT_WIN + state] == 0:
        _put(races, FOUND, state, max(level + 1, races[EXIT_LOSS + state]))
