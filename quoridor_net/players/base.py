"""The one interface behind which every source of moves stands."""

from __future__ import annotations

import abc

import trio
from attrs import frozen

from quoridor_net.outcome import ForfeitError
from quoridor_net.rules import Jumps, Move, Position


@frozen
class Seating:
    """What a player is told before the first move.

    Attributes:
        player: its own player number.
        names: the names of all players, by player number from player 1.
        position: the position the game starts from. It belongs to the receiver.
    """

    player: int
    names: tuple[str, ...]
    position: Position


@frozen
class Moved:
    """Player ``player`` made ``move``."""

    player: int
    move: Move


def follow(position: Position, news: Moved) -> None:
    """Make a reported move in ``position``, whatever order of play and jump rule its referee keeps.

    Raises:
        IllegalMoveError: neither jump rule allows it.
    """
    position.give_turn(news.player)
    position.push(news.move, Jumps.CLASSROOM)


@frozen
class Eliminated:
    """Player ``player`` is out of the game; ``why`` is a clause, empty where nobody says it."""

    player: int
    why: str = ""


@frozen
class Over:
    """The game is over; ``winner`` is None when it is drawn."""

    winner: int | None


News = Moved | Eliminated | Over


class Player(abc.ABC):
    """Where the moves of one seat come from.

    A match calls :meth:`begin` once, then :meth:`ready` and :meth:`choose` whenever it is this player's turn,
    :meth:`notice` after everything that happens, its own moves included, and :meth:`leave` once at the end.
    While the game lasts :meth:`watch` runs beside all this. ``choose`` and ``watch`` are cancelled when their
    outcome is no longer needed, so whatever they hold has to be released then.

    Attributes:
        name: how the player is called, without blanks.
        last_answer: the last answer as it was given, for verdicts; empty where there is no text.
    """

    name: str
    last_answer: str = ""

    async def begin(self, seating: Seating) -> None:  # noqa: B027 - most players have nothing to prepare
        """Learn who plays where.

        Raises:
            ForfeitError: the player cannot play.
        """

    async def ready(self) -> None:  # noqa: B027 - most players can be asked at any time
        """Wait until the player may be asked. No clock runs meanwhile."""

    @abc.abstractmethod
    async def choose(self, position: Position) -> Move:
        """Return the move to make in ``position``, in which it is this player's turn.

        The position is the player's to keep or change. The move need not be legal: that is for the match
        to judge.

        Raises:
            ForfeitError: the player gives up or cannot go on.
        """

    async def notice(self, news: News) -> None:  # noqa: B027 - most players look at the position only
        """Learn what happened.

        Raises:
            ForfeitError: the player cannot be told.
        """

    async def watch(self) -> ForfeitError:
        """Return what the player does wrong when it is not asked; never, for most players."""
        await trio.sleep_forever()
        raise AssertionError("unreachable")

    async def leave(self) -> None:  # noqa: B027 - most players hold nothing
        """Release what the player holds. Called once, also when the game is aborted."""
