"""Accepting connections: the one loop behind all servers of this project."""

from __future__ import annotations

import errno
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

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


async def serve_connections(
    handler: Callable[[StreamT], Awaitable[object]],
    listeners: Sequence[Listener[StreamT]],
    report: Callable[[str], None],
    handler_nursery: trio.Nursery | None = None,
    networks: Networks = EVERYBODY,
) -> None:
    """Run ``handler`` for every connection, until cancelled.

    Unlike :func:`trio.serve_listeners` this does not log a traceback every 0.1 s while the system has no room
    for another connection: clients wait in the system's queue, and ``report`` gets one line a minute.

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
                    if not doorkeeper.admit(address_of(stream)):
                        await trio.aclose_forcefully(stream)
                        continue
                    tune(stream)
                    (handler_nursery or nursery).start_soon(run, stream)

    async with trio.open_nursery() as nursery:
        for listener in listeners:
            nursery.start_soon(accept, listener)
