"""Time limits by which somebody is judged, fair also to those who answered while this process was stopped.

A process that was stopped, or a machine that slept, finds an answer and the end of the time for it at the
same moment. Trio looks at the clock before any task gets to read, so its deadlines cancel whoever waits for
the answer. The functions here do what those of trio with the same names do, but take all input that is there
before they cancel anything. Use them wherever the end of the time is a verdict on somebody.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

import trio

#: How often the scheduler looks for input between the end of a time limit and the verdict. An answer needs
#: two or three looks to get to the task that waits for it, more only behind much that was sent before it.
LOOKS = 100


class Timer(abc.ABC):
    """Something to be done when a time is up, but not before all input that is there by then was read."""

    __slots__ = ("_timekeeper",)

    def __init__(self) -> None:
        self._timekeeper: _Timekeeper | None = None

    @abc.abstractmethod
    def ring(self) -> None:
        """Do what is to be done."""

    def restart(self, seconds: float) -> None:
        """Let the time be up in ``seconds`` of trio's clock from now on; ``math.inf`` for never."""
        if not math.isinf(seconds):
            if self._timekeeper is None:
                self._timekeeper = _timekeeper()
            self._timekeeper.set(self, trio.current_time() + seconds)
        elif self._timekeeper is not None:
            self._timekeeper.remove(self)


class Alarm(Timer):
    """Calls a function when the time is up."""

    __slots__ = ("_call",)

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__()
        self._call = call

    def ring(self) -> None:
        """Call it."""
        self._call()


class Limit(Timer):
    """A time limit for the body of a ``with`` statement, which can be set anew meanwhile.

    Args:
        seconds: of trio's clock; ``math.inf`` for no limit.

    Attributes:
        scope: what is cancelled, also given to the body. It may be cancelled for other reasons, too; its
            ``cancelled_caught`` says afterwards whether the body was cut short.
        is_up: whether that was because the time was up.
    """

    __slots__ = ("_seconds", "is_up", "scope")

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.scope = trio.CancelScope()
        self.is_up = False
        self._seconds = seconds

    def ring(self) -> None:
        """Cut the body short."""
        self.is_up = not self.scope.cancel_called
        self.scope.cancel()

    def __enter__(self) -> trio.CancelScope:
        self.scope.__enter__()
        self.restart(self._seconds)
        return self.scope

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.restart(math.inf)
        return self.scope.__exit__(kind, error, trace)


#: As trio's function of the same name.
move_on_after = Limit


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


class _Timekeeper:
    """Ends the time limits of one run of trio.

    One task for all of them: limits are set and lifted for every move, and a task for each would cost more
    than the move. It does not wake up earlier when the limit that it waits for is lifted, but looks then what
    comes next.
    """

    def __init__(self) -> None:
        self._ends: dict[Timer, float] = {}
        self._next = math.inf
        self._sleep = trio.CancelScope()

    def set(self, timer: Timer, end: float) -> None:
        self._ends[timer] = end
        if end < self._next:
            self._next = self._sleep.deadline = end

    def remove(self, timer: Timer) -> None:
        self._ends.pop(timer, None)

    async def run(self) -> None:
        while True:
            self._next = min(self._ends.values(), default=math.inf)
            self._sleep = trio.CancelScope(deadline=self._next)
            with self._sleep:
                await trio.sleep_forever()
            now = trio.current_time()
            due = [timer for timer, end in self._ends.items() if end <= now]
            if due:
                await take_input()
            for timer in due:
                if self._ends.get(timer, math.inf) <= now:
                    self.remove(timer)
                    timer.ring()


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
