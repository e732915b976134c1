"""Levels of play for people.

Weaker ones look less far ahead and about them, and choose less surely, but never at random. How much stronger
each is than the one below, benchmarks/ENGINE-LOG.md tells.
"""

from __future__ import annotations

import random

from attrs import evolve, frozen

from quoridor_net.engine.limits import Analysis, Limits
from quoridor_net.rules import Move, Position, Square, Step, Wall


@frozen
class Level:
    """How a level plays.

    Attributes:
        depth: plies it looks ahead at most, None for as many as its nodes allow.
        nodes: positions it looks at, at most.
        multipv: among how many of the best moves it chooses.
        error: standard deviation of its error in judging each of them, in hundredths of a step.
        wall_distance: how many squares from a rival's pawn it thinks of walls, None for everywhere.
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
    """Return the limits that the level of ``limits`` leaves; the strongest leaves all."""
    level = LEVELS.get(limits.level)
    if level is None:
        return limits
    return evolve(
        limits, depth=_smaller(limits.depth, level.depth), nodes=_smaller(limits.nodes, level.nodes)
    )


def _smaller(one: int | None, other: int | None) -> int | None:
    return min((limit for limit in (one, other) if limit is not None), default=None)


def multipv_of_level(limits: Limits, multipv: int) -> int:
    """Return how many of the best moves to score where ``multipv`` are asked for."""
    level = LEVELS.get(limits.level)
    return multipv if level is None else max(multipv, level.multipv)


def considered_moves(position: Position, moves: list[Move], limits: Limits) -> list[Move]:
    """Return those of the legal ``moves`` that a player of the level thinks of, all if it is none."""
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
    """Return how far the middle of a wall lies from a pawn, by columns or rows, whichever is more."""
    return max(abs(wall.column + 0.5 - pawn.column), abs(wall.row + 0.5 - pawn.row))


def with_error(analysis: Analysis, limits: Limits, multipv: int, source: random.Random) -> Analysis:
    """Return ``multipv`` choices of the analysis, the move first that a player of the level would choose.

    Nobody overlooks a win in one move.
    """
    level = LEVELS.get(limits.level)
    choices = analysis.choices
    if level is not None and choices[0].wins_in != 1:
        judged = {choice: choice.score + source.gauss(0.0, level.error) for choice in choices}
        choices = tuple(sorted(choices, key=judged.__getitem__, reverse=True))
    return evolve(analysis, choices=choices[:multipv])
