"""Players of several kinds for games of four: what they learn from and are measured in.

Results between kinds are not transitive, and one against three of a kind says little about a mixed table, so
that games are played between different kinds, in all orders.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import trio
from attrs import evolve

from quoridor_net.engine import Limits, Searcher
from quoridor_net.players import Clock, Player
from quoridor_net.players.base import instant
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Move, Position, Step, Wall
from training.openings import is_near

#: A game that is not decided by then is lost for all.
PLY_LIMIT = 300
#: How many plies the style that builds early does so, and how often.
_EARLY, _SHARE_OF_WALLS = 24, 0.5
_MEGABYTES = 32

FourPlayer = Player[Position, Move]


class Runner(FourPlayer):
    """Steps along a shortest path, whatever the others do, and leaves its walls unused."""

    def __init__(self, seed: int) -> None:
        self.name = "runner"
        self._random = random.Random(seed)

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the step that brings it nearest to its goal line."""
        return self._step(position)

    def _step(self, position: Position) -> Move:
        steps: list[Move] = list(position.legal_steps)
        if not steps:
            return self._random.choice(position.legal_moves)
        self._random.shuffle(steps)
        player = position.turn
        assert player is not None

        def way_after(step: Move) -> int:
            position.push(step)
            way = position.distance(player)
            position.pop()
            assert way is not None
            return way

        return min(steps, key=way_after)


class EarlyBuilder(Runner):
    """Spends its walls early, on whichever paths they cut, and runs after that."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.name = "early_walls"

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return a wall across the path of some rival, or a step."""
        if position.ply < _EARLY and self._random.random() < _SHARE_OF_WALLS:
            rival = self._random.choice([player for player in position.alive if player != position.turn])
            near = [square for pair in pairwise(position.shortest_path(rival)) for square in pair]
            walls = [
                wall
                for wall in position.legal_walls
                if any(abs(wall.column - square.column) + abs(wall.row - square.row) <= 1 for square in near)
            ]
            if walls:
                return self._random.choice(walls)
        return self._step(position)


class Engine(FourPlayer):
    """The engine with fixed limits."""

    def __init__(self, name: str, size: int, limits: Limits, seed: int, weights: dict[str, int]) -> None:
        self.name = name
        self._limits = limits
        self._searcher = Searcher(size, 4, _MEGABYTES, seed, weights=weights)

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return what the search finds."""
        return self._searcher.choose(position, self._limits).move


#: What a limit of nodes is multiplied by for best-reply search, whose nodes take so much less time.
_NODES_IN_EQUAL_TIME = 21

Make = Callable[[int, Limits, int, dict[str, int]], FourPlayer]


def _engine(name: str, weights: dict[str, int], factor: int) -> Make:
    def make(size: int, limits: Limits, seed: int, changes: dict[str, int]) -> FourPlayer:
        nodes = None if limits.nodes is None else factor * limits.nodes
        return Engine(name, size, evolve(limits, nodes=nodes), seed, weights | changes)

    return make


#: Makes a player of each kind for a size, with limits and a seed; engines take changes of weights.
KINDS: dict[str, Make] = {
    "maxn": _engine("maxn", {}, 1),
    "best_reply": _engine("best_reply", {"tree": 0}, _NODES_IN_EQUAL_TIME),
    "simple": lambda _size, _limits, seed, _changes: SimplePlayer(seed),
    "early_walls": lambda _size, _limits, seed, _changes: EarlyBuilder(seed),
    "runner": lambda _size, _limits, seed, _changes: Runner(seed),
}


def opening(source: random.Random, size: int, jumps: Jumps, plies: int) -> Position:
    """Return a position after so many random steps and walls near pawns."""
    while True:
        position = Position(size, 4, None, jumps)
        for _ in range(plies):
            moves = position.legal_moves
            steps = [move for move in moves if isinstance(move, Step)]
            walls = [move for move in moves if isinstance(move, Wall) and is_near(position, move)]
            position.push(source.choice(walls if walls and source.random() < 0.35 else steps or moves))
            if position.turn is None:
                break
        else:
            return position


def play(players: Sequence[FourPlayer], start: Position) -> Iterator[Position]:
    """Yield the position before each move of a game from ``start``, and the last one.

    The position is the same object each time. ``players`` are in the order of turns.
    """
    position = start.copy()
    order = position.order
    while position.turn is not None and position.ply < PLY_LIMIT:
        yield position
        player = players[order.index(position.turn)]
        position.push(trio.run(player.choose, position, Clock()))
    yield position
