"""Small servers and free ports on loopback."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import trio

from quoridor_net.net.endpoint import Endpoint

HOST = "127.0.0.1"

Handler = Callable[[trio.SocketStream], Awaitable[None]]


@asynccontextmanager
async def listen_on_loopback(handler: Handler) -> AsyncIterator[Endpoint]:
    """Serve every connection with ``handler`` until the block ends, and yield the address."""
    listeners = await trio.open_tcp_listeners(0, host=HOST)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, handler, listeners)
        yield Endpoint(HOST, listeners[0].socket.getsockname()[1])
        nursery.cancel_scope.cancel()


@contextmanager
def reserve_port() -> Iterator[int]:
    """Yield a port on which no program listens and that the system gives to no other program meanwhile.

    A program that sets ``SO_REUSEADDR``, as servers do, can listen on it.
    """
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((HOST, 0))
        yield bound.getsockname()[1]
