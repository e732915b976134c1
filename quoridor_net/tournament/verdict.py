"""What a game counts in a tournament."""

from __future__ import annotations

from attrs import frozen

from quoridor_net.outcome import Result, Termination

WIN = 1.0
DRAW = 0.5
LOSS = 0.0


@frozen
class Verdict:
    """The one outcome of a tournament game.

    Attributes:
        points: what each seat gets: 1 for a win, ½ for a draw, 0 for a loss. All get 0 when nobody came.
        termination: the one reason.
        sentence: the reason for people, a whole sentence.
        plies: number of moves that were made.
        line: the offending line when a fault decided, made printable; else empty.
    """

    points: tuple[float, ...]
    termination: Termination
    sentence: str
    plies: int = 0
    line: str = ""

    @classmethod
    def of(cls, result: Result, seats: int = 2, line: str = "") -> Verdict:
        """Return what the result of a match counts for its ``seats`` players."""
        if result.winner is not None:
            points = tuple(WIN if seat == result.winner else LOSS for seat in range(1, seats + 1))
        else:
            points = (DRAW if result.is_drawn else LOSS,) * seats
        return cls(points, result.termination, result.sentence, result.plies, line)

    @property
    def is_void(self) -> bool:
        """Whether the game does not count and has to be played again."""
        return self.termination.is_void

    @property
    def is_forfeit(self) -> bool:
        """Whether a player's fault decided, not the game."""
        return self.termination.is_fault
