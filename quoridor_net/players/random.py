"""A player that makes any legal move; for tests, benchmarks and first steps."""

from __future__ import annotations

import random

from quoridor_net.players.base import Clock, Player
from quoridor_net.rules import Move, Position


class RandomPlayer(Player[Position, Move]):
    """Chooses first between stepping and placing a wall, then evenly among those moves.

    Args:
        seed: for the same moves in the same positions; None for others every time.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.name = "qnt:random"
        self._random = random.Random(seed)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return a random legal move."""
        steps = position.legal_steps
        if steps and self._random.random() < 0.5:
            return self._random.choice(steps)
        walls = position.legal_walls
        return self._random.choice(walls) if walls else self._random.choice(steps)
