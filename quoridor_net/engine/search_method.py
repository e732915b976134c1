"""The interface of the search methods, one of which a searcher uses for its games."""

from __future__ import annotations

from typing import Protocol

from quoridor_net.engine.limits import Analysis
from quoridor_net.rules import Move, Position


class SearchMethod(Protocol):
    """A way to search positions of one size and number of players.

    For each move the searcher calls :meth:`prepare`, then :meth:`run`. What a method learns it may keep for
    the next move.
    """

    def prepare(
        self,
        position: Position,
        order: list[Move],
        nodes: int | None,
        seconds: float | None = None,
        threads: int = 1,
    ) -> None:
        """Load a position for one search, which from now on can be stopped.

        Args:
            position: a position of a running game.
            order: the legal moves to choose from, at least one; the first is searched first.
            nodes: maximum number of positions to search; None for no limit.
            seconds: maximum time from now, in seconds; None for no limit. Methods that cannot read the clock
                rely on :meth:`stop`.
            threads: maximum number of threads. Most methods use one.
        """

    def run(self, depth: int | None, multipv: int) -> Analysis:
        """Search the prepared position to ``depth`` plies, or until stopped, and score the best moves.

        However early it is stopped, it returns a move.
        """

    def stop(self) -> None:
        """Make a running search answer at once. Any thread may call this."""

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
