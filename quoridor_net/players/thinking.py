"""Searches in worker threads, which end when nobody waits for them any more."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TypeVar

import trio

T = TypeVar("T")

#: As many searches at once as there are processors; the others wait for their turn.
processors = trio.CapacityLimiter(os.cpu_count() or 1)


async def think(search: Callable[[threading.Event], T], cancel: Callable[[], None]) -> T:
    """Return what ``search`` finds in a thread of its own. When cancelled, leave the search to end by itself.

    Args:
        search: gets an event that is set once nobody waits for the answer, before ``cancel`` is called: a
            search that has not quite begun would miss the latter.
        cancel: has the search that is running end at once.
    """
    abandoned = threading.Event()
    try:
        return await trio.to_thread.run_sync(search, abandoned, abandon_on_cancel=True, limiter=processors)
    except trio.Cancelled:
        abandoned.set()
        cancel()
        raise
