"""The ladder of reference players, from random moves to the engine at full strength, and their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen


@frozen
class Rung:
    """A reference player.

    Attributes:
        name: its name for people.
        spec: its player spec. Seed and position alone decide its moves, so that a seed repeats its games.
        elo: its rating on 9x9, level 1 at 0.
        level: its place on the scale of levels; None for a player that only serves as an opponent.
    """

    name: str
    spec: str
    elo: int
    level: int | None = None


#: The reference players, weakest first; docs/grading.md shows this table. The ratings of the levels and of
#: the simple player maximise the likelihood of the games in the table "levels" of
#: benchmarks/engine_log.toml; a test repeats the fit. The random player drew 6 of 300 games against level 1,
#: by their ply limit, and lost the others.
LADDER = (
    Rung("random", "random", -800, 0),
    Rung("level 1", "engine:level=1", 0, 1),
    Rung("level 2", "engine:level=2", 271, 2),
    Rung("simple", "simple", 387),
    Rung("level 3", "engine:level=3", 536, 3),
    Rung("level 4", "engine:level=4", 717, 4),
    Rung("level 5", "engine:level=5", 922, 5),
    Rung("level 6", "engine:level=6", 1125, 6),
    Rung("level 7", "engine:level=7", 1292, 7),
    Rung("level 8", "engine:level=8", 1529, 8),
    Rung("level 9", "engine:level=9", 1713, 9),
    # Limited by nodes, not by time: as strong as in the games of that table.
    Rung("level 10", "engine:level=10,nodes=100000", 1920, 10),
)


def level_at(elo: float, ladder: Sequence[Rung] = LADDER) -> float:
    """Return the place of a rating on the scale of levels.

    It is linear between two levels, and the lowest or highest level beyond them.
    """
    levels = [rung.level for rung in ladder if rung.level is not None]
    return min(max(extrapolate_level(elo, ladder), float(levels[0])), float(levels[-1]))


def extrapolate_level(elo: float, ladder: Sequence[Rung] = LADDER) -> float:
    """Return the same as :func:`level_at`, but continue the scale beyond its ends, with their slopes."""
    steps = list(pairwise((rung.elo, rung.level) for rung in ladder if rung.level is not None))
    (low, level), (high, next_level) = next((step for step in steps if elo < step[1][0]), steps[-1])
    return level + (next_level - level) * (elo - low) / (high - low)
