"""Kernel: what the network says of a position, kept up to date from ply to ply.

Only what a move changes is added up again: one column for a new wall, the walls as seen from a pawn for a
step.
"""

from __future__ import annotations

from quoridor_net.engine.columns import activate, add, add_four, add_six, weigh, weigh_three, weigh_two
from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.layout import (
    DISTANCE,
    HORIZONTAL,
    LEFT,
    MOVE,
    PAWN,
    PLACED,
    ROW,
    ROWS,
    SLOT,
    TURN,
    VERTICAL,
    VIEWS,
    WALL_COUNT,
)
from quoridor_net.engine.network import (
    ACTIVE,
    APART,
    BASE,
    BY_OTHER,
    BY_OWN,
    CELLS,
    DISTANCES,
    EFFECT_BIAS,
    FAR,
    FLAG_BIAS,
    FROM_OTHER,
    FROM_OWN,
    FROM_THREATS,
    GAIN_BIAS,
    LEADS,
    LEFT_COLUMNS,
    LEFT_KINDS,
    LEFTS,
    LOGIT,
    MOST_LEAD,
    NOTHING,
    OFFSETS,
    ONE,
    OTHER,
    OTHER_BIAS,
    OWN,
    OWN_BIAS,
    OWN_THREATS,
    PRIOR_ONE,
    RIVAL_THREATS,
    SIDE,
    SOME_LEFT,
    SPOIL_BIAS,
    STEP_BIAS,
    STEP_GAINS,
    STEP_MOVES,
    SUMS,
    SUMS_OF_PLY,
    UNITS,
    VALUE,
    WALL_BIAS,
    WALL_BY_OTHER,
    WALL_BY_OWN,
    WALL_EFFECTS,
    WALL_FLAGS,
    WALL_MOVES,
    WALL_SPOILS,
    WALLS,
    WAYS,
    WORTHS,
)
from quoridor_net.engine.threats import COUNT, GAIN, NET, find_threats, threats_at
from quoridor_net.engine.words import Numbers, Words

#: A square or anchor in the middle of a board of 16 by 16, so that differences tell where things lie.
_MIDDLE = 8 * FAR + 8
_TO_LOGITS = ONE * PRIOR_ONE // LOGIT


@kernel
def _row(number: int) -> int:
    """Return the row of a square or anchor, without a division."""
    return number * 57 >> 9


@kernel
def _spaced(number: int) -> int:
    """Return the number of a square or anchor on a board with 16 columns."""
    return number + (FAR - SIDE) * _row(number)


@kernel
def _seen(view: int, square: int, move: int) -> int:
    """Return where the wall ``move`` lies for a pawn on ``square``: a number below NEAR_WALLS."""
    if move < VERTICAL:
        way = 0
        apart = _spaced(move - HORIZONTAL) - _spaced(square)
    else:
        way = FAR * FAR
        apart = _spaced(move - VERTICAL) - _spaced(square)
    # On a board turned round, the anchor is the square on the far side of the wall's middle.
    return way + _MIDDLE + (-apart - FAR - 1 if view else apart)


@kernel
def _wall_number(view: int, move: int) -> int:
    """Return the number of the wall's column as ``view`` sees it."""
    if view == 0:
        return move - HORIZONTAL
    base = HORIZONTAL if move < VERTICAL else VERTICAL
    return 2 * base - HORIZONTAL + (CELLS - 2 - SIDE) - move


@kernel
def _sum_walls(
    numbers: Numbers, memory: Words, row: int, view: int, square: int, table: int, to: int
) -> None:
    """Add up the columns of all walls, for ``table`` WALLS as they stand, else as seen from ``square``."""
    total = memory[row + WALL_COUNT]
    start = NOTHING
    for first in range(0, total, 4):
        one = _column_of_wall(memory, first, view, square, table)
        two = three = four = NOTHING
        if first + 1 < total:
            two = _column_of_wall(memory, first + 1, view, square, table)
        if first + 2 < total:
            three = _column_of_wall(memory, first + 2, view, square, table)
        if first + 3 < total:
            four = _column_of_wall(memory, first + 3, view, square, table)
        add_four(numbers, to, start, one, two, three, four)
        start = to
    if total == 0:
        add(numbers, to, NOTHING, NOTHING)


@kernel
def _column_of_wall(memory: Words, index: int, view: int, square: int, table: int) -> int:
    move = memory[PLACED + index]
    number = _wall_number(view, move) if table == WALLS else _seen(view, square, move)
    return table + UNITS * number


