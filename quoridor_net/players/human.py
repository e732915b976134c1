"""A person as a player. How the person sees the game and answers is for an injected interface."""

from __future__ import annotations

import abc
import enum
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, Protocol, Self, TypeVar

from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.players.base import Clock, Player, PlayerEvent, Seating

P = TypeVar("P", bound="Rules")
M = TypeVar("M")


class Rules(Protocol):
    """A position of either game, as far as it judges moves."""

    def why_illegal(self, move: Any) -> object:
        """Return why ``move`` is illegal; None when it is legal."""

    def copy(self) -> Self:
        """Return an equal position."""


class Request(enum.Enum):
    """What a person may want from a player instead of making a move."""

    HINT = "hint"
    RESIGN = "resign"
    #: There is no more input.
    LEAVE = "leave"


class UserInterface(abc.ABC, Generic[P, M]):
    """What a person sees of one game after another, and how the person answers.

    :mod:`quoridor_net.ui` implements it for terminals.
    """

    @abc.abstractmethod
    def begin(self, seating: Seating[P]) -> None:
        """Begin a game."""

    @abc.abstractmethod
    def turn(self, position: P) -> AbstractAsyncContextManager[None]:
        """Give the person the turn in ``position``; waits until no other game asks the same person."""

    @abc.abstractmethod
    async def ask(self) -> M | Request:
        """Return the person's next answer. Only inside :meth:`turn`."""

    @abc.abstractmethod
    async def confirm(self, request: Request) -> bool:
        """Return whether the person really wants to resign or leave, and show the end of the game if so."""

    @abc.abstractmethod
    def refuse(self, move: M) -> None:
        """Explain why ``move`` is illegal."""

    @abc.abstractmethod
    def propose(self, move: M) -> None:
        """Show the hint ``move``."""

    @abc.abstractmethod
    def show(self, event: PlayerEvent[M]) -> None:
        """Show what happened."""

    @abc.abstractmethod
    def close(self) -> None:
        """Show that the game was broken off, unless its end was shown."""


class HumanPlayer(Player[P, M]):
    """A person who plays either game; returns only legal moves.

    Args:
        interface: where the person sees the game and answers.
        adviser: finds the moves that are proposed as hints.
        name: how the player is called.
        leaving: what the end of the input means.
    """

    def __init__(
        self,
        interface: UserInterface[P, M],
        adviser: Player[P, M],
        name: str,
        leaving: Termination = Termination.RESIGNED,
    ) -> None:
        self.name = name
        self._interface = interface
        self._adviser = adviser
        self._leaving = leaving

    async def begin(self, seating: Seating[P]) -> None:
        """Show the person who plays where."""
        self._interface.begin(seating)

    async def choose(self, position: P, clock: Clock) -> M:
        """Ask until the person answers with a legal move; on the way, give the hints asked for.

        Raises:
            ForfeitError: the person resigns (``resigned``), or there is no more input (``leaving``).
        """
        interface = self._interface
        async with interface.turn(position):
            while True:
                answer = await interface.ask()
                if answer is Request.HINT:
                    interface.propose(await self._adviser.choose(position.copy(), Clock()))
                elif isinstance(answer, Request):
                    if await interface.confirm(answer):
                        if answer is Request.RESIGN:
                            raise ForfeitError(Termination.RESIGNED, "resigned")
                        raise ForfeitError(self._leaving, "resigned: there is no more input")
                elif position.why_illegal(answer) is None:
                    return answer
                else:
                    interface.refuse(answer)

    async def notify(self, event: PlayerEvent[M]) -> None:
        """Show what happened."""
        self._interface.show(event)

    async def leave(self) -> None:
        """Tell the person if the game ends without a result."""
        self._interface.close()
