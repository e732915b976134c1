"""Connections of browsers: accepted and limited here, served by hypercorn, dropped when they stop reading.

This is the only module that imports hypercorn, which documents ``Config`` alone. Connections are counted,
limited and dropped here rather than in hypercorn, which requires some undocumented names:

* ``TCPServer(app, config, context, state, stream)`` serves one connection when awaited. It uses only the
  parts of ``stream`` that :class:`_Browser` has.
* ``WorkerContext(None).terminated.set()`` ends all connections.
* ``ASGIWrapper(app)`` and ``ConnectionState({})`` wrap an application and its state.
* ``WSStream.handshake.extensions`` turns compression off, because there is no setting. The stream is the
  ``__self__`` of the application's send function.

A test checks them all, and ``pyproject.toml`` sets a maximum version of hypercorn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import cast

import h11
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.protocol.ws_stream import WSStream
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ASGIFramework, ConnectionState
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from trio.abc import HalfCloseableStream, Listener

from quoridor_net.net.accepting import serve_connections
from quoridor_net.net.errors import LOST
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.net.sockets import address_of, close_gently, send_in_time
from quoridor_net.outcome import ForfeitError
from quoridor_net.web.budget import Budget, set_asking
from quoridor_net.web.faults import Faults
from quoridor_net.web.messages import MAX_MESSAGE

#: Maximum number of connections: a browser uses up to six while it loads a page, then one.
MAX_CONNECTIONS = 500

#: Maximum long-run share of a processor for the requests of one address; idle time that can be saved
#: up and maximum wait, in seconds. A whole class behind one address can open the page at once.
ASKING_SHARE = 0.1
ASKING_SAVED = 20.0
ASKING_WAIT = 30.0

#: Maximum time by which an address may exceed its budget, in seconds; beyond it, new connections are refused.
MOST_BEHIND = 5.0

#: Maximum number of bytes read at once, because they are processed without a break.
MAX_READ = 1024

#: Maximum number of connections that get a refusal at the same time, and timeout of a refusal, in seconds.
MAX_REFUSED = 50
REFUSAL_TIME = 1.0

#: Timeout for sending to a browser, in seconds.
SEND_TIME = 10.0

#: Time for spectators to receive the last events when the site ends, in seconds.
FAREWELL_TIME = 0.25

#: Timeout of an idle connection, in seconds. WebSockets of spectators are not affected.
IDLE_TIME = 10.0

#: Errors of hypercorn when a browser has left, or violates the protocol at certain moments.
ENDED = (*LOST, h11.LocalProtocolError)

_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nConnection: close\r\nRetry-After: 5\r\n"
    b"Content-Length: 50\r\n\r\nToo many spectators. Try again in a few seconds.\r\n"
)


class _Browser(HalfCloseableStream):
    """A connection that breaks when the browser stops reading, where hypercorn would wait forever.

    hypercorn 0.18 shields sending from cancellation, so only closing the stream ends it.

    Args:
        stream: the connection.
        address: address of the browser.
        budget: budget of that address; nothing is read while it is used up.
    """

    def __init__(self, stream: trio.SocketStream, address: str, budget: Budget) -> None:
        self._stream = stream
        self.address = address
        self.budget = budget
        #: hypercorn reads the addresses from here.
        self.socket = stream.socket

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        try:
            await send_in_time(self._stream, bytes(data), SEND_TIME)
        except ForfeitError:
            self.drop()
            raise trio.BrokenResourceError("the browser is gone, or stopped reading") from None
        except trio.BusyResourceError:
            # hypercorn sends one thing at a time, but may end the stream during a send.
            raise trio.BrokenResourceError("the connection is being ended") from None

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        await self.budget.wait()
        return await self._stream.receive_some(min(max_bytes or MAX_READ, MAX_READ))

    async def send_eof(self) -> None:
        # The task that sent the last byte may be cancelled by now; this call does not wait.
        with trio.CancelScope(shield=True):
            await self._stream.send_eof()

    async def aclose(self) -> None:
        self.drop()
        await trio.lowlevel.checkpoint()

    def drop(self) -> None:
        """Close the connection at once; tasks that wait for it get an error."""
        self.socket.close()


class _Gate:
    """Middleware between hypercorn and the application.

    It refuses HTTP/2, because a hundred requests can share one connection there, and the limits count
    connections. It stops sending to a browser that violated the protocol. It turns compression of messages
    off: a short message can unpack to a thousand times its length before its size is checked, and
    compressing needs memory for each spectator.

    Args:
        app: the application.
        budget: budget for the duration of requests.
    """

    def __init__(self, app: ASGIApp, budget: Budget) -> None:
        self._app = app
        self._budget = budget

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_as_long_as_possible(message: Message) -> None:
            with suppress(h11.LocalProtocolError):
                await send(message)

        stream = getattr(send, "__self__", None)
        if isinstance(stream, WSStream):
            # hypercorn has no setting for compression.
            stream.handshake.extensions = None
        if scope.get("http_version") == "2":
            await PlainTextResponse("This site supports HTTP/1.1 only.\n", 505)(scope, receive, send)
        else:
            await self._budget.charge(self._app(scope, receive, send_as_long_as_possible))


class _Server:
    """A server of one application."""

    def __init__(self, app: ASGIApp, report: Callable[[str], None]) -> None:
        config = Config()
        config.errorlog = None
        config.include_server_header = False
        config.keep_alive_timeout = IDLE_TIME
        config.websocket_max_message_size = MAX_MESSAGE
        config.h11_max_incomplete_size = 16 * 1024
        self._config = config
        self._app = app
        self._faults = Faults(report)
        self._context = WorkerContext(None)
        # In order of arrival.
        self._browsers: dict[_Browser, None] = {}
        # Of the addresses that are connected or over budget.
        self._budgets: dict[str, Budget] = {}
        # Number of connections that are being refused now.
        self._refused = 0

    async def serve_connection(self, stream: trio.SocketStream) -> None:
        """Serve one browser until the connection ends."""
        address = address_of(stream)
        budget = self._budget_of(address)
        if budget.free_at > trio.current_time() + MOST_BEHIND or not self._has_room_for(address):
            await budget.charge(self._refuse(stream))
            return
        browser = _Browser(stream, address, budget)
        self._browsers[browser] = None
        set_asking(budget)
        app = ASGIWrapper(cast("ASGIFramework", _Gate(self._app, browser.budget)))
        try:
            # The annotation allows only TLS streams, but other streams with a socket work too.
            server = TCPServer(app, self._config, self._context, ConnectionState({}), browser)  # type: ignore[arg-type]
            await browser.budget.charge(server)
        except* ENDED:
            pass
        except* Exception as error:
            # An internal error must end this connection only.
            self._faults.tell(error)
        finally:
            self._browsers.pop(browser, None)

    def _has_room_for(self, address: str) -> bool:
        """Return whether there is room, after dropping a browser of the address with the most if necessary.

        No address can shut out others, but a class behind one address can use all free places.
        """
        if len(self._browsers) < MAX_CONNECTIONS:
            return True
        numbers = Counter(browser.address for browser in self._browsers)
        [(greatest, most)] = numbers.most_common(1)
        if most < numbers[address] + 2:
            return False
        newest = next(browser for browser in reversed(self._browsers) if browser.address == greatest)
        del self._browsers[newest]
        newest.drop()
        return True

    def _budget_of(self, address: str) -> Budget:
        if address not in self._budgets:
            connected = {browser.address for browser in self._browsers}
            now = trio.current_time()
            self._budgets = {
                each: budget
                for each, budget in self._budgets.items()
                if each in connected or budget.free_at > now
            }
            self._budgets[address] = Budget(share=ASKING_SHARE, saved=ASKING_SAVED, longest_wait=ASKING_WAIT)
        return self._budgets[address]

    async def _refuse(self, stream: trio.SocketStream) -> None:
        """Send a refusal, or nothing while too many refusals are in progress."""
        if self._refused >= MAX_REFUSED:
            return
        self._refused += 1
        try:
            # Closing the connection before the request is read would reset it and lose the answer.
            with suppress(*LOST), trio.move_on_after(REFUSAL_TIME):
                await stream.receive_some(4096)
                await stream.send_all(_REFUSAL)
                await close_gently(stream)
        finally:
            self._refused -= 1

    async def end(self) -> None:
        """End all connections, after a short time to send what is left."""
        await self._context.terminated.set()
        if self._browsers:
            await trio.sleep(FAREWELL_TIME)
        for browser in tuple(self._browsers):
            browser.drop()


@asynccontextmanager
async def serve_browsers(
    app: ASGIApp,
    listeners: Sequence[Listener[trio.SocketStream]],
    report: Callable[[str], None],
    networks: Networks = EVERYBODY,
) -> AsyncIterator[None]:
    """Serve ``app`` on ``listeners`` until the context ends, then close them.

    While browsers are connected, leaving takes :data:`FAREWELL_TIME`.

    Args:
        app: the application.
        listeners: sockets that accept browsers.
        report: gets a sentence when connections cannot be accepted, or an internal error ends one.
        networks: networks whose browsers are served.
    """
    accept = partial(serve_connections, networks=networks)
    server = _Server(app, report)
    async with trio.open_nursery() as connections, trio.open_nursery() as accepting:
        accepting.start_soon(accept, server.serve_connection, listeners, report, connections)
        try:
            yield
        finally:
            accepting.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await server.end()
            connections.cancel_scope.cancel()
