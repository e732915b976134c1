"""Time limits that lead to verdicts, fair to peers that answered while this process was stopped.

After a stop or a machine's sleep, an answer and its timeout are found at the same moment. Trio checks the
clock before any task can read, so its deadlines would cancel the waiting task. The functions here work like
trio's of the same names, but read all available input before they cancel. Use them for every timeout that is
a verdict on a player.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

import trio

#: Number of scheduler rounds between a timeout and its verdict. An answer reaches its task after two or three
#: rounds, or more if much other input comes before it.
ROUNDS = 100


class Timer(abc.ABC):
    """An action at a timeout, after all input that has arrived by then is read."""

    __slots__ = ("_timekeeper",)

    def __init__(self) -> None:
        self._timekeeper: _Timekeeper | None = None

    @abc.abstractmethod
    def ring(self) -> None:
        """Perform the action."""

    def restart(self, seconds: float) -> None:
        """Set the timeout to ``seconds`` of trio's clock from now; ``math.inf`` for never."""
        self.restart_until(seconds if seconds == math.inf else trio.current_time() + seconds)

    def restart_until(self, end: float) -> None:
        """Set the timeout to the time ``end`` of trio's clock; ``math.inf`` for never."""
        if end != math.inf:
            if self._timekeeper is None:
                self._timekeeper = _timekeeper()
            self._timekeeper.set(self, end)
        elif self._timekeeper is not None:
            self._timekeeper.remove(self)


class Alarm(Timer):
    """Calls a function at the timeout."""

    __slots__ = ("_call",)

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__()
        self._call = call

    def ring(self) -> None:
        """Call the function."""
        self._call()


class Limit(Timer):
    """A time limit for the body of a ``with`` statement; ``restart`` changes it.

    Args:
        seconds: seconds of trio's clock; ``math.inf`` for no limit.

    Attributes:
        scope: the cancel scope of the body, which also gets it. It may be cancelled for other reasons too;
            ``cancelled_caught`` says afterwards whether the body was cut short.
        is_up: whether the timeout cancelled the body.
    """

    __slots__ = ("_seconds", "is_up", "scope")

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.scope = trio.CancelScope()
        self.is_up = False
        self._seconds = seconds

    def ring(self) -> None:
        """Cancel the body."""
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


#: Like trio's function of the same name.
move_on_after = Limit


@contextmanager
def fail_after(seconds: float) -> Iterator[trio.CancelScope]:
    """Like :func:`move_on_after`, but raise if the body was cancelled.

    Raises:
        trio.TooSlowError: the body was cancelled, by the timeout or otherwise.
    """
    with move_on_after(seconds) as scope:
        yield scope
    if scope.cancelled_caught:
        raise trio.TooSlowError


async def take_input() -> None:
    """Give reading tasks time to take the input received by now, without waiting for more."""
    for _ in range(ROUNDS):
        await trio.lowlevel.checkpoint()


class _Timekeeper:
    """Rings the timers of one run of trio.

    One task serves all timers, because they are set and removed for every move, and a task for each would
    cost more than the move. If its next timer is removed, the task still wakes up at that time and then waits
    for the following one.
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
