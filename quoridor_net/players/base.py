"""The one interface behind which every source of moves stands, whatever the game."""

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
    """What a player learns before the first move.

    Attributes:
        player: its own seat, from 1.
        names: the names of all players, by seat from 1.
        position: the position the game starts from. It belongs to the receiver.
    """

    player: int
    names: tuple[str, ...]
    position: P_co


@frozen
class Clock:
    """The time a player has when it is asked for a move, in seconds; None for no limit.

    Attributes:
        move_time: for this move.
        game_time: what is left for this move and all later ones.
        increment: added to the game time after each move.
    """

    move_time: float | None = None
    game_time: float | None = None
    increment: float = 0.0

    def after(self, seconds: float) -> Clock:
        """Return the clock when ``seconds`` of the time for this move are used up."""

        def rest(time: float | None) -> float | None:
            return None if time is None else max(0.0, time - seconds)

        return Clock(rest(self.move_time), rest(self.game_time), self.increment)


class TakeBackError(Exception):
    """Raised by ``choose`` instead of a move: the player takes its last one back, and is asked again.

    Only in matches whose settings allow it.
    """


Choose = TypeVar("Choose", bound=Callable[..., Awaitable[Any]])

_INSTANT: set[Callable[..., Awaitable[Any]]] = set()


def instant(choose: Choose) -> Choose:
    """Mark a ``choose`` that never waits for anything; one that overrides it is not marked."""
    _INSTANT.add(choose)
    return choose


class Player(abc.ABC, Generic[P_contra, M]):
    """Where the moves of one seat come from; generic over the game's types of positions and moves.

    For one game a match calls :meth:`ready` and :meth:`begin`, then :meth:`ready` and :meth:`choose` whenever
    it is this player's turn, :meth:`notify` after everything that happens, and :meth:`leave` once at the end.
    While the game lasts :meth:`watch` runs beside all this. ``choose`` and ``watch`` are cancelled when their
    outcome is no longer needed, so whatever they hold has to be released then.

    Attributes:
        name: how the player is called, without blanks.
        last_answer: the last answer as it was given, for verdicts; empty where there is no text.
    """

    name: str
    last_answer: str = ""

    async def begin(self, seating: Seating[P_contra]) -> None:
        """Learn who plays where.

        Raises:
            ForfeitError: the player cannot play.
        """

    async def ready(self) -> None:
        """Wait until the player may begin a game or be asked. No clock runs meanwhile.

        Raises:
            ForfeitError: it cannot play any more.
        """

    @abc.abstractmethod
    async def choose(self, position: P_contra, clock: Clock) -> M:
        """Return the move to make in ``position``, in which it is this player's turn.

        The position is the player's to keep or change. The move need not be legal: that is for the match
        to judge, as is whether the player kept to its clock.

        Raises:
            ForfeitError: the player gives up or cannot go on.
            TakeBackError: the player takes its last move back.
        """

    @property
    def is_instant(self) -> bool:
        """Whether :meth:`choose` never waits, so that nobody needs to listen meanwhile."""
        return type(self).choose in _INSTANT

    async def hear_out(self) -> None:
        """Return when a fault that came right behind the last answer is known to :meth:`watch`."""
        # The task that watches learns in the first of these steps, at the latest, that the answer was taken.
        for _ in range(2):
            await trio.lowlevel.checkpoint()

    async def notify(self, event: MatchEvent[P_contra, M]) -> None:
        """Learn of a move, its own included, that moves were taken back, who is out, or how the game ended.

        Raises:
            ForfeitError: the player cannot be told.
        """

    async def watch(self) -> ForfeitError:
        """Return what the player does wrong when it is not asked; never, for most players."""
        await trio.sleep_forever()
        raise AssertionError("unreachable")

    async def leave(self) -> None:
        """Release what the player holds. Called once, also when the game is aborted."""
