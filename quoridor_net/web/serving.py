"""The connections of browsers: accepted, limited, served by hypercorn, and dropped when they stop reading.

This module alone imports hypercorn, which documents ``Config`` only. hypercorn would accept connections by
itself; here they are counted, limited and dropped, so undocumented names are used as well:

* ``TCPServer(app, config, context, state, stream)`` serves one connection when it is awaited; of ``stream``
  it needs what :class:`_Browser` has.
* ``WorkerContext(None).terminated.set()`` tells all connections to end.
* ``ASGIWrapper(app)`` and ``ConnectionState({})`` are how it takes an application and its state.
* ``WSStream.handshake.extensions`` turns compression off, for which there is no setting. The stream is found
  as the ``__self__`` of the function with which the application sends.

A test names them all, and ``pyproject.toml`` sets a ceiling for hypercorn.
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

#: Most connections: a browser holds up to six while it loads a page, then one.
MAX_CONNECTIONS = 500

#: What is asked from one address takes this share of the program's time at most, in the long run. The seconds
#: of it that can be saved up are enough for a class behind one address that opens the page.
ASKING_SHARE = 0.1
ASKING_SAVED = 20.0
ASKING_WAIT = 30.0

#: Seconds that an address may be behind with that; from then on its new connections are refused.
MOST_BEHIND = 5.0

#: Most bytes that are read at once: what they hold is done without a break.
MAX_READ = 1024

#: Most connections that are told at once that there are too many, and seconds that this takes at most.
MAX_REFUSED = 50
REFUSAL_TIME = 1.0

#: Seconds in which a browser has to take what it is sent.
SEND_TIME = 10.0

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

    Args:
        stream: the connection.
        address: of the browser.
        budget: of that address: while it is used up, nothing more is read.
    """

    def __init__(self, stream: trio.SocketStream, address: str, budget: Budget) -> None:
        self._stream = stream
        self.address = address
        self.budget = budget
        #: What hypercorn asks for the addresses.
        self.socket = stream.socket

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        try:
            await send_in_time(self._stream, bytes(data), SEND_TIME)
        except ForfeitError:
            self.drop()
            raise trio.BrokenResourceError("the browser is gone, or stopped reading") from None
        except trio.BusyResourceError:
            # hypercorn sends one thing at a time, but may say meanwhile that nothing more follows.
            raise trio.BrokenResourceError("the connection is being ended") from None

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        await self.budget.wait()
        return await self._stream.receive_some(min(max_bytes or MAX_READ, MAX_READ))

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
    and connections are what is counted here. It sends no more to a browser that broke the protocol. And it
    takes no compressed messages, which hypercorn would accept: a short one can unpack to a thousand times its
    length before anybody looks at that, and to compress what is sent takes memory for each spectator.

    Args:
        app: the application.
        budget: for the time that requests take.
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
            # There is no setting for it.
            stream.handshake.extensions = None
        if scope.get("http_version") == "2":
            await PlainTextResponse("This site speaks HTTP/1.1.\n", 505)(scope, receive, send)
        else:
            await self._budget.charge(self._app(scope, receive, send_as_long_as_possible))


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
        self._app = app
        self._faults = Faults(report)
        self._context = WorkerContext(None)
        # In the order in which they came.
        self._browsers: dict[_Browser, None] = {}
        # Of the addresses that are connected, or have spent more than they had.
        self._budgets: dict[str, Budget] = {}
        # How many connections are being refused.
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
            # Its type says TLS alone; it asks streams of other kinds for their socket.
            server = TCPServer(app, self._config, self._context, ConnectionState({}), browser)  # type: ignore[arg-type]
            await browser.budget.charge(server)
        except* ENDED:
            pass
        except* Exception as error:
            # It ends this connection alone: the others go on playing.
            self._faults.tell(error)
        finally:
            self._browsers.pop(browser, None)

    def _has_room_for(self, address: str) -> bool:
        """Return whether there is room, if need be by dropping a browser of the address that has most.

        So nobody keeps others out, and a class behind one address may have all places that nobody else wants.
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
        """Say that there is no room, to as many at once as are heard politely."""
        if self._refused >= MAX_REFUSED:
            return
        self._refused += 1
        try:
            # To close a connection before the request is read would reset it, and destroy the answer.
            with suppress(*LOST), trio.move_on_after(REFUSAL_TIME):
                await stream.receive_some(4096)
                await stream.send_all(_REFUSAL)
                await close_gently(stream)
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
    app: ASGIApp,
    listeners: Sequence[Listener[trio.SocketStream]],
    report: Callable[[str], None],
    networks: Networks = EVERYBODY,
) -> AsyncIterator[None]:
    """Serve ``app`` on ``listeners``, which are closed at the end, until the context ends.

    Leaving takes :data:`FAREWELL_TIME` when browsers are connected, whether or not they read.

    Args:
        app: the application.
        listeners: where browsers come from.
        report: gets a sentence when connections cannot be accepted, or an error of this program ends one.
        networks: whose browsers are served.
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
