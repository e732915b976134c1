"""The numbers that the evaluation and the search are tuned by, and where they lie in the kernel's memory.

One step of the way is worth 100. The values were found by matches between versions of this engine, see
``docs/engine-log.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from quoridor_net.engine.layout import WEIGHTS
from quoridor_net.engine.network import linear_part
from quoridor_net.engine.words import Words

#: Walls are valued up to this number; more are worth no more.
WALLS_VALUED = 20

REDUCE_FROM = WEIGHTS + 3
REDUCE_ONE = WEIGHTS + 4
REDUCE_TWO = WEIGHTS + 5
REDUCE_THREE = WEIGHTS + 7
PRIOR_HISTORY = WEIGHTS + 8
PRIOR_KILLER = WEIGHTS + 9
GAP = WEIGHTS + 10
PRUNE_GAP = WEIGHTS + 11
PRUNE_DEPTH = WEIGHTS + 12
SURE_DEPTH = WEIGHTS + 13
SURE_MARGIN = WEIGHTS + 14
EXPLORE = WEIGHTS + 37
UNSEEN = WEIGHTS + 38
LEAVE_OUT = WEIGHTS + 39
TEMPER = WEIGHTS + 40
WIDEN = WEIGHTS + 41
ADVICE = WEIGHTS + 42
ADVICE_PRIOR = WEIGHTS + 43
CAUTION = WEIGHTS + 44
WALLS = WEIGHTS + 16
TERM_WEIGHTS = WEIGHTS + 48
PLAIN_WALLS = WEIGHTS + 72
NEAREST = WEIGHTS + 6

#: The terms of the evaluation for two players, each the rival's minus the player's own unless said otherwise,
#: with their weights in sixteenths of a hundredth of a step.
TERM_VALUES = {
    "lead": 1600,
    "tempo": 369,
    "narrow": -103,
    "chokes": 98,
    "cuts": 16,
    "lead_by_walls": -69,
    "walls_by_way": 50,
    "rows": 162,
}
TERM_COUNT = len(TERM_VALUES)

#: By name, so that programs can set them one by one.
NAMES = {
    "reduce_from": REDUCE_FROM,
    "nearest": NEAREST,
    "reduce_one": REDUCE_ONE,
    "reduce_two": REDUCE_TWO,
    "reduce_three": REDUCE_THREE,
    "prior_history": PRIOR_HISTORY,
    "prior_killer": PRIOR_KILLER,
    "gap": GAP,
    "prune_gap": PRUNE_GAP,
    "prune_depth": PRUNE_DEPTH,
    "sure_depth": SURE_DEPTH,
    "sure_margin": SURE_MARGIN,
    "explore": EXPLORE,
    "unseen": UNSEEN,
    "leave_out": LEAVE_OUT,
    "temper": TEMPER,
    "widen": WIDEN,
    "advice": ADVICE,
    "advice_prior": ADVICE_PRIOR,
    "caution": CAUTION,
    **{name: TERM_WEIGHTS + number for number, name in enumerate(TERM_VALUES)},
}

DEFAULTS = {
    REDUCE_FROM: 3,
    REDUCE_ONE: 2,
    REDUCE_TWO: 6,
    REDUCE_THREE: 16,
    NEAREST: 65,
    PRIOR_HISTORY: 8,
    PRIOR_KILLER: 1000,
    GAP: 1000,
    PRUNE_GAP: 4000,
    PRUNE_DEPTH: 2,
    SURE_DEPTH: 3,
    SURE_MARGIN: 120,
    EXPLORE: 150,
    UNSEEN: 0,
    LEAVE_OUT: 6000,
    TEMPER: 125,
    WIDEN: 12,
    ADVICE: 80,
    ADVICE_PRIOR: 6,
    CAUTION: 6,
}

#: What having so many walls left is worth.
WALL_VALUES = (
    *(0, 11, 124, 197, 263, 322, 379, 402, 427, 419, 427),
    *(447, 467, 487, 507, 527, 547, 567, 587, 607, 627),
)

#: The same where distances are all else that counts: with four players, and on boards beyond the kernel.
PLAIN_WALL_VALUES = (
    *(0, 90, 170, 240, 300, 355, 405, 450, 490, 525, 555),
    *(580, 600, 615, 630, 640, 650, 660, 670, 680, 690),
)


#: What can be switched off by name as well.
SWITCHES = ("tree", "network")
_BY_COUNT = re.compile(r"(?:plain_)?wall_(\d{1,2})")


def check_names(changes: Iterable[str]) -> None:
    """Refuse names of weights that there are none of.

    Raises:
        ValueError: a name is not known.
    """
    for name in changes:
        counted = _BY_COUNT.fullmatch(name)
        if name not in NAMES and name not in SWITCHES and not (counted and int(counted[1]) <= WALLS_VALUED):
            raise ValueError(f"there is no weight called {name}")


def set_weights(memory: Words, changes: dict[str, int] | None = None, with_network: bool = False) -> None:
    """Write the weights into the memory, with ``changes`` by name.

    Args:
        memory: the kernel's.
        changes: the weights that are to be others than the usual ones, see :func:`check_names`.
        with_network: whether the terms are those that the network was learned with.
    """
    for place, value in DEFAULTS.items():
        memory[place] = value
    terms, walls = linear_part() if with_network else (list(TERM_VALUES.values()), list(WALL_VALUES))
    for number, value in enumerate(terms):
        memory[TERM_WEIGHTS + number] = value
    for number in range(WALLS_VALUED + 1):
        memory[WALLS + number] = walls[min(number, len(walls) - 1)]
    for number, value in enumerate(PLAIN_WALL_VALUES):
        memory[PLAIN_WALLS + number] = value
    for name, value in (changes or {}).items():
        if name.startswith("plain_wall_"):
            memory[PLAIN_WALLS + int(name[11:])] = value
        elif name.startswith("wall_"):
            memory[WALLS + int(name[5:])] = value
        else:
            memory[NAMES[name]] = value
