"""The one interface behind which every source of moves of Clobber stands."""

from __future__ import annotations

import abc

import trio
from attrs import frozen

from quoridor_net.clobber import Colour, Move, Position
from quoridor_net.outcome import ForfeitError
from quoridor_net.players.base import Clock


@frozen
class Moved:
    """``colour`` made ``move``."""

    colour: Colour
    move: Move


@frozen
class Over:
    """The game is over.

    Attributes:
        winner: who won; None when it is not known, or the game does not count.
        offender: who lost it by a fault; None when the rules decided.
    """

    winner: Colour | None
    offender: Colour | None = None


PlayerEvent = Moved | Over


class ClobberPlayer(abc.ABC):
    """Where the moves of one player come from, in one game after another.

    For each game a match calls :meth:`ready`, then :meth:`begin`, then :meth:`choose` whenever it is this
    player's turn and :meth:`notify` after everything that happens, its own moves included. While a game lasts
    :meth:`watch` runs beside all this. ``choose`` and ``watch`` are cancelled when their outcome is no longer
    needed.

    Attributes:
        name: how the player is called, without blanks.
        last_answer: the last answer as it was given, for verdicts; empty where there is no text.
    """

    name: str
    last_answer: str = ""

    async def ready(self) -> None:  # noqa: B027 - most players always are
        """Return when the player can begin another game.

        Raises:
            ForfeitError: it cannot play any more.
        """

    async def begin(self, colour: Colour, position: Position) -> None:  # noqa: B027 - most players need not know
        """Learn that a game begins.

        Args:
            colour: the player's own colour.
            position: the position before the first move. It belongs to the receiver.

        Raises:
            ForfeitError: the player cannot play.
        """

    @abc.abstractmethod
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the move to make in ``position``, in which it is this player's turn and there is a move.

        The position is the player's to keep or change. The move need not be legal: that is for the match
        to judge.

        Raises:
            ForfeitError: the player gives up or cannot go on.
        """

    async def notify(self, event: PlayerEvent) -> None:  # noqa: B027 - most players look at the position only
        """Learn what happened.

        Raises:
            ForfeitError: the player cannot be told.
        """

    async def watch(self) -> ForfeitError:
        """Return what the player does wrong when it is not asked; never, for most players."""
        await trio.sleep_forever()
        raise AssertionError("unreachable")
