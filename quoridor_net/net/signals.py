"""Shut programs down cleanly when they are interrupted."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from types import FrameType
from typing import Any, TypeVar

import trio

from quoridor_net.system import signals

Outcome = TypeVar("Outcome")

#: Ctrl-C, a termination request, a closed terminal, and Ctrl-Break on Windows.
SIGNALS = signals("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


def heed(number: int, handler: Any) -> Any:
    """Set the handler of a signal unless the signal is ignored; return the previous handler.

    nohup makes programs ignore SIGHUP, and shell scripts make background jobs ignore SIGINT. Such signals
    must stay ignored, so this is the only way to set a handler.
    """
    before = signal.getsignal(number)
    if before is not signal.SIG_IGN:
        signal.signal(number, handler)
    return before


async def until_signal(
    work: Callable[[], Awaitable[Outcome]], stop: trio.CancelScope | None = None
) -> Outcome | None:
    """Return the result of ``work``, or None if one of :data:`SIGNALS` cancelled it.

    Ignored signals stay ignored; see :func:`heed`. Signals after the first have no effect, so that the
    program can shut down cleanly.

    Args:
        work: the function to run.
        stop: a scope that ``work`` enters; a signal cancels it instead, so that ``work`` can still return.
    """
    outcome = None
    scope = stop or trio.CancelScope()
    # trio restores these handlers when it stops listening.
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
    """Do nothing."""
