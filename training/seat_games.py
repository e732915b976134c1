"""Games of a mixed league, for training the network for four players.

Players of different kinds play each other (``training.league``), so that the evaluation learns the worth of a
lead against runners, builders, blockers and searchers. One table in three has three simple players.
Occasional random moves add positions that no player would choose.
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

#: Board sizes, and their relative frequencies.
_SIZES, _SIZE_SHARES = (7, 9, 11), (1, 6, 1)
KIND_NAMES = tuple(KINDS)
#: Relative frequencies of kinds of players; 1 for the others.
_KIND_SHARES = {"maxn": 5, "simple": 2}
_SHARE_OF_SIMPLE_TABLES = 0.35
_MOST_OPENING_PLIES = 12
_SHARE_OF_RANDOM_MOVES, _SHARE_OF_WALLS = 0.04, 0.6


@frozen
class Seen:
    """The positions of games with a winner.

    Attributes:
        features: column numbers of each seat, of shape (positions, seats, features).
        alive: whether a seat is in the game, of shape (positions, seats).
        walls: walls left, of shape (positions, seats).
        kinds: number of the kind of player in each seat, of shape (positions, seats).
        winners: seat of the winner, of shape (positions,).
        games: number of the game, of shape (positions,).
    """

    features: Ints
    alive: NDArray[np.bool_]
    walls: Ints
    kinds: Ints
    winners: Ints
    games: Ints


def _draw_kinds(source: random.Random) -> list[str]:
    """Draw the kinds of four players."""
    if source.random() >= _SHARE_OF_SIMPLE_TABLES:
        return source.choices(KIND_NAMES, [_KIND_SHARES.get(kind, 1) for kind in KIND_NAMES], k=SEATS)
    kinds = ["simple"] * SEATS
    kinds[source.randrange(SEATS)] = "maxn"
    return kinds


class Wanderer(FourPlayer):
    """A player that plays the moves of another one, and occasionally a random move."""

    def __init__(self, player: FourPlayer, source: random.Random) -> None:
        self.name = player.name
        self._player = player
        self._random = source

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return a random move, or the choice of the other player."""
        if self._random.random() >= _SHARE_OF_RANDOM_MOVES:
            return await self._player.choose(position, clock)
        moves = position.legal_moves
        steps = [move for move in moves if isinstance(move, Step)]
        walls = [move for move in moves if isinstance(move, Wall)]
        builds = walls and self._random.random() < _SHARE_OF_WALLS
        return self._random.choice(walls if builds else steps or moves)


def play_games(games: int, nodes: int, seed: int) -> Seen:
    """Play ``games`` games of the league, with ``nodes`` nodes per move of max-n; return their positions."""
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
