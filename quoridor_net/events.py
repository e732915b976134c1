"""The events of a game, for spectators and players alike.

Displays, logs, replays and broadcasts listen to these events, and the players of a game get the same ones.
The events are generic over the game's types of positions and moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import frozen

from quoridor_net.clocks import GameClock
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.rules import Move, Position

P = TypeVar("P")
M = TypeVar("M")
P_co = TypeVar("P_co", covariant=True)
M_co = TypeVar("M_co", covariant=True)


@frozen
class GameStarted(Generic[P_co]):
    """All players, named by number from 1, are seated.

    ``move_time`` and ``first_move_time``, which replaces all limits in a player's first move, are in seconds,
    None for no limit. ``clocks`` holds the clock of each player, by number, None for no clock; it is empty if
    nobody has one.
    """

    names: tuple[str, ...]
    position: P_co
    move_time: float | None
    ply_limit: int
    clocks: tuple[GameClock | None, ...] = ()
    first_move_time: float | None = None


@frozen
class MoveRequested:
    """It is the turn of ``player``, who begins to think; ``ply`` is the number of plies played so far.

    ``left`` is the time left on its clock, in seconds, None without a clock.
    """

    player: int
    ply: int
    left: float | None = None


@frozen
class MoveMade(Generic[P_co, M_co]):
    """Player ``player`` thought for ``seconds`` and made ``move``, ply number ``ply``: now ``position``.

    ``left`` is the time left on its clock, in seconds, with the increment; None without a clock. ``score`` is
    the player's own value of the move, in hundredths of a step, None if it gives none.
    """

    player: int
    move: M_co
    ply: int
    seconds: float
    position: P_co
    left: float | None = None
    score: int | None = None


@frozen
class TurnPassed:
    """``player`` has no legal move and is passed over."""

    player: int


@frozen
class MovesTakenBack(Generic[P_co]):
    """``player`` took back its last move and all since, ``plies`` in all: now ``position``."""

    player: int
    plies: int
    position: P_co


@frozen
class PlayerOut(Generic[P_co]):
    """Player ``player`` is out of the game for ``fault``, after ``ply`` moves; ``position`` is without it."""

    player: int
    fault: ForfeitError
    position: P_co
    ply: int = 0


@frozen
class MoveTimes:
    """The number of moves of a player, their total time and the longest one, in seconds."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def after(self, seconds: float) -> MoveTimes:
        """Return the times after another move of ``seconds``."""
        return MoveTimes(self.moves + 1, self.seconds + seconds, max(self.longest, seconds))

    def __add__(self, other: MoveTimes) -> MoveTimes:
        """Return the times of both together."""
        longest = max(self.longest, other.longest)
        return MoveTimes(self.moves + other.moves, self.seconds + other.seconds, longest)


@frozen
class GameEnded(Generic[P_co]):
    """The game is over with ``position``; no event follows.

    ``times`` holds one entry for each player, by number; it is empty if moves were not timed.
    """

    result: Result
    names: tuple[str, ...]
    position: P_co
    times: tuple[MoveTimes, ...] = ()


#: An event of a match of any game. All listeners and players share its position: do not change it.
MatchEvent = (
    GameStarted[P]
    | MoveRequested
    | MoveMade[P, M]
    | TurnPassed
    | MovesTakenBack[P]
    | PlayerOut[P]
    | GameEnded[P]
)

#: Called with every event of a match, in order.
MatchListener = Callable[[MatchEvent[P, M]], None]

#: The same for Quoridor.
Event = MatchEvent[Position, Move]
Listener = MatchListener[Position, Move]
