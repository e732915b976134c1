"""The ratings of a tournament while it is played: made now and then, in a thread, when somebody looks on."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import trio

from quoridor_net.tournament.ratings import Ratings, rate
from quoridor_net.tournament.state import TournamentState

#: Least seconds from one making to the next, and the share of its time that the program spends on that at
#: most: for 200 entrants it takes almost half a second.
PACE = 5.0
SHARE = 0.02


class LiveRatings:
    """What results say about the strength of the entrants.

    Args:
        state: of the tournament.
        tell: called when there are new ratings.
        timer: measures what making them costs, in seconds.
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
        self.are_old = bool(state.decided)
        self._due = -math.inf
        self._is_under_way = False

    async def refresh(self) -> None:
        """Make them anew if they are old and that is affordable now."""
        if not self.are_old or self._is_under_way or trio.current_time() < self._due:
            return
        self.are_old = False
        self._is_under_way = True
        try:
            # The state goes on while the thread is at work.
            entrants, results = len(self._state.entrants), tuple(self._state.results())
            started = self._timer()
            self.known = await trio.to_thread.run_sync(rate, entrants, results)
            cost = self._timer() - started
        finally:
            self._is_under_way = False
        self._due = trio.current_time() + max(PACE, cost / SHARE)
        self._tell()
