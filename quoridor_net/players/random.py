"""A player that makes random legal moves, for tests, benchmarks and first steps."""

from __future__ import annotations

import random
from typing import Protocol, TypeVar

from quoridor_net.players.base import Clock, Player, instant

M = TypeVar("M")


class Movable(Protocol[M]):
    """A position of any game."""

    @property
    def legal_moves(self) -> list[M]:
        """All legal moves."""


class RandomPlayer(Player[Movable[M], M]):
    """Chooses a random kind of move, in Quoridor a step or a wall, then a random move of that kind.

    Args:
        seed: for the same moves in the same positions; None for a random seed.
        name: name of the player.
    """

    def __init__(self, seed: int | None = None, name: str = "qnt:random") -> None:
        self.name = name
        self._random = random.Random(seed)

    @instant
    async def choose(self, position: Movable[M], clock: Clock) -> M:
        """Return a random legal move."""
        kinds: dict[type, list[M]] = {}
        for move in position.legal_moves:
            kinds.setdefault(type(move), []).append(move)
        return self._random.choice(self._random.choice(list(kinds.values())))
