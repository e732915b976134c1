"""Programs that end in order when they are interrupted."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from types import FrameType
from typing import TypeVar

import trio

from quoridor_net.system import signals

Outcome = TypeVar("Outcome")

#: Ctrl-C, a request of the system, and Ctrl-Break of Windows.
_SIGNALS = signals("SIGINT", "SIGTERM", "SIGBREAK")


async def until_signal(
    work: Callable[[], Awaitable[Outcome]], stop: trio.CancelScope | None = None
) -> Outcome | None:
    """Return what ``work`` returns, or None when Ctrl-C (SIGINT), SIGTERM or Ctrl-Break cancelled it.

    Args:
        work: what to do.
        stop: what a signal cancels instead, where ``work`` enters it itself and has something to return then.

    From the first signal on, others change nothing: the program ends already, and takes leave in order.
    """
    outcome = None
    scope = stop or trio.CancelScope()
    # What trio puts back when it listens no more.
    before = [(number, signal.signal(number, _ignore)) for number in _SIGNALS]
    try:
        with trio.open_signal_receiver(*_SIGNALS) as received:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_on_signal, received, scope)
                with scope if stop is None else nullcontext():
                    outcome = await work()
                nursery.cancel_scope.cancel()
    finally:
        if not scope.cancel_called:
            for number, handler in before:
                signal.signal(number, handler)
    return outcome


async def _cancel_on_signal(received: AsyncIterator[int], scope: trio.CancelScope) -> None:
    async for _ in received:
        scope.cancel()


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Take note of nothing."""
