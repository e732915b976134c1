"""The connections of browsers: accepted, limited, served by hypercorn, and dropped when they stop reading."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import cast

import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ASGIFramework, ConnectionState
from starlette.types import ASGIApp
from trio.abc import HalfCloseableStream, Listener

from quoridor_net.net.accepting import serve_connections
from quoridor_net.net.errors import LOST
from quoridor_net.web.messages import MAX_MESSAGE

#: Most connections in all, and from one address: a browser holds up to six while it loads a page, then one.
MAX_CONNECTIONS = 500
MAX_OF_ONE_ADDRESS = 120

#: Seconds in which a browser has to take what it is sent.
SEND_TIME = 10.0

#: Seconds in which spectators can take the last events when the site ends.
FAREWELL_TIME = 0.25

#: Seconds without a request after which a connection is closed, and between two questions whether a browser
#: that looks on is still there.
IDLE_TIME = 10.0
PING_TIME = 20.0

_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nConnection: close\r\nRetry-After: 5\r\n"
    b"Content-Length: 26\r\n\r\nToo many are looking on.\r\n"
)


class _Browser(HalfCloseableStream):
    """A connection that breaks when the browser does not read, as hypercorn would wait for it for ever.

    hypercorn 0.18 shields its sending from cancellation; closing this stream is what ends that.
    """

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        #: What hypercorn asks for the addresses.
        self.socket = stream.socket

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        with trio.move_on_after(SEND_TIME) as scope:
            await self._stream.send_all(data)
        if scope.cancelled_caught:
            self.drop()
            raise trio.BrokenResourceError("the browser stopped reading")

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def send_eof(self) -> None:
        # Its lock is held by a message that the browser does not take; then there is no way to say goodbye.
        with trio.move_on_after(SEND_TIME):
            await self._stream.send_eof()

    async def aclose(self) -> None:
        self.drop()
        await trio.lowlevel.checkpoint()

    def drop(self) -> None:
        """Close the connection at once; whoever waits for it gets an error."""
        self.socket.close()


class _Server:
    """Serves one application to browsers."""

    def __init__(self, app: ASGIApp) -> None:
        config = Config()
        config.errorlog = None
        config.include_server_header = False
        config.keep_alive_timeout = IDLE_TIME
        config.websocket_ping_interval = PING_TIME
        config.websocket_max_message_size = MAX_MESSAGE
        config.h11_max_incomplete_size = 16 * 1024
        self._config = config
        self._app = ASGIWrapper(cast("ASGIFramework", app))
        self._context = WorkerContext(None)
        self._addresses: Counter[str] = Counter()
        self._browsers: set[_Browser] = set()

    async def serve_connection(self, stream: trio.SocketStream) -> None:
        """Serve one browser until the connection ends."""
        try:
            address = str(stream.socket.getpeername()[0])
        except OSError:
            return
        if len(self._browsers) >= MAX_CONNECTIONS or self._addresses[address] >= MAX_OF_ONE_ADDRESS:
            # The system takes so few bytes at once; whoever does not read them learns nothing.
            with suppress(OSError), trio.move_on_after(0):
                await stream.socket.send(_REFUSAL)
            return
        browser = _Browser(stream)
        self._addresses[address] += 1
        self._browsers.add(browser)
        try:
            # Its type says TLS alone; it asks streams of other kinds for their socket.
            await TCPServer(self._app, self._config, self._context, ConnectionState({}), browser)  # type: ignore[arg-type]
        except* LOST:
            pass
        finally:
            self._browsers.discard(browser)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    async def end(self) -> None:
        """End all connections: at once where nothing is left to be sent, soon where something is."""
        await self._context.terminated.set()
        if self._browsers:
            await trio.sleep(FAREWELL_TIME)
        for browser in tuple(self._browsers):
            browser.drop()


@asynccontextmanager
async def serving(
    app: ASGIApp, listeners: Sequence[Listener[trio.SocketStream]], report: Callable[[str], None]
) -> AsyncIterator[None]:
    """Serve ``app`` on ``listeners``, which are closed at the end, until the context ends.

    Leaving takes :data:`FAREWELL_TIME` when browsers are connected, whether or not they read.

    Args:
        app: the application.
        listeners: where browsers come from.
        report: gets a sentence when connections cannot be accepted.
    """
    for listener in listeners:
        if isinstance(listener, trio.SocketListener) and hasattr(socket, "TCP_USER_TIMEOUT"):
            # Connections inherit it: the system gives up what a browser that is gone does not take.
            listener.socket.setsockopt(
                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * (SEND_TIME + PING_TIME))
            )
    server = _Server(app)
    async with trio.open_nursery() as connections, trio.open_nursery() as accepting:
        accepting.start_soon(serve_connections, server.serve_connection, listeners, report, connections)
        try:
            yield
        finally:
            accepting.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await server.end()
            connections.cancel_scope.cancel()
