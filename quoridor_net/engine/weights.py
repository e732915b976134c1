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
TEMPO = WEIGHTS + 1
NULL_DEPTH = WEIGHTS + 2
REDUCE_FROM = WEIGHTS + 3
CHOKE = WEIGHTS + 4
NARROW = WEIGHTS + 5
LAST_WALL = WEIGHTS + 6
WALLS = WEIGHTS + 16

#: By name, so that programs can set them one by one.
NAMES = {
    "step": STEP,
    "tempo": TEMPO,
    "null_depth": NULL_DEPTH,
    "reduce_from": REDUCE_FROM,
}

DEFAULTS = {
    STEP: 100,
    TEMPO: 50,
    NULL_DEPTH: 99,
    REDUCE_FROM: 3,
}

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
    for number, value in enumerate(WALL_VALUES):
        memory[WALLS + number] = value
    for name, value in (changes or {}).items():
        if name.startswith("wall_"):
            memory[WALLS + int(name[5:])] = value
        else:
            memory[NAMES[name]] = value
