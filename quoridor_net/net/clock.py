"""A clock for all time limits and recorded times, which pauses while this process is stopped.

A stopped program (Ctrl-Z, SIGSTOP, a sleeping machine) cannot read its players' answers, so that time must
not count. Trio asks its clock how long to wait for input, and for the time after waiting. This clock allows
only short waits. A long time between the two calls therefore means that the process did not run.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

Outcome = TypeVar("Outcome")

#: Maximum wait for input, in seconds. At most this much of each stop counts.
BEAT = 0.1

#: Shortest detected stop, in seconds; on a busy machine, any program sometimes waits for a processor.
SHORTEST_STOP = 0.25


class RunningClock(trio.abc.Clock):
    """A trio clock that pauses while this process is stopped.

    Args:
        timer: returns real time, in seconds.
        processor_timer: returns the CPU time of this process, in seconds. It shows that a process was
            computing and not stopped.
    """

    def __init__(
        self,
        timer: Callable[[], float] = time.perf_counter,
        processor_timer: Callable[[], float] = time.process_time,
    ) -> None:
        self._timer = timer
        self._processor_timer = processor_timer
        #: Total length of all stops, in seconds.
        self.stopped = 0.0
        self.start_clock()

    def start_clock(self) -> None:
        """Start measuring."""
        self._seen = self._measured = self._timer()
        self._used = self._processor_timer()
        # Maximum length of the current wait, in seconds.
        self._wait = 0.0

    def current_time(self) -> float:
        """Return the seconds since some point in time, excluding stops."""
        now = self._timer()
        excess = now - self._seen - self._wait
        if excess > SHORTEST_STOP and self._processor_timer() - self._used < excess / 2:
            self.stopped += excess
        self._seen, self._wait = now, 0.0
        if now - self._measured > BEAT:
            self._measured, self._used = now, self._processor_timer()
        return now - self.stopped

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Return how long trio may wait for input, at most one beat."""
        seconds = min(deadline - self.current_time(), BEAT)
        self._wait = max(seconds, 0.0)
        return seconds


def run(work: Callable[..., Awaitable[Outcome]], *arguments: object) -> Outcome:
    """Run ``work`` as :func:`trio.run` does, with a clock that pauses while this process is stopped."""
    return trio.run(work, *arguments, clock=RunningClock())
