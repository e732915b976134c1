"""The ratings of a running tournament, computed occasionally in a thread while it has spectators."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial

import trio

from quoridor_net.tournament.ratings import Ratings, rate
from quoridor_net.tournament.state import TournamentState
from quoridor_net.web.budget import Budget

#: Minimum time between computations, in seconds, and their maximum share of a processor. A computation for
#: 200 entrants takes almost half a second.
PACE = 5.0
SHARE = 0.02


class LiveRatings:
    """The strength of the entrants, estimated from the results so far.

    Args:
        state: state of the tournament.
        tell: called when there are new ratings.
        timer: CPU time of the calling thread, in seconds.
    """

    def __init__(
        self,
        state: TournamentState,
        tell: Callable[[], None],
        timer: Callable[[], float] = time.thread_time,
    ) -> None:
        self._state = state
        self._tell = tell
        self._budget = Budget(timer, SHARE, saved=0.0, longest_wait=math.inf)
        #: The last ratings; None before the first.
        self.known: Ratings | None = None
        #: Whether there are results that they do not include.
        self.are_old = state.played > 0
        self._computed_at = -math.inf
        self._computer = trio.CapacityLimiter(1)

    async def refresh(self) -> None:
        """Update the ratings if they are out of date and the time budget allows it."""
        due = max(self._computed_at + PACE, self._budget.free_at)
        if not self.are_old or self._computer.borrowed_tokens or trio.current_time() < due:
            return
        self.are_old = False
        # Copied, because the state changes while the thread works.
        entrants, results = len(self._state.entrants), tuple(self._state.results())
        self.known = await self._budget.run_in_thread(partial(rate, entrants, results), self._computer)
        self._computed_at = trio.current_time()
        self._tell()