@kernel
def feed_all(numbers: Numbers, memory: Words, ply: int) -> None:
    """Add up everything at ``ply``, whatever was added up before."""
    row = ROWS + ply * ROW
    now = SUMS + ply * SUMS_OF_PLY
    for view in range(2):
        own, other = memory[row + PAWN + view], memory[row + PAWN + 1 - view]
        shift = view * UNITS
        _sum_walls(numbers, memory, row, view, own, WALLS, now + BASE + shift)
        _sum_walls(numbers, memory, row, view, own, BY_OWN, now + FROM_OWN + shift)
        _sum_walls(numbers, memory, row, view, other, BY_OTHER, now + FROM_OTHER + shift)
    memory[row + SLOT] = ply
    memory[row + VIEWS] = memory[row + VIEWS + 1] = ply


@kernel
def feed(numbers: Numbers, memory: Words, ply: int, view: int) -> None:
    """Bring what ``view`` sees at ``ply``, not the first, up to date from the ply before."""
    row = ROWS + ply * ROW
    above = row - ROW
    move = memory[row + MOVE]
    now = SUMS + ply * SUMS_OF_PLY + view * UNITS
    if move >= HORIZONTAL:
        before = SUMS + memory[above + SLOT] * SUMS_OF_PLY + view * UNITS + BASE
        add(numbers, now + BASE, before, WALLS + UNITS * _wall_number(view, move))
        before = SUMS + memory[above + VIEWS + view] * SUMS_OF_PLY + view * UNITS + FROM_OWN
        seen = _seen(view, memory[row + PAWN + view], move)
        add(numbers, now + FROM_OWN, before, BY_OWN + UNITS * seen)
        before = SUMS + memory[above + VIEWS + 1 - view] * SUMS_OF_PLY + view * UNITS + FROM_OTHER
        seen = _seen(view, memory[row + PAWN + 1 - view], move)
        add(numbers, now + FROM_OTHER, before, BY_OTHER + UNITS * seen)
    elif move >= 0:
        if memory[above + TURN] == view:
            _sum_walls(numbers, memory, row, view, move, BY_OWN, now + FROM_OWN)
        else:
            _sum_walls(numbers, memory, row, view, move, BY_OTHER, now + FROM_OTHER)


@kernel
def _apart(own: int, other: int) -> int:
    """Return where the square ``other`` lies from ``own``: a number below APART * APART."""
    down = _row(other) - _row(own)
    return (down + SIDE - 1) * APART + other - own - SIDE * down + SIDE - 1


@kernel
def _way(memory: Words, row: int, seat: int) -> int:
    return min(memory[row + DISTANCE + seat], DISTANCES - 1)


@kernel
def _left(memory: Words, row: int, seat: int) -> int:
    return min(memory[row + LEFT + seat], LEFTS - 1)


@kernel
def _left_kind(left: int) -> int:
    kind = 0
    for least in SOME_LEFT:
        kind += left >= least
    return kind


@kernel
def excite(numbers: Numbers, memory: Words, ply: int) -> None:
    """Find the threats, and work out the units of the seat to move at ``ply``, which has been fed."""
    find_threats(memory, ply)
    row = ROWS + ply * ROW
    view = memory[row + TURN]
    own, other = memory[row + PAWN + view], memory[row + PAWN + 1 - view]
    if view:
        own, other = CELLS - 1 - own, CELLS - 1 - other
    shift = view * UNITS
    to_rival, to_own = threats_at(ply, 1 - view), threats_at(ply, view)
    add_six(
        numbers,
        SUMS + ply * SUMS_OF_PLY + FROM_THREATS,
        RIVAL_THREATS + UNITS * memory[to_rival + GAIN],
        RIVAL_THREATS + UNITS * (WORTHS + memory[to_rival + NET]),
        RIVAL_THREATS + UNITS * (2 * WORTHS + memory[to_rival + COUNT]),
        OWN_THREATS + UNITS * memory[to_own + GAIN],
        OWN_THREATS + UNITS * (WORTHS + memory[to_own + NET]),
        OWN_THREATS + UNITS * (2 * WORTHS + memory[to_own + COUNT]),
    )
    activate(
        numbers,
        SUMS + ply * SUMS_OF_PLY + ACTIVE,
        SUMS + memory[row + SLOT] * SUMS_OF_PLY + BASE + shift,
        SUMS + memory[row + VIEWS + view] * SUMS_OF_PLY + FROM_OWN + shift,
        SUMS + memory[row + VIEWS + 1 - view] * SUMS_OF_PLY + FROM_OTHER + shift,
        SUMS + ply * SUMS_OF_PLY + FROM_THREATS,
        OWN + UNITS * own,
        OTHER + UNITS * other,
        OFFSETS + UNITS * _apart(own, other),
        WAYS + UNITS * (DISTANCES * _way(memory, row, view) + _way(memory, row, 1 - view)),
        LEFT_COLUMNS + UNITS * (LEFTS * _left(memory, row, view) + _left(memory, row, 1 - view)),
    )


