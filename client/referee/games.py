"""The referee's records of finished games."""

from __future__ import annotations

import enum
from collections.abc import Callable

from attrs import frozen

from quoridor_net.match import GameEnded
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.tournament import Pairing


class Side(enum.IntEnum):
    """An engine, named by the option that starts it; the value is its entrant number.

    With ``--swap``, engines change colours, so an engine of either side can play either colour.
    """

    WHITE = 1
    BLACK = 2

    def __str__(self) -> str:
        return self.name.lower()


@frozen
class Part:
    """The part of one engine in a game.

    Attributes:
        seed: its ``-seed`` argument; None if it got none.
        is_new: whether this was the first game of its process.
        thought: total time from requests for a move to the answers, in seconds.
        agrees: whether it named the right winner when asked; None if it was not asked or did not say.
        claim: its answer, printable.
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
        pairing: of the game; the first seat is black and moves first.
        ended: the final event, with squares and walls in the notation of the engines.
        seconds: the duration of the game.
        opening: the line of the opening in its file; 0 without one.
        replay: the replay file; empty if none is kept.
        parts: of the engines, by player number.
        write_repeat: returns the command that plays the game again, with new processes.
    """

    pairing: Pairing
    ended: GameEnded[Position]
    seconds: float
    opening: int = 0
    replay: str = ""
    parts: tuple[Part, Part] = (Part(), Part())
    write_repeat: Callable[[], str] = str

    @property
    def result(self) -> Result:
        """The result."""
        return self.ended.result

    @property
    def repeat(self) -> str:
        """The command that plays the game again, with new processes."""
        return self.write_repeat()

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
        """The engine that lost by a fault, not on the board; None without one. Resigning is not a fault."""
        termination = self.result.termination
        if self.winner is None or not termination.is_fault or termination is Termination.RESIGNED:
            return None
        return Side.BLACK if self.winner is Side.WHITE else Side.WHITE
