"""The leaderboard of a running league, read occasionally in a thread while it has spectators."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import trio

from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.quoridor.leaderboard import Leaderboard
from quoridor_net.tournament.ratings import Ratings
from quoridor_net.web.budget import Budget

#: Minimum time between two readings, in seconds, and their maximum share of a processor.
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
    """

    def __init__(self, journal: Path, tell: Callable[[], None]) -> None:
        self._journal = journal
        self._tell = tell
        self._budget = Budget(share=SHARE, saved=0.0, longest_wait=math.inf)
        #: The rows of the last leaderboard; None before the first.
        self.known: list[Document] | None = None
        #: Whether something happened that it does not include.
        self.is_old = True
        self._read_at = -math.inf
        self._reader = trio.CapacityLimiter(1)
        # Ratings in the past, which do not change.
        self._past: dict[str, Ratings] = {}

    async def refresh(self) -> None:
        """Read the leaderboard again if it is out of date and the time budget allows it."""
        due = max(self._read_at + PACE, self._budget.free_at)
        if not self.is_old or self._reader.borrowed_tokens or trio.current_time() < due:
            return
        self.is_old = False
        self.known = await self._budget.run_in_thread(self._read, self._reader)
        self._read_at = trio.current_time()
        self._tell()

    async def describe(self, number: int) -> Document | None:
        """Return the record of an entrant; None if there is none with this number."""
        return await trio.to_thread.run_sync(self._describe, number, limiter=self._reader)

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
