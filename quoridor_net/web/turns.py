"""Fair queueing for a scarce resource, so that no address takes all of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from attrs import define, field


@define(eq=False)
class _Request:
    """A request that waits for a turn."""

    address: str
    start: float
    granted: trio.Event = field(factory=trio.Event)


class Turns:
    """A fair queue that gives competing addresses equal shares of the time.

    This is start-time fair queueing (Goyal, Vin and Cheng, 1996). In virtual time, a request starts where the
    previous one of its address ends, and the request with the earliest start is granted first. The numbers of
    requests and of connections of an address make no difference. Callers must bound the number of requests.

    Args:
        places: number of concurrent turns.
    """

    def __init__(self, places: int) -> None:
        self._places = self._free = places
        self._waiting: list[_Request] = []
        # The virtual time, and the end of each address's last request if that is later.
        self._now = 0.0
        self._ends: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, address: str, seconds: float) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block.

        Args:
            address: address that makes the request.
            seconds: expected duration of the turn, in seconds.
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
                # A cancelled request is not charged.
                self._ends[request.address] = self._ends.get(request.address, self._now) - seconds
            raise

    def _release(self) -> None:
        self._free += 1
        self._grant()
        if self._free == self._places:
            # The queue is idle, so all addresses start again as equals.
            self._ends.clear()

    def _grant(self) -> None:
        while self._free and self._waiting:
            # Among equal starts, min() finds the earliest request.
            chosen = min(self._waiting, key=lambda request: request.start)
            self._waiting.remove(chosen)
            self._free -= 1
            self._now = max(self._now, chosen.start)
            self._ends = {address: end for address, end in self._ends.items() if end > self._now}
            chosen.granted.set()
