"""A league of different kinds of players for games of four, for training and for matches.

Results between kinds are not transitive, and one player against three of a kind says little about a mixed
table. So games mix different kinds, in all orders.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import trio
from attrs import evolve

from quoridor_net.engine import Engine, Limits
from quoridor_net.moves import walls_between
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.base import instant
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Move, Position, Step, Wall
from training.openings import is_near

#: A game that is undecided after this many plies is lost for all.
PLY_LIMIT = 300
#: Number of plies during which EarlyBuilder places walls, and the share of walls among its moves.
_EARLY, _SHARE_OF_WALLS = 24, 0.5
_MEGABYTES = 32

#: A rival at most this many steps from its goal is about to win.
_NEAR = 4
#: Probabilities of placing a wall.
_SELDOM, _AT_TIMES, _OFTEN = 0.1, 0.3, 0.7

FourPlayer = Player[Position, Move]
#: Maps the own distance and that of the nearest rival to the probability of a wall.
WallChance = Callable[[int, int], float]
#: Maps a position, the nearest rival and the legal walls to the candidate walls.
WallChoice = Callable[[Position, int, list[Wall]], list[Wall]]


class RacingPlayer(FourPlayer):
    """A player that steps along a shortest path and never uses its walls."""

    def __init__(self, seed: int) -> None:
        self.name = "runner"
        self._random = random.Random(seed)

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the step that leaves the shortest path to the goal line."""
        return self._step(position)

    def _step(self, position: Position) -> Move:
        steps: list[Move] = list(position.legal_steps)
        if not steps:
            return self._random.choice(position.legal_moves)
        self._random.shuffle(steps)
        player = position.turn
        assert player is not None

        def distance_after(step: Move) -> int:
            position.push(step)
            distance = _distance(position, player)
            position.pop()
            return distance

        return min(steps, key=distance_after)


class EarlyBuilder(RacingPlayer):
    """A player that spends its walls early, on the path of any rival, and then runs."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.name = "early_walls"

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return a wall near the path of a random rival, or a step."""
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


class Blocker(RacingPlayer):
    """A player that steps along a shortest path, and sometimes places a wall against the nearest rival.

    Args:
        name: name of the kind.
        seed: seed of its random choices.
        when: probability of placing a wall.
        which: candidate walls, of which it draws one.
    """

    def __init__(self, name: str, seed: int, when: WallChance, which: WallChoice) -> None:
        super().__init__(seed)
        self.name = name
        self._when = when
        self._which = which

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return a wall or a step."""
        player = position.turn
        assert player is not None
        rivals = [other for other in position.alive if other != player]
        rival = min(rivals, key=lambda other: _distance(position, other))
        if self._random.random() < self._when(_distance(position, player), _distance(position, rival)):
            walls = self._which(position, rival, list(position.legal_walls))
            if walls:
                return self._random.choice(walls)
        return self._step(position)


def _distance(position: Position, player: int) -> int:
    distance = position.distance(player)
    assert distance is not None
    return distance


def _in_front(position: Position, rival: int, walls: list[Wall]) -> list[Wall]:
    """Return the walls that block the next step on the rival's path."""
    here, there = position.shortest_path(rival)[:2]
    return [wall for wall in walls if wall in walls_between(here, there)]


def _longer(position: Position, rival: int, walls: list[Wall]) -> dict[Wall, int]:
    """Return the walls that lengthen the rival's path but not the own one, with the gained steps."""
    player = position.turn
    assert player is not None
    own, before = _distance(position, player), _distance(position, rival)
    crossing = {wall for step in pairwise(position.shortest_path(rival)) for wall in walls_between(*step)}
    gains = {}
    for wall in walls:
        if wall in crossing:
            position.push(wall)
            if _distance(position, player) == own and _distance(position, rival) > before:
                gains[wall] = _distance(position, rival) - before
            position.pop()
    return gains


def _any_longer(position: Position, rival: int, walls: list[Wall]) -> list[Wall]:
    return list(_longer(position, rival, walls))


def _longest(position: Position, rival: int, walls: list[Wall]) -> list[Wall]:
    gains = _longer(position, rival, walls)
    most = max(gains.values(), default=0)
    return [wall for wall in gains if gains[wall] == most]


def _anywhere(_position: Position, _rival: int, walls: list[Wall]) -> list[Wall]:
    return walls


def _if_behind(own: int, nearest: int) -> float:
    return float(nearest < own)


def _if_near(own: int, nearest: int) -> float:
    """Always block a rival that is about to win, and seldom another."""
    return 1.0 if nearest <= min(own, _NEAR) else _SELDOM


def _often_if_behind(own: int, nearest: int) -> float:
    return _OFTEN if nearest < own else 0.0


def _at_times(_own: int, _nearest: int) -> float:
    return _AT_TIMES


class LeagueEngine(FourPlayer):
    """The engine with fixed limits."""

    def __init__(self, name: str, size: int, limits: Limits, seed: int, weights: dict[str, int]) -> None:
        self.name = name
        self._limits = limits
        self._engine = Engine(seed=seed, table_mb=_MEGABYTES, weights=weights)
        self._engine.prepare(size, 4)

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the best move of the search."""
        return self._engine.play(position, self._limits).move


#: Factor of the node limit for best-reply search, whose nodes take less time.
_NODES_IN_EQUAL_TIME = 21

Make = Callable[[int, Limits, int, dict[str, int]], FourPlayer]


def _engine(name: str, weights: dict[str, int], factor: int) -> Make:
    def make(size: int, limits: Limits, seed: int, changes: dict[str, int]) -> FourPlayer:
        nodes = None if limits.nodes is None else factor * limits.nodes
        return LeagueEngine(name, size, evolve(limits, nodes=nodes), seed, weights | changes)

    return make


def _blocker(name: str, when: WallChance, which: WallChoice) -> Make:
    return lambda _size, _limits, seed, _changes: Blocker(name, seed, when, which)


#: Factories of each kind, for a board size, limits, a seed and, in engines, changed weights.
KINDS: dict[str, Make] = {
    "maxn": _engine("maxn", {}, 1),
    "best_reply": _engine("best_reply", {"tree": 0}, _NODES_IN_EQUAL_TIME),
    "simple": lambda _size, _limits, seed, _changes: SimplePlayer(seed),
    "early_walls": lambda _size, _limits, seed, _changes: EarlyBuilder(seed),
    "runner": lambda _size, _limits, seed, _changes: RacingPlayer(seed),
    "front": _blocker("front", _if_behind, _in_front),
    "careless": _blocker("careless", _if_behind, _any_longer),
    "late": _blocker("late", _if_near, _longest),
    "fickle": _blocker("fickle", _at_times, _in_front),
    "stray": _blocker("stray", _often_if_behind, _anywhere),
}


def opening(source: random.Random, size: int, jumps: Jumps, plies: int) -> Position:
    """Return a position after ``plies`` random steps and walls near pawns."""
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
    """Play a game from ``start``; yield the position before each move, and the final one.

    All are the same object. ``players`` are in the order of turns.
    """
    position = start.copy()
    order = position.order
    names = tuple(players[order.index(seat)].name for seat in sorted(order))
    for seat, player in zip(order, players, strict=True):
        trio.run(player.begin, Seating(seat, names, position.copy()))
    while position.turn is not None and position.ply < PLY_LIMIT:
        yield position
        player = players[order.index(position.turn)]
        position.push(trio.run(player.choose, position, Clock()))
    yield position
