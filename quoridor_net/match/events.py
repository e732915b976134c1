"""What happens in a match. Displays, logs, replays and broadcasts are all listeners of these events."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from quoridor_net.outcome import Result
from quoridor_net.rules import Move, Position, Termination


@frozen
class GameStarted:
    """All players are seated.

    Attributes:
        names: by player number, from player 1.
        position: the position before the first move.
        move_time: seconds a player has for a move; None when there is no limit.
        ply_limit: after so many plies the game is drawn.
    """

    names: tuple[str, ...]
    position: Position
    move_time: float | None
    ply_limit: int


@frozen
class MoveRequested:
    """It is the turn of ``player``, who begins to think; ``ply`` is the number of plies played so far."""

    player: int
    ply: int


@frozen
class MoveMade:
    """A legal move.

    Attributes:
        player: who made it.
        move: the move.
        ply: its number, from 1.
        seconds: how long the player thought.
        position: the position after it.
    """

    player: int
    move: Move
    ply: int
    seconds: float
    position: Position


@frozen
class TurnPassed:
    """``player`` has no legal move and is passed over."""

    player: int


@frozen
class PlayerOut:
    """A player is out of the game.

    Attributes:
        player: who.
        termination: the kind of fault.
        sentence: what the player did, without a subject.
        line: the offending answer, printable; empty when there is none.
        position: the position without the player.
        hint: whole sentences about what usually causes this; empty when nothing is known.
        move: the move that was refused, if it was an illegal one.
    """

    player: int
    termination: Termination
    sentence: str
    line: str
    position: Position
    hint: str = ""
    move: Move | None = None


@frozen
class GameEnded:
    """The game is over; nothing happens after this.

    Attributes:
        result: how it ended.
        names: by player number, from player 1.
        position: the last position.
    """

    result: Result
    names: tuple[str, ...]
    position: Position


Event = GameStarted | MoveRequested | MoveMade | TurnPassed | PlayerOut | GameEnded

#: A listener is called with every event of a match, in order. The positions in events are shared between
#: listeners and must not be changed.
Listener = Callable[[Event], None]
