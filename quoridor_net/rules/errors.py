"""What the rules raise; the reason is data, and the message is in the notation of the 2016 document."""

from __future__ import annotations

from quoridor_net.moves import Move
from quoridor_net.notation.base import Notation
from quoridor_net.notation.lan import LAN
from quoridor_net.rules.explanation import explain
from quoridor_net.rules.reasons import Reason


class IllegalMoveError(ValueError):
    """A well-formed move that the rules forbid in this position.

    Attributes:
        move: the move that was tried.
        reason: why it is illegal.
    """

    def __init__(self, move: Move, reason: Reason) -> None:
        super().__init__(move, reason)
        self.move = move
        self.reason = reason

    def __str__(self) -> str:
        return self.explain(LAN)

    def explain(self, notation: Notation) -> str:
        """Return what is illegal, and why, in ``notation``."""
        return f"{notation.format_move(self.move)} is illegal: {explain(self.reason, notation)}"


class IllegalPositionError(ValueError):
    """No game can have a position that was to be set up, since something in it has no place.

    Attributes:
        reason: why a pawn cannot stand, or a wall not lie, where it was to be.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.explain(LAN)

    def explain(self, notation: Notation) -> str:
        """Return what has no place, and why, in ``notation``."""
        walls = [f"{notation.format_move(wall)}: " for wall in self.reason.walls[:1]]
        return "".join(walls) + explain(self.reason, notation)
