"""The numbers that the evaluation and the search are tuned by, and where they lie in the kernel's memory.

One step of the way is worth 100. The values were found by matches between versions of this engine, see
``docs/engine.md``.
"""

from __future__ import annotations

from quoridor_net.engine.layout import WEIGHTS
from quoridor_net.engine.words import Words

#: Walls are valued up to this number; more are worth no more.
WALLS_VALUED = 20

STEP = WEIGHTS
NULL_DEPTH = WEIGHTS + 2
REDUCE_FROM = WEIGHTS + 3
SKIP_DEPTH = WEIGHTS + 4
SKIP_MARGIN = WEIGHTS + 5
WALLS = WEIGHTS + 16
TERM_WEIGHTS = WEIGHTS + 48

#: The terms of the evaluation for two players, each the rival's minus the player's own unless said otherwise,
#: with their weights in sixteenths of a hundredth of a step.
TERM_VALUES = {
    "lead": 1600,
    "tempo": 800,
    "narrow": 0,
    "chokes": 0,
    "cuts": 0,
    "lead_by_walls": 0,
    "walls_by_way": 0,
    "rows": 0,
}
TERM_COUNT = len(TERM_VALUES)

#: By name, so that programs can set them one by one.
NAMES = {
    "step": STEP,
    "null_depth": NULL_DEPTH,
    "reduce_from": REDUCE_FROM,
    "skip_depth": SKIP_DEPTH,
    "skip_margin": SKIP_MARGIN,
    **{name: TERM_WEIGHTS + number for number, name in enumerate(TERM_VALUES)},
}

DEFAULTS = {STEP: 100, NULL_DEPTH: 99, REDUCE_FROM: 3, SKIP_DEPTH: 0, SKIP_MARGIN: 0}

#: What having so many walls left is worth.
WALL_VALUES = (
    *(0, 180, 340, 480, 600, 710, 810, 900, 980, 1050, 1110),
    *(1160, 1200, 1230, 1260, 1280, 1300, 1320, 1340, 1360, 1380),
)


def set_weights(memory: Words, changes: dict[str, int] | None = None) -> None:
    """Write the weights into the memory, with ``changes`` by name.

    Raises:
        KeyError: a name is not known.
    """
    for place, value in DEFAULTS.items():
        memory[place] = value
    for number, value in enumerate(TERM_VALUES.values()):
        memory[TERM_WEIGHTS + number] = value
    for number, value in enumerate(WALL_VALUES):
        memory[WALLS + number] = value
    for name, value in (changes or {}).items():
        if name.startswith("wall_"):
            memory[WALLS + int(name[5:])] = value
        else:
            memory[NAMES[name]] = value
