"""Turns at what is scarce: who asked for little so far comes first, so that nobody takes it all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from attrs import define, field


@define(eq=False)
class _Request:
    """Somebody who waits for a turn."""

    address: str
    start: float
    granted: trio.Event = field(factory=trio.Event)


class Turns:
    """Grants turns to addresses so that those who want more than they get have equal shares of the time.

    This is start-time fair queueing (Goyal, Vin and Cheng, 1996): a request begins, in a virtual time, where
    the one before of the same address ends, and the one that begins first is granted first. It does not
    matter how many requests an address makes, or in how many connections. Who asks has to see to it that
    requests are not too many to be kept.

    Args:
        places: turns at once.
    """

    def __init__(self, places: int) -> None:
        self._places = self._free = places
        self._waiting: list[_Request] = []
        # The virtual time, and where the last request of each address ends that is ahead of it.
        self._now = 0.0
        self._ends: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, address: str, seconds: float) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block.

        Args:
            address: where who asks is.
            seconds: that the turn takes, as far as it is known.
        """
        start = max(self._now, self._ends.get(address, 0.0))
        self._ends[address] = start + seconds
        await self._wait(_Request(address, start), seconds)
        try:
            yield
        finally:
            self._release()

    async def _wait(self, request: _Request, seconds: float) -> None:
        self._waiting.append(request)
        self._grant()
        try:
            await request.granted.wait()
        except trio.Cancelled:
            if request.granted.is_set():
                self._release()
            else:
                self._waiting.remove(request)
                # Who wants a turn no more has not had it.
                self._ends[request.address] = self._ends.get(request.address, self._now) - seconds
            raise

    def _release(self) -> None:
        self._free += 1
        self._grant()
        if self._free == self._places:
            # Nobody wants anything: whoever comes next begins like all others.
            self._ends.clear()

    def _grant(self) -> None:
        while self._free and self._waiting:
            # The first of those that are equal asked first.
            chosen = min(self._waiting, key=lambda request: request.start)
            self._waiting.remove(chosen)
            self._free -= 1
            self._now = max(self._now, chosen.start)
            self._ends = {address: end for address, end in self._ends.items() if end > self._now}
            chosen.granted.set()
