"""Random openings: fair ones, and ones that the engine scores about even."""

from __future__ import annotations

import random

from quoridor_net.engine import Engine, Limits
from quoridor_net.rules import Position, Step, Wall

#: Maximum score of a balanced opening for either side, in hundredths of a step, and the nodes of its search.
BALANCED = 30
JUDGED_NODES = 100_000


def opening(source: random.Random, size: int, walls: int | None) -> Position:
    """Return a fair position after a few steps forward and walls near the pawns."""
    while True:
        position = Position(size, 2, walls)
        for _ in range(2 * source.randrange(2, 6)):
            moves = position.legal_moves
            steps = [move for move in moves if isinstance(move, Step)]
            near = [move for move in moves if isinstance(move, Wall) and is_near(position, move)]
            position.push(source.choice(near) if near and source.random() < 0.35 else source.choice(steps))
            if position.turn is None:
                break
        own, other = position.distance(1), position.distance(2)
        if position.turn == 1 and own is not None and other is not None and -1 <= other - own <= 1:
            spread = abs(position.walls_left(1) - position.walls_left(2))
            if spread <= 1 and min(own, other) > size // 2:
                return position


def find_balanced_opening(source: random.Random, size: int, walls: int | None, judge: Engine) -> Position:
    """Return an opening that ``judge`` scores about even."""
    while True:
        position = opening(source, size, walls)
        judge.clear()
        if abs(judge.play(position, Limits(nodes=JUDGED_NODES)).score) <= BALANCED:
            return position


def is_near(position: Position, wall: Wall) -> bool:
    """Return whether ``wall`` is within two squares of a pawn."""
    for player in position.alive:
        pawn = position.pawn(player)
        if pawn is not None and abs(pawn.column - wall.column) <= 2 and abs(pawn.row - wall.row) <= 2:
            return True
    return False
