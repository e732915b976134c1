"""What the referee knows about a game: before it, who plays what; after it, how it went."""

from __future__ import annotations

import enum

from attrs import frozen

from quoridor_net.outcome import Result
from quoridor_net.rules import Move, Termination


class Side(enum.Enum):
    """The two engines, by the colour that the command line gave them; ``--swap`` lets them change seats."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE


@frozen
class GamePlan:
    """A game to be played.

    Attributes:
        number: from 1.
        black: the engine that plays the black pawns and moves first.
        opening: the moves that are made before the engines are asked.
        opening_number: line of the openings file, from 1; 0 without one.
    """

    number: int
    black: Side
    opening: tuple[Move, ...] = ()
    opening_number: int = 0

    def seat_of(self, side: Side) -> int:
        """Return the player number that ``side`` has in this game."""
        return 1 if side is self.black else 2

    def side_of(self, player: int) -> Side:
        """Return who player ``player`` is."""
        return self.black if player == 1 else self.black.other


@frozen
class Part:
    """What one engine did in a game.

    Attributes:
        seed: what it was given as ``-seed``; None if nothing.
        thought: seconds from all requests for a move to the answers.
        agrees: whether it named the winner when it was asked; None if it was not, or did not say.
        claim: what it said, printable.
    """

    seed: int | None = None
    thought: float = 0.0
    agrees: bool | None = None
    claim: str = ""


@frozen
class GameRecord:
    """A game that is over.

    Attributes:
        plan: what was played.
        result: how it ended.
        seconds: how long it took.
        line: the offending answer or the last words of an engine that lost by a fault, printable.
        replay: the replay file; empty when none is kept.
        parts: what the engines did, by player number.
        repeat: the command that plays the game again.
    """

    plan: GamePlan
    result: Result
    seconds: float
    line: str = ""
    replay: str = ""
    parts: tuple[Part, Part] = (Part(), Part())
    repeat: str = ""

    def part(self, side: Side) -> Part:
        """Return what ``side`` did."""
        return self.parts[self.plan.seat_of(side) - 1]

    @property
    def winner(self) -> Side | None:
        """The engine that won; None for draws and games that do not count."""
        return None if self.result.winner is None else self.plan.side_of(self.result.winner)

    @property
    def at_fault(self) -> Side | None:
        """The engine that lost by a fault rather than on the board; giving up is none."""
        termination = self.result.termination
        if self.winner is None or not termination.is_fault or termination is Termination.RESIGNED:
            return None
        return self.winner.other
