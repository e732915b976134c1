"""The referee's records of finished games."""

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
    """The part of one engine in a game.

    Attributes:
        seed: the value of its ``-seed``; None without one.
        is_new: whether this was the first game of its process.
        thought: total seconds between requests for moves and their answers.
        agrees: whether it answered ``winner`` correctly; None if it was not asked or gave no answer.
        claim: its answer to ``winner``, printable.
    """

    seed: int | None = None
    is_new: bool = True
    thought: float = 0.0
    agrees: bool | None = None
    claim: str = ""


@frozen
class GameRecord:
    """A finished game.

    Attributes:
        pairing: number and seats of the game; the first seat has the black pawns and moves first.
        ended: its last event, with squares and walls in the notation of the engines.
        opening: line of the opening in its file; 0 without one.
        replay: the replay file; empty if none is kept.
        parts: the parts of the engines, by player number.
        repeat: the command that repeats the game with new processes.
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
        """Whether ``repeat`` starts from the same state, because both processes were new."""
        return all(part.is_new for part in self.parts)

    def part(self, side: Side) -> Part:
        """Return the part of ``side``."""
        return self.parts[self.pairing.seats.index(side)]

    @property
    def winner(self) -> Side | None:
        """The winning engine; None for draws and void games."""
        return None if self.result.winner is None else Side(self.pairing.seats[self.result.winner - 1])

    @property
    def at_fault(self) -> Side | None:
        """The engine that lost by a fault instead of on the board; resigning is not a fault here."""
        termination = self.result.termination
        if self.winner is None or not termination.is_fault or termination is Termination.RESIGNED:
            return None
        return Side.BLACK if self.winner is Side.WHITE else Side.WHITE
