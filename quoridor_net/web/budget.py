"""How much of its time a program spends on browsers: measured while it does."""

from __future__ import annotations

import math
import time
import types
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar

import trio

T = TypeVar("T")

#: The share of its time that a program spends on spectators in the long run, as far as it is measured here:
#: to wake those who send takes about as much again.
SHARE = 0.005

#: Seconds that can be saved up: after a time without spending, :data:`SHARE` of so much of it can be spent at
#: once.
SAVED = 3.0

#: Most seconds that something waits because of what was spent before, whoever keeps coming back.
LONGEST_WAIT = 5.0


class Budget:
    """Says when something may be done again, so that all of it takes no more than its share of the time.

    What is done now and then is done at once. For spectators that means: where more happens than is
    affordable, or than people can see, what is shown comes later and holds more.

    Args:
        timer: measures what is spent, in seconds.
        share: of the time that may be spent in the long run.
        saved: seconds that can be saved up.
        longest_wait: most seconds that something waits because of what was spent before.
    """

    def __init__(
        self,
        timer: Callable[[], float] = time.perf_counter,
        share: float = SHARE,
        saved: float = SAVED,
        longest_wait: float = LONGEST_WAIT,
    ) -> None:
        self._timer = timer
        self._share = share
        self._saved = saved
        self._longest_wait = longest_wait
        self._free_at = -math.inf

    @property
    def free_at(self) -> float:
        """When something may be done again, by the clock of trio; at once if that is past."""
        return self._free_at

    async def wait(self) -> None:
        """Wait until something may be done again."""
        while (rest := self._free_at - trio.current_time()) > 0:  # noqa: ASYNC110 - others spend meanwhile
            await trio.sleep(rest)

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Spend the time of the block, which does not wait for anything but a thread at work for it."""
        started = self._timer()
        try:
            yield
        finally:
            self._spend(self._timer() - started)

    async def run_in_thread(self, function: Callable[[], T], limiter: trio.CapacityLimiter) -> T:
        """Call ``function`` in a thread of ``limiter`` once that may be done, and spend the time it takes.

        The thread and the rest of the program share one interpreter, so that its work delays others, too.
        """
        while True:
            await self.wait()
            async with limiter:
                # While this waited for its turn, others may have spent what there was.
                if self._free_at <= trio.current_time():
                    with self.spending():
                        return await trio.to_thread.run_sync(function)

    async def charge(self, work: Awaitable[T]) -> T:
        """Return what ``work`` returns, and spend the time in which it keeps this program busy.

        While it waits, for a browser that reads slowly, for instance, others are busy.
        """
        return await self._charged(work.__await__())

    @types.coroutine
    def _charged(self, steps: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        resume: Callable[[], Any] = partial(next, steps)
        while True:
            try:
                with self.spending():
                    wish = resume()
            except StopIteration as end:
                result: T = end.value
                return result
            try:
                answer = yield wish
            except BaseException as error:
                resume = partial(steps.throw, error)
            else:
                resume = partial(steps.send, answer)

    def _spend(self, seconds: float) -> None:
        now = trio.current_time()
        free_at = max(self._free_at, now - self._saved) + seconds / self._share
        self._free_at = min(free_at, now + self._longest_wait)


#: That of the address which asked for what the present task does; none where nobody did.
_ASKING: ContextVar[Budget | None] = ContextVar("_ASKING", default=None)


def set_asking(budget: Budget) -> None:
    """Have ``budget`` pay for what the present task, or one that it starts, does by :func:`run_in_thread`."""
    _ASKING.set(budget)


async def run_in_thread(function: Callable[[], T], limiter: trio.CapacityLimiter) -> T:
    """Call ``function`` in a thread of ``limiter``, at the expense of the address that asked for it.

    Args:
        function: takes long enough to delay others.
        limiter: of the threads that do such work.
    """
    budget = _ASKING.get()
    if budget is None:
        return await trio.to_thread.run_sync(function, limiter=limiter)
    return await budget.run_in_thread(function, limiter)
