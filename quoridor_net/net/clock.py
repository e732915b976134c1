"""The clock of every time limit and every recorded time: it stands still while this process does.

A program that was stopped (Ctrl-Z, SIGSTOP, a closed laptop where real time includes sleep) could not read
what its players sent meanwhile, so that time counts for nobody. Trio asks its clock how long it may wait for
input, and for the time after that. This clock allows short waits only, so a long time between two such looks
means that the process did not run.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

Outcome = TypeVar("Outcome")

#: Longest wait for input, in seconds. Of each stop, at most this much counts.
BEAT = 0.1

#: Shortest stop that is noticed, in seconds; on a busy machine every program waits for its turn now and then.
SHORTEST_STOP = 0.25


class RunningClock(trio.abc.Clock):
    """Counts seconds, but not while this process is stopped.

    Args:
        timer: returns seconds of real time.
        processor_timer: returns seconds of processor time that this process has used. While it computes, it
            looks at no clock for a while, but it was not stopped.
    """

    def __init__(
        self,
        timer: Callable[[], float] = time.perf_counter,
        processor_timer: Callable[[], float] = time.process_time,
    ) -> None:
        self._timer = timer
        self._processor_timer = processor_timer
        #: Total of all stops, in seconds.
        self.stopped = 0.0
        self.start_clock()

    def start_clock(self) -> None:
        """Look at the time for the first time."""
        self._seen = self._measured = self._timer()
        self._used = self._processor_timer()
        # How long the wait that is under way may take.
        self._wait = 0.0

    def current_time(self) -> float:
        """Return the seconds since some point in time, without those of stops."""
        now = self._timer()
        excess = now - self._seen - self._wait
        if excess > SHORTEST_STOP and self._processor_timer() - self._used < excess / 2:
            self.stopped += excess
        self._seen, self._wait = now, 0.0
        if now - self._measured > BEAT:
            self._measured, self._used = now, self._processor_timer()
        return now - self.stopped

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Return how long trio may wait for input: at most one beat."""
        seconds = min(deadline - self.current_time(), BEAT)
        self._wait = max(seconds, 0.0)
        return seconds


def run(work: Callable[..., Awaitable[Outcome]], *arguments: object) -> Outcome:
    """Run ``work`` as :func:`trio.run` does, with a clock that stands still while this process is stopped."""
    return trio.run(work, *arguments, clock=RunningClock())
