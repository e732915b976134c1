"""The common interface of all players, for any game."""

from __future__ import annotations

import abc
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

import trio
from attrs import frozen

from quoridor_net.events import MatchEvent
from quoridor_net.outcome import ForfeitError

P_co = TypeVar("P_co", covariant=True)
P_contra = TypeVar("P_contra", contravariant=True)
M = TypeVar("M")


@frozen
class Seating(Generic[P_co]):
    """The information a player gets before the first move.

    Attributes:
        player: its own seat, from 1.
        names: the names of all players, by seat from 1.
        position: the start position. It belongs to the receiver.
    """

    player: int
    names: tuple[str, ...]
    position: P_co


@frozen
class Clock:
    """The time limits for a move, in seconds; None for no limit.

    Attributes:
        move_time: time for this move.
        game_time: remaining time for this move and all later ones.
        increment: time added to the game time after each move.
    """

    move_time: float | None = None
    game_time: float | None = None
    increment: float = 0.0

    def after(self, seconds: float) -> Clock:
        """Return the clock after ``seconds`` of thinking about this move."""

        def rest(time: float | None) -> float | None:
            return None if time is None else max(0.0, time - seconds)

        return Clock(rest(self.move_time), rest(self.game_time), self.increment)


class TakeBackError(Exception):
    """Raised by ``choose`` to take back the last move of a player and all since.

    Only in matches whose settings allow it.

    Attributes:
        player: the player whose move it is; None for the player that was asked.
    """

    def __init__(self, player: int | None = None) -> None:
        super().__init__(player)
        self.player = player


class DrawAgreedError(Exception):
    """Raised by ``choose`` when all players have agreed to a draw, because the position has occurred before.

    Only in matches whose settings allow it.
    """


Choose = TypeVar("Choose", bound=Callable[..., Awaitable[Any]])

_INSTANT: set[Callable[..., Awaitable[Any]]] = set()


def instant(choose: Choose) -> Choose:
    """Mark a ``choose`` method that never waits; methods that override it are not marked."""
    _INSTANT.add(choose)
    return choose


class Player(abc.ABC, Generic[P_contra, M]):
    """The source of one seat's moves, generic over the game's types of positions and moves.

    For each game a match calls :meth:`ready` and :meth:`begin`, then :meth:`ready` and :meth:`choose` on each
    of the player's turns, :meth:`notify` after every event, in the case of another player's move after
    :meth:`send_ahead`, and :meth:`leave` once at the end. :meth:`watch` runs in parallel during the game. The
    match cancels ``choose`` and ``watch`` when their results are no longer needed, so they must release their
    resources on cancellation.

    Attributes:
        name: name of the player, without spaces.
        last_answer: the text of the last answer, for verdicts; empty if there is none.
        last_score: its value of its last move, in hundredths of a step; None if it gives none.
    """

    name: str
    last_answer: str = ""
    last_score: int | None = None

    async def begin(self, seating: Seating[P_contra]) -> None:
        """Prepare for a game with this seating.

        Raises:
            ForfeitError: the player cannot play.
        """

    async def ready(self) -> None:
        """Wait until the player can begin a game or be asked for a move. No clock runs meanwhile.

        Raises:
            ForfeitError: the player can no longer play.
        """

    @abc.abstractmethod
    async def choose(self, position: P_contra, clock: Clock) -> M:
        """Return the move to make in ``position``, in which it is this player's turn.

        The position belongs to the player. The match checks whether the move is legal and in time.

        Raises:
            ForfeitError: the player resigns or cannot continue.
            TakeBackError: a move is taken back.
            DrawAgreedError: the players agreed to a draw.
        """

    @property
    def is_instant(self) -> bool:
        """Whether :meth:`choose` never waits, so that other players need not be watched meanwhile."""
        return type(self).choose in _INSTANT

    async def hear_out(self) -> None:
        """Wait until :meth:`watch` has seen any fault that arrived right after the last answer."""
        # By the first of these steps, the watching task knows that the answer was taken.
        for _ in range(2):
            await trio.lowlevel.checkpoint()

    async def send_ahead(self, event: MatchEvent[P_contra, M]) -> None:
        """Send what :meth:`notify` would send for a move of another player, without waiting for an answer.

        A match calls this first, so that a program can answer while spectators learn of the move. Most
        players send nothing.

        Raises:
            ForfeitError: the player cannot be notified.
        """

    async def notify(self, event: MatchEvent[P_contra, M]) -> None:
        """Handle an event: any move, moves taken back, an elimination, or the end of the game.

        Raises:
            ForfeitError: the player cannot be notified.
        """

    async def watch(self) -> ForfeitError:
        """Return a fault that the player commits unasked; most players never return."""
        await trio.sleep_forever()
        raise AssertionError("unreachable")

    async def leave(self) -> None:
        """Release the player's resources. Called once, also if the game is aborted."""
