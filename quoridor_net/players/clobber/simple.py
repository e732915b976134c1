"""Players of Clobber that do not search: opponents for tests, benchmarks and first steps."""

from __future__ import annotations

import random

from quoridor_net.clobber import Move, Position
from quoridor_net.players.base import Clock
from quoridor_net.players.clobber.base import ClobberPlayer


class RandomPlayer(ClobberPlayer):
    """Makes any legal move.

    Args:
        seed: for the same moves in the same positions; None for others every time.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.name = "random"
        self._random = random.Random(seed)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return a random legal move."""
        return self._random.choice(position.legal_moves)


class MobilityPlayer(ClobberPlayer):
    """Looks one move ahead and keeps to where its stones can go while few can come at them.

    Both sides always have the same number of moves, so that number says nothing about who is ahead. This
    player counts stones instead: those that have a move, its own less the opponent's. It is hardly better
    than chance: in Clobber mobility means little.

    Args:
        seed: decides between moves that are equally good.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.name = "mobility"
        self._random = random.Random(seed)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the move after which most own and fewest opposing stones can move."""
        moves = position.legal_moves
        self._random.shuffle(moves)

        def promise(move: Move) -> int:
            position.push(move)
            pairs = position.legal_moves
            position.pop()
            # After the move it is the opponent's turn: its stones are the origins, ours the targets.
            own, their = {pair.target for pair in pairs}, {pair.origin for pair in pairs}
            return len(own) - len(their)

        return max(moves, key=promise)
