"""The interface between the searcher and its search method."""

from __future__ import annotations

from typing import Protocol

from quoridor_net.engine.limits import Analysis, Limits
from quoridor_net.rules import Move, Position


class SearchMethod(Protocol):
    """A way to search positions of one size and number of players.

    For each move the searcher calls :meth:`prepare`, then :meth:`run`. A method may keep trees and tables
    from move to move.
    """

    def prepare(self, position: Position, order: list[Move], limits: Limits) -> None:
        """Load a position for one search, which from now on can be stopped.

        Args:
            position: a position of a running game.
            order: the legal moves to choose from, at least one; the first is searched first.
            limits: the time from now, in seconds, nodes, depth and threads of this search. A time of None is
                unlimited. Methods that cannot read the clock rely on :meth:`stop`.
        """

    def run(self, multipv: int) -> Analysis:
        """Search the prepared position, and score the best ``multipv`` moves, however early it is stopped."""

    def stop(self) -> None:
        """Make a running search answer at once. Any thread may call this."""

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
