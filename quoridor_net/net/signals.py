"""Programs that end in order when they are interrupted."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from types import FrameType
from typing import Any, TypeVar

import trio

from quoridor_net.system import signals

Outcome = TypeVar("Outcome")

#: Ctrl-C, a request of the system, a terminal that was closed, and Ctrl-Break of Windows.
SIGNALS = signals("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


def heed(number: int, handler: Any) -> Any:
    """Set the handler of a signal, unless this program was started to ignore it; return the one before.

    nohup starts programs that ignore SIGHUP, and shell scripts start background jobs that ignore SIGINT.
    Such a signal has to stay ignored, so no handler is set in another way.
    """
    before = signal.getsignal(number)
    if before is not signal.SIG_IGN:
        signal.signal(number, handler)
    return before


async def until_signal(
    work: Callable[[], Awaitable[Outcome]], stop: trio.CancelScope | None = None
) -> Outcome | None:
    """Return what ``work`` returns, or None when one of :data:`SIGNALS` cancelled it.

    Signals that are ignored stay ignored; see :func:`heed`.

    Args:
        work: what to do.
        stop: what a signal cancels instead, where ``work`` enters it itself and has something to return then.

    From the first signal on, others change nothing: the program ends already, and takes leave in order.
    """
    outcome = None
    scope = stop or trio.CancelScope()
    # What trio puts back when it listens no more.
    before = {number: heed(number, _ignore) for number in SIGNALS}
    heeded = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]
    if not heeded:
        return await work()
    try:
        with trio.open_signal_receiver(*heeded) as received:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_on_signal, received, scope)
                with scope if stop is None else nullcontext():
                    outcome = await work()
                nursery.cancel_scope.cancel()
    finally:
        if not scope.cancel_called:
            for number in heeded:
                signal.signal(number, before[number])
    return outcome


async def _cancel_on_signal(received: AsyncIterator[int], scope: trio.CancelScope) -> None:
    async for _ in received:
        scope.cancel()


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Take note of nothing."""
