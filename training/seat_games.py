"""What the network for four players learns from: games of a mixed league.

Players of different kinds play one another (``training.league``), so that the evaluation learns what a lead
is worth against those that run, that build, that block, and that search. One table in three has three simple
players. Now and then a random move is played, so that there are positions that nobody would have chosen.
"""

from __future__ import annotations

import random

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from quoridor_net.engine import Limits
from quoridor_net.engine.board.convert import load_position, new_state
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.maxn.features import find_features, find_gains
from quoridor_net.engine.maxn.network import FEATURES
from quoridor_net.engine.maxn.tree import MaxNTree
from quoridor_net.jit.records import new_record
from quoridor_net.players import Clock
from quoridor_net.rules import Jumps, Move, Position, Step, Wall
from training.league import KINDS, FourPlayer, opening, play

Ints = NDArray[np.int64]

#: The sizes of the boards, and how often each is drawn.
_SIZES, _SIZE_SHARES = (7, 9, 11), (1, 6, 1)
KIND_NAMES = tuple(KINDS)
#: The kinds of players that are drawn more often than others.
_KIND_SHARES = {"maxn": 5, "simple": 2}
_SHARE_OF_SIMPLE_TABLES = 0.35
_MOST_OPENING_PLIES = 12
_SHARE_OF_RANDOM_MOVES, _SHARE_OF_WALLS = 0.04, 0.6


@frozen
class Seen:
    """The positions of games that somebody won.

    Attributes:
        features: the numbers of the columns of each seat, of the shape (positions, seats, features).
        alive: whether a seat is in the game, of the shape (positions, seats).
        walls: walls left, of the shape (positions, seats).
        kinds: the number of the kind of player in each seat, of the shape (positions, seats).
        winners: the seat that won.
        games: the number of the game.
    """

    features: Ints
    alive: NDArray[np.bool_]
    walls: Ints
    kinds: Ints
    winners: Ints
    games: Ints


def _draw_kinds(source: random.Random) -> list[str]:
    """Return the kinds of four players."""
    if source.random() >= _SHARE_OF_SIMPLE_TABLES:
        return source.choices(KIND_NAMES, [_KIND_SHARES.get(kind, 1) for kind in KIND_NAMES], k=SEATS)
    kinds = ["simple"] * SEATS
    kinds[source.randrange(SEATS)] = "maxn"
    return kinds


class Wanderer(FourPlayer):
    """Plays what another player would, and now and then a random move."""

    def __init__(self, player: FourPlayer, source: random.Random) -> None:
        self.name = player.name
        self._player = player
        self._random = source

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return a random move, or what the other player chooses."""
        if self._random.random() >= _SHARE_OF_RANDOM_MOVES:
            return await self._player.choose(position, clock)
        moves = position.legal_moves
        steps = [move for move in moves if isinstance(move, Step)]
        walls = [move for move in moves if isinstance(move, Wall)]
        builds = walls and self._random.random() < _SHARE_OF_WALLS
        return self._random.choice(walls if builds else steps or moves)


def positions_of_games(games: int, nodes: int, seed: int) -> Seen:
    """Play so many games of the league, max-n with so many nodes each move."""
    source = random.Random(seed)
    boards = {size: new_state(size, SEATS) for size in _SIZES}
    tree = new_record(MaxNTree)
    limits = Limits(nodes=nodes)
    players = {
        (kind, size): Wanderer(KINDS[kind](size, limits, seed, {}), source)
        for kind in KIND_NAMES
        for size in _SIZES
    }
    features: list[NDArray[np.int64]] = []
    rows: list[list[int]] = []
    for number in range(games):
        (size,) = source.choices(_SIZES, _SIZE_SHARES)
        state, kinds = boards[size], _draw_kinds(source)
        start = opening(source, size, source.choice(list(Jumps)), source.randrange(_MOST_OPENING_PLIES + 1))
        seen: list[NDArray[np.int64]] = []
        frames: list[list[int]] = []
        for position in play([players[kind, size] for kind in kinds], start):
            if position.turn is not None:
                load_position(state, position)
                flood_all(state, 0)
                find_gains(state, tree, 0)
                find_features(state, tree, 0)
                seen.append(np.array(tree.features, dtype=np.int64))
                frames.append([*map(int, state.frames[0].pawns), *map(int, state.frames[0].walls_left)])
        if position.winner is not None:
            result = [number, position.order.index(position.winner), *map(KIND_NAMES.index, kinds)]
            features += seen
            rows += [[*frame, *result] for frame in frames]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3 * SEATS + 2)
    pawns, walls, numbers, kinds_of = np.split(table, [SEATS, 2 * SEATS, 2 * SEATS + 2], axis=1)
    shaped = np.array(features, dtype=np.int64).reshape(-1, SEATS, FEATURES)
    return Seen(shaped, pawns >= 0, walls, kinds_of, numbers[:, 1], numbers[:, 0])
