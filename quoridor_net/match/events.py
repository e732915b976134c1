"""What happens in a match. Displays, logs, replays and broadcasts are all listeners of these events.

They are generic over the game's types of positions and moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import frozen

from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Move, Position

P = TypeVar("P")
M = TypeVar("M")


@frozen
class GameStarted(Generic[P]):
    """All players, named by number from 1, are seated; ``move_time`` is in seconds, None for no limit."""

    names: tuple[str, ...]
    position: P
    move_time: float | None
    ply_limit: int


@frozen
class MoveRequested:
    """It is the turn of ``player``, who begins to think; ``ply`` is the number of plies played so far."""

    player: int
    ply: int


@frozen
class MoveMade(Generic[P, M]):
    """Player ``player`` thought for ``seconds`` and made ``move``, ply number ``ply``: now ``position``."""

    player: int
    move: M
    ply: int
    seconds: float
    position: P


@frozen
class TurnPassed:
    """``player`` has no legal move and is passed over."""

    player: int


@frozen
class MovesTakenBack(Generic[P]):
    """``player`` took back its last move and all since, ``plies`` in all: now ``position``."""

    player: int
    plies: int
    position: P


@frozen
class PlayerOut(Generic[P, M]):
    """Player ``player`` is out of the game.

    Attributes:
        sentence: what the player did, without a subject.
        line: the offending answer, printable; empty when there is none.
        position: the position without the player.
        hint: whole sentences about what usually causes this; empty when nothing is known.
        move: the move that was refused, if it was an illegal one.
        ply: how many moves were made before.
    """

    player: int
    termination: Termination
    sentence: str
    line: str
    position: P
    hint: str = ""
    move: M | None = None
    ply: int = 0


@frozen
class GameEnded(Generic[P]):
    """The game is over with ``position``; nothing happens after this."""

    result: Result
    names: tuple[str, ...]
    position: P


#: An event of a match, whatever the game.
MatchEvent = (
    GameStarted[P]
    | MoveRequested
    | MoveMade[P, M]
    | TurnPassed
    | MovesTakenBack[P]
    | PlayerOut[P, M]
    | GameEnded[P]
)

#: A listener is called with every event of a match, in order. The positions in events are shared between
#: listeners and must not be changed.
MatchListener = Callable[[MatchEvent[P, M]], None]

#: The same for Quoridor.
Event = MatchEvent[Position, Move]
Listener = MatchListener[Position, Move]
