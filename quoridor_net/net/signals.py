"""Programs that end in order when they are interrupted."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

Outcome = TypeVar("Outcome")


async def until_signal(work: Callable[[], Awaitable[Outcome]]) -> Outcome | None:
    """Return what ``work`` returns, or None when Ctrl-C (SIGINT) or SIGTERM cancelled it."""
    outcome = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_cancel_on_signal, nursery.cancel_scope)
        outcome = await work()
        nursery.cancel_scope.cancel()
    return outcome


async def _cancel_on_signal(scope: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()
