"""Time limits by which somebody is judged, fair also to those who answered while this process was stopped.

A process that was stopped, or a machine that slept, finds an answer and the end of the time for it at the
same moment. Trio looks at the clock before any task gets to read, so its deadlines cancel whoever waits for
the answer. The functions here do what those of trio with the same names do, but take all input that is there
before they cancel anything. Use them wherever the end of the time is a verdict on somebody.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType

import trio

#: How often the scheduler looks for input between the end of a time limit and the verdict. An answer needs
#: two or three looks to get to the task that waits for it, more only behind much that was sent before it.
LOOKS = 100


def move_on_after(seconds: float) -> AbstractContextManager[trio.CancelScope, bool]:
    """Cancel the body after ``seconds``, but not before all input that is there by then was read.

    Args:
        seconds: of trio's clock; ``math.inf`` for no limit.

    Returns:
        A context manager. It gives the scope that is cancelled, which may be cancelled for other reasons,
        too; the scope's ``cancelled_caught`` says afterwards whether the body was cut short.
    """
    return _Limit(seconds)


@contextmanager
def fail_after(seconds: float) -> Iterator[trio.CancelScope]:
    """Do as :func:`move_on_after`, but raise when the body was cut short.

    Raises:
        trio.TooSlowError: the time was up.
    """
    with move_on_after(seconds) as scope:
        yield scope
    if scope.cancelled_caught:
        raise trio.TooSlowError


async def take_input() -> None:
    """Let the tasks that read take what the system has received already, without waiting for more."""
    for _ in range(LOOKS):
        await trio.lowlevel.checkpoint()


class _Limit:
    # A class, because it is entered for every message and a generator would cost more.

    __slots__ = ("_scope", "_seconds", "_timekeeper")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._scope = trio.CancelScope()
        self._timekeeper: _Timekeeper | None = None

    def __enter__(self) -> trio.CancelScope:
        self._scope.__enter__()
        if not math.isinf(self._seconds):
            self._timekeeper = _timekeeper()
            self._timekeeper.add(self._scope, trio.current_time() + self._seconds)
        return self._scope

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self._timekeeper is not None:
            self._timekeeper.remove(self._scope)
        return self._scope.__exit__(kind, error, trace)


class _Timekeeper:
    """Ends the time limits of one run of trio.

    One task for all of them: a time limit is set for every message that is sent, and a task for each would
    cost more than sending.
    """

    def __init__(self) -> None:
        self._ends: dict[trio.CancelScope, float] = {}
        self._sleep = trio.CancelScope()

    def add(self, scope: trio.CancelScope, end: float) -> None:
        self._ends[scope] = end
        self._sleep.deadline = min(self._sleep.deadline, end)

    def remove(self, scope: trio.CancelScope) -> None:
        self._ends.pop(scope, None)

    async def run(self) -> None:
        while True:
            self._sleep = trio.CancelScope(deadline=min(self._ends.values(), default=math.inf))
            with self._sleep:
                await trio.sleep_forever()
            now = trio.current_time()
            due = [scope for scope, end in self._ends.items() if end <= now]
            if due:
                await take_input()
            for scope in due:
                self.remove(scope)
                scope.cancel()


_RUNNING: trio.lowlevel.RunVar[_Timekeeper] = trio.lowlevel.RunVar("timekeeper")


def _timekeeper() -> _Timekeeper:
    """Return the timekeeper of this run of trio."""
    try:
        return _RUNNING.get()
    except LookupError:
        timekeeper = _Timekeeper()
        _RUNNING.set(timekeeper)
        trio.lowlevel.spawn_system_task(timekeeper.run)
        return timekeeper
