"""A decent player without search: it runs along shortest paths and walls off whoever is ahead."""

from __future__ import annotations

import random
from itertools import pairwise

from quoridor_net.players.base import Clock, Player
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall


class SimplePlayer(Player[Position, Move]):
    """Looks one ply ahead and compares distances.

    Every move either brings its own pawn nearer to its goal or spends a wall on lengthening the way of the
    opponent that is nearest to winning, so its games end.

    Args:
        seed: decides between moves that are equally good.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.name = "qnt:simple"
        self._random = random.Random(seed)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the move that leaves the best race against the opponent nearest to its goal."""
        player = position.turn
        assert player is not None
        step = self._best_step(position, player)
        rival = min(
            (other for other in position.alive if other != player), key=lambda other: _way(position, other)
        )
        # In a tie a wall comes first, if there is one that gains anything.
        if step is not None and _way(position, player) < _way(position, rival):
            return step
        wall = self._best_wall(position, player, rival)
        if wall is not None:
            return wall
        return step if step is not None else self._random.choice(position.legal_moves)

    def _best_step(self, position: Position, player: int) -> Step | None:
        steps = position.legal_steps
        self._random.shuffle(steps)

        def way_after(step: Step) -> int:
            position.push(step)
            way = _way(position, player)
            position.pop()
            return way

        return min(steps, key=way_after, default=None)

    def _best_wall(self, position: Position, player: int, rival: int) -> Wall | None:
        """Return the wall that gains most on the rival, or None when none gains anything."""
        path = position.shortest_path(rival)
        crossing = {wall for here, there in pairwise(path) for wall in _between(here, there)}
        walls = [wall for wall in position.legal_walls if wall in crossing]
        self._random.shuffle(walls)
        lead = _way(position, rival) - _way(position, player)

        def gain(wall: Wall) -> int:
            position.push(wall)
            gained = _way(position, rival) - _way(position, player) - lead
            position.pop()
            return gained

        best = max(walls, key=gain, default=None)
        return best if best is not None and gain(best) > 0 else None


def _way(position: Position, player: int) -> int:
    distance = position.distance(player)
    assert distance is not None
    return distance


def _between(here: Square, there: Square) -> list[Wall]:
    """Return the walls that would close the step between two neighbouring squares."""
    column, row = min(here.column, there.column), min(here.row, there.row)
    if here.row == there.row:
        return [Wall(column, row - 1, Orientation.VERTICAL), Wall(column, row, Orientation.VERTICAL)]
    return [Wall(column - 1, row, Orientation.HORIZONTAL), Wall(column, row, Orientation.HORIZONTAL)]
