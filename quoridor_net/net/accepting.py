"""Accept connections: the loop behind all servers of this project, fair between addresses.

A flood from one address must not delay clients at other addresses. The system's queue is first come, first
served, so connections are accepted at once into a queue in which addresses take turns. The number that starts
each second is limited, so that games in progress keep their share of the processor.
"""

from __future__ import annotations

import errno
import math
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain
from typing import Generic, TypeVar

import trio
from trio.abc import Listener, Stream

from quoridor_net.net.networks import EVERYBODY, Doorkeeper, Networks
from quoridor_net.net.sockets import address_of, tune
from quoridor_net.system import TOO_MANY_FILES, error_text

StreamT = TypeVar("StreamT", bound=Stream)

#: Error numbers of a system that cannot open another connection.
SHORTAGES = TOO_MANY_FILES | {errno.ENOBUFS, errno.ENOMEM}

#: Delay before retrying to accept a connection after a shortage, in seconds.
RETRY_TIME = 0.1

#: Minimum interval between reports of a shortage, in seconds.
REPORT_TIME = 60.0

#: Number of connections that may start at once, and per second in the long run.
BEGUN_AT_ONCE = 200
BEGUN_PER_SECOND = 250

#: Maximum number of accepted connections that wait for their turn: enough for two hundred browsers.
MAX_ARRIVALS = 400


class Arrivals(Generic[StreamT]):
    """A queue of accepted connections, in which addresses take turns."""

    def __init__(self) -> None:
        # The address with the next turn comes first.
        self._waiting: dict[str, deque[StreamT]] = {}
        self._count = 0
        self._news = trio.Event()

    def put(self, stream: StreamT, address: str) -> StreamT | None:
        """Add a connection. If there are too many, return the busiest address's newest, to be closed."""
        self._waiting.setdefault(address, deque()).append(stream)
        self._count += 1
        self._news.set()
        if self._count <= MAX_ARRIVALS:
            return None
        busiest = max(self._waiting, key=lambda each: (len(self._waiting[each]), each == address))
        return self._remove(busiest, self._waiting[busiest].pop())

    async def take(self) -> StreamT:
        """Wait for the next connection and return it."""
        while not self._count:
            self._news = trio.Event()
            await self._news.wait()
        address, streams = next(iter(self._waiting.items()))
        stream = self._remove(address, streams.popleft())
        if streams:
            self._waiting[address] = self._waiting.pop(address)
        return stream

    def _remove(self, address: str, stream: StreamT) -> StreamT:
        self._count -= 1
        if not self._waiting[address]:
            del self._waiting[address]
        return stream

    async def aclose(self) -> None:
        """Close all connections."""
        for stream in chain.from_iterable(self._waiting.values()):
            await trio.aclose_forcefully(stream)


async def serve_connections(
    handler: Callable[[StreamT], Awaitable[object]],
    listeners: Sequence[Listener[StreamT]],
    report: Callable[[str], None],
    handler_nursery: trio.Nursery | None = None,
    networks: Networks = EVERYBODY,
) -> None:
    """Run ``handler`` for every connection, until cancelled.

    Unlike :func:`trio.serve_listeners`, this lets addresses take turns, see :class:`Arrivals`. During a
    shortage, clients wait in the system's queue, and ``report`` gets one line a minute instead of a traceback
    every 0.1 s.

    Args:
        handler: serves one connection, which is closed when it returns. Its exceptions end the server.
        listeners: accept the connections. They are closed at the end.
        report: called with a sentence when connections cannot be accepted.
        handler_nursery: nursery for the handlers, so that connections outlive the cancellation of this
            function; by default they do not.
        networks: allowed networks. Other connections are closed before anything is read, and reported.

    Raises:
        OSError: a listener has failed.
    """
    reported_at = -math.inf
    doorkeeper = Doorkeeper(networks, report)
    arrivals = Arrivals[StreamT]()

    async def run(stream: StreamT) -> None:
        try:
            await handler(stream)
        finally:
            await trio.aclose_forcefully(stream)

    async def accept(listener: Listener[StreamT]) -> None:
        nonlocal reported_at
        async with listener:
            while True:
                try:
                    stream = await listener.accept()
                except OSError as error:
                    if error.errno not in SHORTAGES:
                        raise
                    if trio.current_time() >= reported_at + REPORT_TIME:
                        reported_at = trio.current_time()
                        advice = "; raise the limit (ulimit -n)" if error.errno == errno.EMFILE else ""
                        reason = f"{error_text(error.errno)}{advice}"
                        report(f"new connections must wait until others end: {reason}")
                    await trio.sleep(RETRY_TIME)
                else:
                    address = address_of(stream)
                    unwanted = arrivals.put(stream, address) if doorkeeper.admit(address) else stream
                    if unwanted is not None:
                        await trio.aclose_forcefully(unwanted)

    async def begin() -> None:
        begins_at = -math.inf
        while True:
            stream = await arrivals.take()
            tune(stream)
            (handler_nursery or nursery).start_soon(run, stream)
            now = trio.current_time()
            begins_at = max(begins_at, now - BEGUN_AT_ONCE / BEGUN_PER_SECOND) + 1 / BEGUN_PER_SECOND
            await trio.sleep(max(0.0, begins_at - now))

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(begin)
            for listener in listeners:
                nursery.start_soon(accept, listener)
    finally:
        with trio.CancelScope(shield=True):
            await arrivals.aclose()
