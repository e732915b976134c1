"""The ratings of a running tournament, computed occasionally in a thread while it has spectators."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import trio

from quoridor_net.tournament.ratings import Ratings, rate
from quoridor_net.tournament.state import TournamentState

#: Minimum time between computations, in seconds, and their maximum share of the program's time. A computation
#: for 200 entrants takes almost half a second.
PACE = 5.0
SHARE = 0.02


class LiveRatings:
    """The strength of the entrants, estimated from the results so far.

    Args:
        state: state of the tournament.
        tell: called when there are new ratings.
        timer: clock that measures the cost of a computation, in seconds.
    """

    def __init__(
        self,
        state: TournamentState,
        tell: Callable[[], None],
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._state = state
        self._tell = tell
        self._timer = timer
        #: The last ratings; None before the first.
        self.known: Ratings | None = None
        #: Whether there are results that they do not include.
        self.are_old = state.played > 0
        self._due = -math.inf
        self._is_under_way = False

    async def refresh(self) -> None:
        """Update the ratings if they are out of date and the time budget allows it."""
        if not self.are_old or self._is_under_way or trio.current_time() < self._due:
            return
        self.are_old = False
        self._is_under_way = True
        try:
            # Copied, because the state changes while the thread works.
            entrants, results = len(self._state.entrants), tuple(self._state.results())
            started = self._timer()
            self.known = await trio.to_thread.run_sync(rate, entrants, results)
            cost = self._timer() - started
        finally:
            self._is_under_way = False
        self._due = trio.current_time() + max(PACE, cost / SHARE)
        self._tell()
