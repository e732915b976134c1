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


def make_player(name: str, seed: int | None = None) -> Player[Position, Move]:
    """Return a player for one game: ``"engine"``, ``"simple"`` or ``"random"``.

    Args:
        name: which one.
        seed: for the same moves every time; None for others.

    Raises:
        TypeError: the seed is not a number.
        ValueError: there is no player of that name.
    """
    if not isinstance(seed, int | None):
        raise TypeError(f"a seed is a whole number or None, not {seed!r}")
    if name not in FACTORIES:
        raise ValueError(f"there is no player {name!r}: choose from {', '.join(FACTORIES)}")
    return FACTORIES[name](seed)
