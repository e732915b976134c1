"""Players without search, one for Quoridor and one for Clobber, for tests, benchmarks and first steps."""

from __future__ import annotations

import random
from itertools import pairwise

from quoridor_net import clobber
from quoridor_net.moves import walls_between
from quoridor_net.players.base import Clock, Player, instant
from quoridor_net.rules import Move, Position, Step, Wall


class SimplePlayer(Player[Position, Move]):
    """Plays Quoridor decently by looking one ply ahead and comparing distances.

    Every move brings its own pawn closer to its goal, or spends a wall to lengthen the path of the opponent
    closest to winning. Its games therefore end.

    Args:
        seed: decides between equally good moves; None for a random seed.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.name = "qnt:simple"
        self._random = random.Random(seed)

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the move with the best race against the opponent closest to its goal."""
        player = position.turn
        assert player is not None
        step = self._best_step(position, player)
        rival = min(
            (other for other in position.alive if other != player), key=lambda other: _way(position, other)
        )
        # The player to move wins a tied race, but a wall that gains anything is still better: a player that
        # runs in a tie loses 58 of 100 games against this one.
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
        """Return the wall that gains most on the rival, or None if none gains anything."""
        path = position.shortest_path(rival)
        crossing = {wall for here, there in pairwise(path) for wall in walls_between(here, there)}
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


class MobilityPlayer(Player[clobber.ClobberPosition, clobber.Move]):
    """Plays Clobber by looking one move ahead and comparing mobility.

    Both sides always have the same number of moves, so this player counts stones that can move instead: its
    own less the opponent's. It is hardly better than random, because mobility means little in Clobber.

    Args:
        seed: decides between equally good moves; None for a random seed.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.name = "mobility"
        self._random = random.Random(seed)

    @instant
    async def choose(self, position: clobber.ClobberPosition, clock: Clock) -> clobber.Move:
        """Return the move that leaves the most own and the fewest opposing stones with a move."""
        moves = position.legal_moves
        self._random.shuffle(moves)

        def promise(move: clobber.Move) -> int:
            position.push(move)
            pairs = position.legal_moves
            position.pop()
            # After the move the opponent is on turn: its stones are the origins, ours the targets.
            own, their = {pair.target for pair in pairs}, {pair.origin for pair in pairs}
            return len(own) - len(their)

        return max(moves, key=promise)


def _way(position: Position, player: int) -> int:
    distance = position.distance(player)
    assert distance is not None
    return distance
