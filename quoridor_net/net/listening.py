"""Listen on ports, for all servers, and the messages about it."""

from __future__ import annotations

import errno
import os
import socket

import trio

from quoridor_net.net.addresses import numeric_host
from quoridor_net.net.sockets import no_such_name

#: Maximum number of connections that wait in the system's queue. In a longer queue, clients would wait behind
#: a flood while the time for their HELLO runs. If the queue is full, a client's system retries the
#: connection.
BACKLOG = 128

#: Number of attempts to find a port that is free on all addresses.
ATTEMPTS = 20


async def listen(host: str | None, port: int) -> list[trio.SocketListener]:
    """Return listeners on ``port`` of all addresses of ``host``, or of this machine; 0 picks a free port.

    Raises:
        OSError: the port is taken, or ``host`` is not an address of this machine.
    """
    if port != 0:
        return await _open(host, port)
    for _ in range(ATTEMPTS):
        # The system picks a different port for each address, but only one number can be announced.
        first, *others = await _open(host, 0)
        listeners = [first]
        addresses = [numeric_host(other.socket.getsockname()) for other in others]
        for other in others:
            await other.aclose()
        try:
            for address in addresses:
                listeners += await _open(address, port_of(first))
        except OSError as error:
            for listener in listeners:
                await listener.aclose()
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return listeners
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


async def _open(host: str | None, port: int) -> list[trio.SocketListener]:
    try:
        return await trio.open_tcp_listeners(port, host=host, backlog=BACKLOG)
    except UnicodeError:
        raise no_such_name() from None


def port_of(listener: trio.SocketListener) -> int:
    """Return the port of a listener."""
    return int(listener.socket.getsockname()[1])


def ready(listener: trio.SocketListener, host: str | None) -> str:
    """Return the part of the ready line with the address, for people and programs."""
    return f"is ready on port {port_of(listener)} ({host or 'all addresses'})"


def cannot_listen(
    host: str | None,
    port: int,
    error: OSError,
    another_port: str = "Choose another with --port; 0 picks a free one.",
    another_host: str = "Give an address of this machine as --host, or omit --host.",
) -> str:
    """Return a message that says why a server cannot listen, with advice on the port or host."""
    where = f"port {port}" if host is None else f"{host}, port {port}"
    is_elsewhere = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
    advice = another_host if is_elsewhere else another_port
    return f"cannot listen on {where}: {error.strerror or error}. {advice}"
