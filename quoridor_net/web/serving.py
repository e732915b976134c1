"""The connections of browsers: accepted, limited, served by hypercorn, and dropped when they stop reading."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import cast

import h11
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ASGIFramework, ConnectionState
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from trio.abc import HalfCloseableStream, Listener

from quoridor_net.net.accepting import serve_connections
from quoridor_net.net.errors import LOST
from quoridor_net.net.sockets import address_of, tune
from quoridor_net.web.faults import Faults
from quoridor_net.web.messages import MAX_MESSAGE

#: Most connections in all, and from one address: a browser holds up to six while it loads a page, then one.
MAX_CONNECTIONS = 500
MAX_OF_ONE_ADDRESS = 120

#: Most connections that are told at once that there are too many, and seconds that this takes at most.
MAX_REFUSED = 50
REFUSAL_TIME = 1.0

#: Seconds in which a browser has to take what it is sent.
SEND_TIME = 10.0

#: Seconds after which the system gives up what a browser does not acknowledge.
USER_TIMEOUT = 30.0

#: Seconds in which spectators can take the last events when the site ends.
FAREWELL_TIME = 0.25

#: Seconds without a request after which a connection is closed; a browser that looks on need not ask.
IDLE_TIME = 10.0

#: What hypercorn raises when a browser is gone, or says at certain moments what it may not say.
ENDED = (*LOST, h11.LocalProtocolError)

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
            try:
                await self._stream.send_all(data)
            except trio.BusyResourceError:
                # hypercorn sends one thing at a time, but may say meanwhile that nothing more follows.
                raise trio.BrokenResourceError("the connection is being ended") from None
        if scope.cancelled_caught:
            self.drop()
            raise trio.BrokenResourceError("the browser stopped reading")

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def send_eof(self) -> None:
        # What sends the last byte of a file may be cancelled by then; nothing here waits.
        with trio.CancelScope(shield=True):
            await self._stream.send_eof()

    async def aclose(self) -> None:
        self.drop()
        await trio.lowlevel.checkpoint()

    def drop(self) -> None:
        """Close the connection at once; whoever waits for it gets an error."""
        self.socket.close()


class _Gate:
    """What stands between hypercorn and the application.

    It refuses HTTP/2, which hypercorn accepts from everybody: a hundred requests share a connection there,
    and connections are what is counted here. And it sends no more to a browser that broke the protocol.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_as_long_as_possible(message: Message) -> None:
            with suppress(h11.LocalProtocolError):
                await send(message)

        if scope.get("http_version") == "2":
            await PlainTextResponse("This site speaks HTTP/1.1.\n", 505)(scope, receive, send)
        else:
            await self._app(scope, receive, send_as_long_as_possible)


class _Server:
    """Serves one application to browsers."""

    def __init__(self, app: ASGIApp, report: Callable[[str], None]) -> None:
        config = Config()
        config.errorlog = None
        config.include_server_header = False
        config.keep_alive_timeout = IDLE_TIME
        config.websocket_max_message_size = MAX_MESSAGE
        config.h11_max_incomplete_size = 16 * 1024
        self._config = config
        self._app = ASGIWrapper(cast("ASGIFramework", _Gate(app)))
        self._faults = Faults(report)
        self._context = WorkerContext(None)
        self._addresses: Counter[str] = Counter()
        self._browsers: set[_Browser] = set()
        # How many connections are being refused.
        self._refused = 0

    async def serve_connection(self, stream: trio.SocketStream) -> None:
        """Serve one browser until the connection ends."""
        address = address_of(stream)
        # hypercorn's own questions whether a browser is still there would keep its task alive.
        tune(stream)
        if len(self._browsers) >= MAX_CONNECTIONS or self._addresses[address] >= MAX_OF_ONE_ADDRESS:
            await self._refuse(stream)
            return
        browser = _Browser(stream)
        self._addresses[address] += 1
        self._browsers.add(browser)
        try:
            # Its type says TLS alone; it asks streams of other kinds for their socket.
            await TCPServer(self._app, self._config, self._context, ConnectionState({}), browser)  # type: ignore[arg-type]
        except* ENDED:
            pass
        except* Exception as error:
            # It ends this connection alone: the others go on playing.
            self._faults.tell(error)
        finally:
            self._browsers.discard(browser)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    async def _refuse(self, stream: trio.SocketStream) -> None:
        """Say that there is no room, to as many at once as are heard politely."""
        if self._refused >= MAX_REFUSED:
            return
        self._refused += 1
        try:
            # To close a connection before the request is read would reset it, and destroy the answer.
            with suppress(*LOST), trio.move_on_after(REFUSAL_TIME):
                await stream.receive_some(4096)
                await stream.send_all(_REFUSAL)
        finally:
            self._refused -= 1

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
        report: gets a sentence when connections cannot be accepted, or an error of this program ends one.
    """
    for listener in listeners:
        if isinstance(listener, trio.SocketListener) and hasattr(socket, "TCP_USER_TIMEOUT"):
            # Connections inherit it.
            listener.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * USER_TIMEOUT))
    server = _Server(app, report)
    async with trio.open_nursery() as connections, trio.open_nursery() as accepting:
        accepting.start_soon(serve_connections, server.serve_connection, listeners, report, connections)
        try:
            yield
        finally:
            accepting.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await server.end()
            connections.cancel_scope.cancel()