@kernel
def value_of_units(numbers: Numbers, memory: Words, ply: int) -> int:
    """Return what the units add to the score of the seat to move, in hundredths of a step."""
    row = ROWS + ply * ROW
    view = memory[row + TURN]
    kind = LEFT_KINDS * _left_kind(memory[row + LEFT + view]) + _left_kind(memory[row + LEFT + 1 - view])
    lead = _way(memory, row, 1 - view) - _way(memory, row, view)
    number = LEADS * kind + min(max(lead, -MOST_LEAD), MOST_LEAD) + MOST_LEAD
    return weigh(numbers, SUMS + ply * SUMS_OF_PLY + ACTIVE, VALUE + UNITS * number) // ONE


@kernel
def prior_of_step(numbers: Numbers, memory: Words, ply: int, square: int, gain: int) -> int:
    """Return the logit of a step to ``square``, which shortens the way by ``gain``, in thousandths."""
    row = ROWS + ply * ROW
    view = memory[row + TURN]
    start = memory[row + PAWN + view]
    down = _row(square) - _row(start)
    on = square - start - SIDE * down
    if view:
        down, on = -down, -on
    place = (min(max(down, -2), 2) + 2) * 5 + min(max(on, -2), 2) + 2
    gain = min(max(gain, -2), 2) + 2
    active = SUMS + ply * SUMS_OF_PLY + ACTIVE
    found = weigh_two(numbers, active, STEP_MOVES + UNITS * place, STEP_GAINS + UNITS * gain)
    return found // _TO_LOGITS + numbers[STEP_BIAS + place] + numbers[GAIN_BIAS + gain]


@kernel
def _prior_of(numbers: Numbers, ply: int, columns: int, biases: int, number: int) -> int:
    active = SUMS + ply * SUMS_OF_PLY + ACTIVE
    return weigh(numbers, active, columns + UNITS * number) // _TO_LOGITS + numbers[biases + number]


@kernel
def prior_of_flags(numbers: Numbers, ply: int, flag: int) -> int:
    """Return what a flag adds to the logit of a wall that has it, in thousandths."""
    return _prior_of(numbers, ply, WALL_FLAGS, FLAG_BIAS, flag)


@kernel
def prior_of_effect(numbers: Numbers, ply: int, effect: int) -> int:
    """Return what its effect adds to the logit of a wall, in thousandths."""
    return _prior_of(numbers, ply, WALL_EFFECTS, EFFECT_BIAS, effect)


@kernel
def prior_of_spoil(numbers: Numbers, ply: int, effect: int) -> int:
    """Return what it adds to the logit of a wall, in thousandths, to cross a wall of the rival's so good."""
    return _prior_of(numbers, ply, WALL_SPOILS, SPOIL_BIAS, effect)


@kernel
def prior_of_wall(numbers: Numbers, memory: Words, ply: int, move: int) -> int:
    """Return the logit of a wall, without its flags, in thousandths."""
    row = ROWS + ply * ROW
    view = memory[row + TURN]
    wall = _wall_number(view, move)
    by_own = _seen(view, memory[row + PAWN + view], move)
    by_other = _seen(view, memory[row + PAWN + 1 - view], move)
    found = weigh_three(
        numbers,
        SUMS + ply * SUMS_OF_PLY + ACTIVE,
        WALL_MOVES + UNITS * wall,
        WALL_BY_OWN + UNITS * by_own,
        WALL_BY_OTHER + UNITS * by_other,
    )
    bias = numbers[WALL_BIAS + wall] + numbers[OWN_BIAS + by_own] + numbers[OTHER_BIAS + by_other]
    return found // _TO_LOGITS + bias
