"""What the referee knows about a game that is over."""

from __future__ import annotations

import enum

from attrs import frozen

from quoridor_net.match import GameEnded
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.tournament import Pairing


class Side(enum.IntEnum):
    """The two engines, named by the options that start them; the value is the entrant's number.

    With ``--swap`` they change colours, so an engine of either side can play either colour.
    """

    WHITE = 1
    BLACK = 2

    def __str__(self) -> str:
        return self.name.lower()


@frozen
class Part:
    """What one engine did in a game.

    Attributes:
        seed: what it was given as ``-seed``; None if nothing.
        is_new: whether this was the first game of its process.
        thought: seconds from all requests for a move to the answers.
        agrees: whether it named the winner when it was asked; None if it was not, or did not say.
        claim: what it said, printable.
    """

    seed: int | None = None
    is_new: bool = True
    thought: float = 0.0
    agrees: bool | None = None
    claim: str = ""


@frozen
class GameRecord:
    """A game that is over.

    Attributes:
        pairing: which game it was; the first seat has the black pawns and moves first.
        ended: how it ended, squares and walls being named as the engines name them.
        opening: the line of the opening in its file; 0 without one.
        replay: the replay file; empty when none is kept.
        parts: what the engines did, by player number.
        repeat: the command that plays the game again, with new processes.
    """

    pairing: Pairing
    ended: GameEnded[Position]
    seconds: float
    opening: int = 0
    replay: str = ""
    parts: tuple[Part, Part] = (Part(), Part())
    repeat: str = ""

    @property
    def result(self) -> Result:
        """The result."""
        return self.ended.result

    @property
    def is_repeatable(self) -> bool:
        """Whether ``repeat`` starts from the same state: both processes were new."""
        return all(part.is_new for part in self.parts)

    def part(self, side: Side) -> Part:
        """Return what ``side`` did."""
        return self.parts[self.pairing.seats.index(side)]

    @property
    def winner(self) -> Side | None:
        """The engine that won; None for draws and void games."""
        return None if self.result.winner is None else Side(self.pairing.seats[self.result.winner - 1])

    @property
    def at_fault(self) -> Side | None:
        """The engine that lost by a fault rather than on the board; resigning does not count as one."""
        termination = self.result.termination
        if self.winner is None or not termination.is_fault or termination is Termination.RESIGNED:
            return None
        return Side.BLACK if self.winner is Side.WHITE else Side.WHITE
