"""Players that can be named on a command line."""

from __future__ import annotations

from collections.abc import Callable

from quoridor_net.players.base import Player
from quoridor_net.players.random import RandomPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position

#: Makes a player for one game from a seed.
PlayerFactory = Callable[[int | None], Player[Position, Move]]


def _engine(seed: int | None) -> Player[Position, Move]:
    # Imported here: only who wants the engine should wait for numba.
    from quoridor_net.players.engine import EnginePlayer

    return EnginePlayer(seed)


#: Players that need nothing but a seed, by the name that ``--player`` takes.
FACTORIES: dict[str, PlayerFactory] = {
    "simple": SimplePlayer,
    "random": RandomPlayer,
    "engine": _engine,
}

DEFAULT_PLAYER = "engine"
