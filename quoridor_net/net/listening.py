"""Listening, as all servers do it, and what they say about it."""

from __future__ import annotations

import errno
import socket

import trio

from quoridor_net.net.sockets import no_such_name


async def listen(host: str | None, port: int) -> list[trio.SocketListener]:
    """Return listeners on ``port``; 0 picks a free one.

    Raises:
        OSError: the port is taken, or the host is none of this machine's.
    """
    if port == 0 and host is None:
        # Every address family would get a free port of its own, and only one number can be announced.
        host = "0.0.0.0"  # noqa: S104 - a server of a LAN game is there to be reached
    try:
        return await trio.open_tcp_listeners(port, host=host)
    except UnicodeError:
        raise no_such_name() from None


def ready(listener: trio.SocketListener, host: str | None) -> str:
    """Return the part of the ready line from which people and programs take the address."""
    return f"is ready on port {listener.socket.getsockname()[1]} ({host or 'all addresses'})"


def cannot_listen(
    host: str | None,
    port: int,
    error: OSError,
    another_port: str = "Try another --port, or 0.",
    another_host: str = "Give an address of this machine as --host, or leave it out.",
) -> str:
    """Return a sentence that says why a server cannot listen, and what to do about the port or the host."""
    where = f"port {port}" if host is None else f"{host}, port {port}"
    is_elsewhere = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
    advice = another_host if is_elsewhere else another_port
    return f"cannot listen on {where}: {error.strerror or error}. {advice}"
