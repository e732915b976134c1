"""Kernel: sets of squares as pairs of words, and the pawns' neighbourhood."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel, population, trailing
from quoridor_net.engine.layout import FULL, GOALS, JUMPS, PAWN, PLAYERS, SIZE, SOUTH, TURN, WORD
from quoridor_net.engine.words import Words


@kernel
def left(low: int, high: int, count: int) -> tuple[int, int]:
    """Return the set moved ``count`` numbers up."""
    return (low << count) & FULL, ((high << count) | (low >> (WORD - count))) & FULL


@kernel
def right(low: int, high: int, count: int) -> tuple[int, int]:
    """Return the set moved ``count`` numbers down."""
    return (low >> count) | ((high << (WORD - count)) & FULL), high >> count


@kernel
def single(number: int) -> tuple[int, int]:
    """Return the set of one number."""
    if number < WORD:
        return 1 << number, 0
    return 0, 1 << (number - WORD)


@kernel
def holds(low: int, high: int, number: int) -> int:
    """Return 1 if the set holds ``number``, else 0."""
    if number < WORD:
        return (low >> number) & 1
    return (high >> (number - WORD)) & 1


@kernel
def count(low: int, high: int) -> int:
    """Return how many numbers the set holds."""
    return population(low) + population(high)


@kernel
def lowest(low: int, high: int) -> int:
    """Return the lowest number of a set that is not empty."""
    if low:
        return trailing(low)
    return WORD + trailing(high)


@kernel
def write_numbers(memory: Words, place: int, base: int, low: int, high: int) -> int:
    """Write ``base`` plus each number of the set to the memory from ``place`` on; return the place after."""
    while low | high:
        number = lowest(low, high)
        one_low, one_high = single(number)
        low, high = low & ~one_low, high & ~one_high
        memory[place] = base + number
        place += 1
    return place


@kernel
def spread(
    size: int, east_low: int, east_high: int, south_low: int, south_high: int, low: int, high: int
) -> tuple[int, int]:
    """Return the squares one step from those of the set (its own squares only if they are so too)."""
    up_low, up_high = right(low, high, size)
    back_low, back_high = right(low, high, 1)
    down_low, down_high = left(low & south_low, high & south_high, size)
    on_low, on_high = left(low & east_low, high & east_high, 1)
    return (
        down_low | on_low | (up_low & south_low) | (back_low & east_low),
        down_high | on_high | (up_high & south_high) | (back_high & east_high),
    )


@kernel
def neighbours(memory: Words, row: int, square: int) -> tuple[int, int]:
    """Return the squares that no wall or edge parts from ``square``."""
    low, high = single(square)
    return spread(
        memory[SIZE], memory[row], memory[row + 1], memory[row + SOUTH], memory[row + SOUTH + 1], low, high
    )


@kernel
def steps(memory: Words, row: int) -> tuple[int, int]:
    """Return where the pawn of the seat to move may step."""
    seat = memory[row + TURN]
    pawn = memory[row + PAWN + seat]
    low, high = neighbours(memory, row, pawn)
    taken_low = 0
    taken_high = 0
    for other in range(memory[PLAYERS]):
        if memory[row + PAWN + other] >= 0:
            one_low, one_high = single(memory[row + PAWN + other])
            taken_low |= one_low
            taken_high |= one_high
    blocked_low = low & taken_low
    blocked_high = high & taken_high
    if blocked_low | blocked_high == 0:
        return low, high
    if memory[JUMPS]:
        more_low, more_high = _chained(memory, row, taken_low, taken_high, blocked_low, blocked_high)
    else:
        more_low, more_high = _straight(memory, row, pawn, blocked_low, blocked_high)
    return (low | more_low) & ~taken_low, (high | more_high) & ~taken_high


@kernel
def _straight(memory: Words, row: int, pawn: int, low: int, high: int) -> tuple[int, int]:
    """Return the jumps of the official rule; squares with a pawn on them may be among the sideways ones."""
    found_low = 0
    found_high = 0
    cells = memory[SIZE] * memory[SIZE]
    while low | high:
        other = lowest(low, high)
        one_low, one_high = single(other)
        low &= ~one_low
        high &= ~one_high
        around_low, around_high = neighbours(memory, row, other)
        behind = 2 * other - pawn
        if 0 <= behind < cells and holds(around_low, around_high, behind):
            is_free = True
            for seat in range(memory[PLAYERS]):
                is_free = is_free and memory[row + PAWN + seat] != behind
            if is_free:
                around_low, around_high = single(behind)
        found_low |= around_low
        found_high |= around_high
    return found_low, found_high


@kernel
def _chained(
    memory: Words, row: int, taken_low: int, taken_high: int, low: int, high: int
) -> tuple[int, int]:
    """Return the jumps of the classroom rule, and squares with a pawn on them."""
    found_low = 0
    found_high = 0
    done_low = 0
    done_high = 0
    while low | high:
        other = lowest(low, high)
        one_low, one_high = single(other)
        done_low |= one_low
        done_high |= one_high
        around_low, around_high = neighbours(memory, row, other)
        found_low |= around_low
        found_high |= around_high
        low = (low | (around_low & taken_low)) & ~done_low
        high = (high | (around_high & taken_high)) & ~done_high
    return found_low, found_high


@kernel
def is_goal(memory: Words, seat: int, square: int) -> int:
    """Return 1 if ``square`` lies on the goal line of ``seat``, else 0."""
    return holds(memory[GOALS + 2 * seat], memory[GOALS + 2 * seat + 1], square)
