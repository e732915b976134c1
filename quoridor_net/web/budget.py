"""Limits on the CPU time spent on browsers.

Waiting is free, also while other programs keep the processors busy.
"""

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

#: Maximum CPU time per second, in the long run, spent on spectators. Only measured time counts: waking the
#: tasks that send costs about as much again.
SHARE = 0.005

#: Idle time that can be saved up, in seconds; :data:`SHARE` of it can then be spent at once.
SAVED = 3.0

#: Maximum wait caused by earlier spending, in seconds.
LONGEST_WAIT = 5.0


class Budget:
    """A rate limit on work, so that it takes no more than its share of a processor.

    Occasional work runs at once. When there is more work than the budget allows, spectators get fewer and
    larger updates.

    Args:
        timer: CPU time of the calling thread, in seconds.
        share: maximum CPU time per second, in the long run.
        saved: idle time that can be saved up, in seconds.
        longest_wait: maximum wait caused by earlier spending, in seconds.
    """

    def __init__(
        self,
        timer: Callable[[], float] = time.thread_time,
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
        """Time from which work is allowed again, on trio's clock; possibly in the past."""
        return self._free_at

    async def wait(self) -> None:
        """Wait until work is allowed again."""
        while (rest := self._free_at - trio.current_time()) > 0:  # noqa: ASYNC110 - others spend meanwhile
            await trio.sleep(rest)

    @contextmanager
    def charge_block(self) -> Iterator[None]:
        """Charge the CPU time of the block, which must not switch tasks."""
        started = self._timer()
        try:
            yield
        finally:
            self._spend(self._timer() - started)

    async def run_in_thread(self, function: Callable[[], T], limiter: trio.CapacityLimiter) -> T:
        """Call ``function`` in a thread of ``limiter`` as soon as the budget allows, and charge its CPU time.

        The thread shares the interpreter with the rest of the program, so its work delays others too.
        """
        spent = 0.0

        def work() -> T:
            nonlocal spent
            started = self._timer()
            try:
                return function()
            finally:
                spent = self._timer() - started

        while True:
            await self.wait()
            async with limiter:
                # Other tasks may have used up the budget during the wait for the limiter.
                if self._free_at <= trio.current_time():
                    try:
                        return await trio.to_thread.run_sync(work)
                    finally:
                        self._spend(spent)

    async def charge(self, work: Awaitable[T]) -> T:
        """Return the result of ``work``, and charge its CPU time in this thread.

        Waiting, for example for a browser that reads slowly, is free.
        """
        return await self._charge(work.__await__())

    @types.coroutine
    def _charge(self, steps: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        resume: Callable[[], Any] = partial(next, steps)
        while True:
            try:
                with self.charge_block():
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


#: Budget of the address whose request the current task serves; None for other tasks.
_ASKING: ContextVar[Budget | None] = ContextVar("_ASKING", default=None)


def set_asking(budget: Budget) -> None:
    """Charge ``budget`` for :func:`run_in_thread` in the current task and in tasks that it starts."""
    _ASKING.set(budget)


async def run_in_thread(function: Callable[[], T], limiter: trio.CapacityLimiter) -> T:
    """Call ``function`` in a thread of ``limiter``, and charge the address that requested it.

    Args:
        function: work that takes long enough to delay other tasks.
        limiter: limits the number of threads for such work.
    """
    budget = _ASKING.get()
    if budget is None:
        return await trio.to_thread.run_sync(function, limiter=limiter)
    return await budget.run_in_thread(function, limiter)
