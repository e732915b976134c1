"""Playing strengths for people.

Weaker levels search less, consider fewer walls and misjudge moves, but never play at random.
benchmarks/ENGINE-LOG.md has the Elo differences between them.
"""

from __future__ import annotations

import random

from attrs import evolve, frozen

from quoridor_net.engine.limits import Analysis, Limits
from quoridor_net.rules import Move, Position, Square, Step, Wall


@frozen
class Level:
    """The limits and errors of a level.

    Attributes:
        depth: maximum search depth, in plies; None for no limit.
        nodes: maximum number of searched positions.
        multipv: number of best moves to choose among.
        error: standard deviation of its error about each of them, in hundredths of a step.
        wall_distance: maximum distance of walls from a rival's pawn, in squares; None for no limit.
    """

    depth: int | None
    nodes: int
    multipv: int
    error: float
    wall_distance: float | None = None


LEVELS = {
    1: Level(1, 2_000, 10, 160.0, 1.5),
    2: Level(1, 2_000, 8, 85.0, 1.5),
    3: Level(2, 4_000, 6, 55.0, 2.5),
    4: Level(3, 6_000, 5, 45.0, 2.5),
    5: Level(3, 8_000, 4, 25.0),
    6: Level(5, 8_000, 3, 22.0),
    7: Level(7, 8_000, 2, 3.0),
    8: Level(None, 10_000, 3, 18.0),
    9: Level(None, 16_000, 1, 0.0),
}


def limits_of_level(limits: Limits) -> Limits:
    """Return ``limits``, reduced to those of their level. Only the strongest level uses several threads."""
    level = LEVELS.get(limits.level)
    if level is None:
        return limits
    depth, nodes = _smaller(limits.depth, level.depth), _smaller(limits.nodes, level.nodes)
    return evolve(limits, depth=depth, nodes=nodes, threads=1)


def _smaller(one: int | None, other: int | None) -> int | None:
    return min((limit for limit in (one, other) if limit is not None), default=None)


def multipv_of_level(limits: Limits, multipv: int) -> int:
    """Return the number of moves to score: ``multipv``, or more if the level chooses among more."""
    level = LEVELS.get(limits.level)
    return multipv if level is None else max(multipv, level.multipv)


def consider_moves(position: Position, moves: list[Move], limits: Limits) -> list[Move]:
    """Return those of the legal ``moves`` that the level considers, or all of them if it considers none."""
    level = LEVELS.get(limits.level)
    if level is None or level.wall_distance is None:
        return moves
    rivals = [player for player in position.alive if player != position.turn]
    pawns = [pawn for player in rivals if (pawn := position.pawn(player)) is not None]
    found = [
        move
        for move in moves
        if isinstance(move, Step) or min(_apart(pawn, move) for pawn in pawns) <= level.wall_distance
    ]
    return found or moves


def _apart(pawn: Square, wall: Wall) -> float:
    """Return the distance between a pawn and the middle of a wall: the larger of columns and rows."""
    return max(abs(wall.column + 0.5 - pawn.column), abs(wall.row + 0.5 - pawn.row))


def with_error(analysis: Analysis, limits: Limits, multipv: int, source: random.Random) -> Analysis:
    """Return ``multipv`` choices of the analysis, in the order that the level's errors give them.

    No level misses a win in one move.
    """
    level = LEVELS.get(limits.level)
    choices = analysis.choices
    if level is not None and choices[0].wins_in != 1:
        judged = {choice: choice.score + source.gauss(0.0, level.error) for choice in choices}
        choices = tuple(sorted(choices, key=judged.__getitem__, reverse=True))
    return evolve(analysis, choices=choices[:multipv])
