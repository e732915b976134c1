"""The leaderboard of a running league, read occasionally in a thread while it has spectators."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import trio

from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.quoridor.leaderboard import Leaderboard
from quoridor_net.tournament.ratings import Ratings

#: Minimum time between two readings, in seconds, and their maximum share of the program's time.
PACE = 5.0
SHARE = 0.05

#: Number of points of the rating of an entrant over time, in the leaderboard.
POINTS = 24

Document = dict[str, Any]


class LiveLeague:
    """The leaderboard, and the records of entrants.

    Args:
        journal: of the league.
        tell: called when there is a new leaderboard.
        timer: clock that measures the cost of a reading, in seconds.
    """

    def __init__(
        self, journal: Path, tell: Callable[[], None], timer: Callable[[], float] = time.perf_counter
    ) -> None:
        self._journal = journal
        self._tell = tell
        self._timer = timer
        #: The rows of the last leaderboard; None before the first.
        self.known: list[Document] | None = None
        #: Whether something happened that it does not include.
        self.is_old = True
        self._due = -math.inf
        self._reading = trio.Lock()
        # Ratings in the past, which do not change.
        self._past: dict[str, Ratings] = {}

    async def refresh(self) -> None:
        """Read the leaderboard again if it is out of date and the time budget allows it."""
        if not self.is_old or self._reading.locked() or trio.current_time() < self._due:
            return
        self.is_old = False
        started = self._timer()
        async with self._reading:
            self.known = await trio.to_thread.run_sync(self._read)
        self._due = trio.current_time() + max(PACE, (self._timer() - started) / SHARE)
        self._tell()

    async def describe(self, number: int) -> Document | None:
        """Return the record of an entrant; None if there is none with this number."""
        async with self._reading:
            return await trio.to_thread.run_sync(self._describe, number)

    def _read(self) -> list[Document]:
        try:
            with Leaderboard.open(self._journal, self._past) as board:
                return [row.document() for row in board.read(points=POINTS)]
        except JournalError:
            # For instance before the league has started.
            return []

    def _describe(self, number: int) -> Document | None:
        try:
            with Leaderboard.open(self._journal, self._past) as board:
                return board.describe(number)
        except JournalError:
            return None
