"""Accepting connections: the one loop behind all servers of this project, fair between addresses.

A flood from one address must not delay the greetings of others. Connections are therefore taken out of the
system's queue at once, because everybody waits there in one line; here the addresses take turns. A limited
number begins each second, so that games in progress keep their share of the processor.
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

#: What the system says when it has no room for one more connection.
SHORTAGES = TOO_MANY_FILES | {errno.ENOBUFS, errno.ENOMEM}

#: Seconds until a server that could not accept a connection tries again.
RETRY_TIME = 0.1

#: Least seconds between two lines about such a shortage.
REPORT_TIME = 60.0

#: Connections that begin at once, and per second in the long run.
BEGUN_AT_ONCE = 200
BEGUN_PER_SECOND = 250

#: Maximum number of accepted connections that wait for their turn; two hundred browsers may load a page.
MAX_ARRIVALS = 400


class Arrivals(Generic[StreamT]):
    """Accepted connections that wait for their turn; the addresses take turns."""

    def __init__(self) -> None:
        # The address whose turn is next comes first.
        self._waiting: dict[str, deque[StreamT]] = {}
        self._count = 0
        self._news = trio.Event()

    def put(self, stream: StreamT, address: str) -> StreamT | None:
        """Add a connection; return one to close if there are too many: the newest of the busiest address."""
        self._waiting.setdefault(address, deque()).append(stream)
        self._count += 1
        self._news.set()
        if self._count <= MAX_ARRIVALS:
            return None
        busiest = max(self._waiting, key=lambda each: (len(self._waiting[each]), each == address))
        return self._remove(busiest, self._waiting[busiest].pop())

    async def take(self) -> StreamT:
        """Return the next connection, as soon as there is one."""
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
        self._waiting.clear()
        self._count = 0


async def serve_connections(
    handler: Callable[[StreamT], Awaitable[object]],
    listeners: Sequence[Listener[StreamT]],
    report: Callable[[str], None],
    handler_nursery: trio.Nursery | None = None,
    networks: Networks = EVERYBODY,
) -> None:
    """Run ``handler`` for every connection, until cancelled.

    Unlike :func:`trio.serve_listeners` this serves the addresses in turn, see :class:`Arrivals`. And it logs
    no traceback every 0.1 s while the system has no room for another connection: clients wait in the system's
    queue, and ``report`` gets one line a minute.

    Args:
        handler: serves one connection, which is closed when it returns. What it raises ends the server.
        listeners: where to accept connections. They are closed at the end.
        report: called with a sentence when connections cannot be accepted.
        handler_nursery: where handlers run; connections then outlive the cancellation of this function.
        networks: whose connections are served; those of others are closed before anything is read, and
            ``report`` is told.

    Raises:
        OSError: a listener cannot be used any more.
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
                        advice = (
                            "; ulimit -n sets how many there may be" if error.errno == errno.EMFILE else ""
                        )
                        reason = f"{error_text(error.errno)}{advice}"
                        report(f"new connections have to wait until others end: {reason}")
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
