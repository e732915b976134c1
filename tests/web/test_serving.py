"""Connections on real sockets: limits, browsers that stop reading, and the end of a site."""

from __future__ import annotations

import base64
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import trio
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ResponseReceived
from hypercorn.trio.tcp_server import TCPServer
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from quoridor_net.match import GameStarted, MoveMade
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.net.listening import listen
from quoridor_net.rules import Position
from quoridor_net.web import bundle, serving
from quoridor_net.web.application import PAGES, application
from quoridor_net.web.live import LiveGame
from quoridor_net.web.sites import watch
from tests.support.browser import real_site
from tests.support.loopback import HOST

pytestmark = pytest.mark.end_to_end


def address(url: str) -> Endpoint:
    return parse_endpoint(urlsplit(url).netloc)


def handshake(where: Endpoint) -> bytes:
    """Return the opening request of a spectator's WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET /games/1/live HTTP/1.1\r\nHost: {where}\r\nOrigin: http://{where}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    return request.encode()


@asynccontextmanager
async def spectator(
    url: str, room: int | None = None, source: str | None = None
) -> AsyncIterator[trio.SocketStream]:
    """Connect a spectator whose system keeps ``room`` bytes for it; it has read nothing but the handshake.

    ``source`` is the address from which it comes.
    """
    where = address(url)
    raw = trio.socket.socket()
    if room is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    if source is not None:
        await raw.bind((source, 0))
    await raw.connect((where.host, where.port))
    async with trio.SocketStream(raw) as stream:
        await stream.send_all(handshake(where))
        head = b""
        while b"\r\n\r\n" not in head:
            head += bytes(await stream.receive_some(1))
        assert b" 101 " in head.split(b"\r\n")[0], head
        yield stream


async def ask(url: str, path: str = "/site.json") -> bytes:
    """Return the response to a request that closes the connection afterwards."""
    where = address(url)
    async with await trio.open_tcp_stream(where.host, where.port) as stream:
        request = f"GET {path} HTTP/1.1\r\nHost: {where}\r\nConnection: close\r\n\r\n"
        await stream.send_all(request.encode())
        answer = b""
        with trio.fail_after(10):
            while data := await stream.receive_some(4096):
                answer += bytes(data)
    return answer


async def until_followed(live: LiveGame, spectators: int) -> None:
    """Wait until the game has this many spectators."""
    with trio.fail_after(10):
        while live.spectators != spectators:  # noqa: ASYNC110 - a site tells nobody who comes and goes
            await trio.sleep(0.01)


def fill(live: LiveGame) -> None:
    """Send more events than the system's buffers hold."""
    position = Position()
    live(GameStarted(("a", "b"), position, None, 10**6))
    step = next(iter(position.legal_moves))
    for ply in range(1, 40_000):
        live(MoveMade(1, step, ply, 0.001, position))


async def test_a_site_ends_at_once_although_spectators_do_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # Longer than the limit of the test, which would fail if the site waited for the spectators.
    monkeypatch.setattr(serving, "SEND_TIME", 3600.0)
    live = LiveGame()
    fill(live)
    async with AsyncExitStack() as stalled:
        with trio.CancelScope() as scope:
            async with real_site(watch(live)) as url:
                for _ in range(3):
                    await stalled.enter_async_context(spectator(url, room=4096))
                await until_followed(live, 3)
                scope.cancel()
                await trio.lowlevel.checkpoint()
    assert live.spectators == 0


async def test_a_spectator_that_stops_reading_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "SEND_TIME", 0.2)
    live = LiveGame()
    fill(live)
    async with real_site(watch(live)) as url, spectator(url, room=4096):
        await until_followed(live, 1)
        await until_followed(live, 0)


async def test_compression_is_not_negotiated() -> None:
    """A message of a few bytes could unpack to megabytes before its length is checked."""
    async with real_site(watch(LiveGame())) as url:
        where = address(url)
        offer = b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
        async with await trio.open_tcp_stream(where.host, where.port) as stream:
            await stream.send_all(handshake(where).removesuffix(b"\r\n") + offer)
            head = bytes(await stream.receive_some(4096)).lower()
            assert head.startswith(b"http/1.1 101 ")
            assert b"sec-websocket-extensions" not in head
            bomb = bytes(100)
            # A text marked as compressed, masked with zeros.
            with suppress(trio.BrokenResourceError), trio.fail_after(10):
                await stream.send_all(b"\xc1\xe4" + bytes(4) + bomb)
                while await stream.receive_some(4096):
                    pass


async def test_a_closed_page_is_no_longer_a_spectator() -> None:
    live = LiveGame()
    async with real_site(watch(live)) as url:
        async with spectator(url):
            await until_followed(live, 1)
        await until_followed(live, 0)


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/site.json", "/nothing", "/qr.svg"])
async def test_a_connection_closes_after_the_response_if_requested(path: str) -> None:
    async with real_site(watch(LiveGame())) as url:
        assert (await ask(url, path)).startswith(b"HTTP/1.1 ")


async def test_an_address_typed_without_its_number_sign_leads_to_the_page() -> None:
    source = (Path(bundle.__file__).parent / "static" / "main.js").read_text()
    start = source.index('    "games/:number"')
    table = source[start : source.index('    "*": ', start)]
    routes = re.findall(r"^    \"?([a-z:/]+)\"?: ", table, re.MULTILINE)
    assert sorted(re.sub(r":(\w+)", r"{\1}", route) for route in routes) == sorted(
        page.replace(":number", "") for page in PAGES
    )
    async with real_site(watch(LiveGame())) as url:
        for page in PAGES:
            path = re.sub(r"\{\w+(:number)?\}", "7", page)
            answer = await ask(url, f"/{path}")
            up = "../" * path.count("/")
            assert b" 307 " in answer
            assert f"location: {up}./#/{path}\r\n".encode() in answer


async def test_too_many_connections_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MAX_CONNECTIONS", 1)
    live = LiveGame()
    async with real_site(watch(live)) as url:
        async with spectator(url):
            assert b" 503 " in await ask(url)
        await until_followed(live, 0)
        with trio.fail_after(10):
            while b" 200 " not in await ask(url):
                pass


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="one address of this machine is all there is"
)
async def test_no_address_shuts_out_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MAX_CONNECTIONS", 4)
    live = LiveGame()
    async with real_site(watch(live)) as url, AsyncExitStack() as stack:
        greedy = [await stack.enter_async_context(spectator(url)) for _ in range(4)]
        await until_followed(live, 4)
        for _ in range(2):
            await stack.enter_async_context(spectator(url, source="127.0.0.2"))
        # The newest connections made room.
        for stream in greedy[2:]:
            with suppress(trio.BrokenResourceError), trio.fail_after(10):
                while await stream.receive_some(4096):
                    pass
        await until_followed(live, 4)
        # Both addresses now have the same number.
        for source in (HOST, "127.0.0.2"):
            with pytest.raises(AssertionError, match="503"):
                await stack.enter_async_context(spectator(url, source=source))
        await stack.enter_async_context(spectator(url, source="127.0.0.3"))


async def test_requests_of_a_busy_address_are_read_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The requests of one address take no more than its share of a processor."""
    monkeypatch.setattr(serving, "ASKING_SAVED", 0.0)
    monkeypatch.setattr(serving, "ASKING_SHARE", 1e-9)
    async with real_site(watch(LiveGame())) as url:
        where = address(url)
        async with await trio.open_tcp_stream(where.host, where.port) as stream:
            await stream.send_all(f"GET /site.json HTTP/1.1\r\nHost: {where}\r\n\r\n".encode())
            with trio.move_on_after(0.2):
                pytest.fail(f"{await stream.receive_some(4096)!r} came before its time")


@pytest.mark.parametrize(
    "junk",
    [
        b"HELLO\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100),
        b"GET /site.json HTTP/1.1\r\n" + b"X: y\r\n" * 10_000,
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(100),
        b"",
    ],
    ids=["lan", "tls", "headers", "version", "http2", "nothing"],
)
async def test_junk_ends_its_own_connection_only(junk: bytes) -> None:
    async with real_site(watch(LiveGame())) as url:
        where = address(url)
        async with await trio.open_tcp_stream(where.host, where.port) as stream:
            with trio.move_on_after(1):
                try:
                    await stream.send_all(junk)
                    await stream.send_eof()
                    while await stream.receive_some(4096):
                        pass
                except trio.BrokenResourceError:
                    pass
        assert b" 200 " in await ask(url)


async def test_a_browser_that_breaks_the_protocol_is_not_reported() -> None:
    sentences: list[str] = []
    listeners = await listen(HOST, 0)
    where = Endpoint(HOST, listeners[0].socket.getsockname()[1])
    app = application(watch(LiveGame()), report=sentences.append)
    async with serving.serve_browsers(app, listeners, sentences.append):
        # Refused, because another site sends it.
        request = handshake(where).replace(b"Origin: http://", b"Origin: http://other.")
        async with await trio.open_tcp_stream(where.host, where.port) as stream:
            await stream.send_all(request + b"\x81\x80abcd")
            with trio.fail_after(10):
                while await stream.receive_some(4096):
                    pass
        assert b" 200 " in await ask(f"http://{where}/")
    assert not sentences


async def test_frames_before_the_answer_end_their_own_connection_only() -> None:
    """hypercorn raises an error when a WebSocket sends something while it is refused."""
    refusing = trio.Event()

    async def refuse_slowly(scope: Scope, _receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await PlainTextResponse("still here")(scope, _receive, send)
            return
        await send({"type": "websocket.http.response.start", "status": 404, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"no", "more_body": True})
        refusing.set()
        await trio.sleep_forever()

    sentences: list[str] = []
    listeners = await listen(HOST, 0)
    where = Endpoint(HOST, listeners[0].socket.getsockname()[1])
    async with serving.serve_browsers(refuse_slowly, listeners, sentences.append):
        for _ in range(2):
            async with await trio.open_tcp_stream(where.host, where.port) as stream:
                await stream.send_all(handshake(where))
                with trio.fail_after(10):
                    await refusing.wait()
                    await stream.send_all(b"\x81\x80abcd")
                    while await stream.receive_some(4096):
                        pass
        assert b"still here" in await ask(f"http://{where}/")
    assert not sentences


async def test_an_internal_error_ends_one_connection_and_is_reported_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken(TCPServer):
        async def run(self) -> None:
            raise KeyError("broken")

    sentences: list[str] = []
    listeners = await listen(HOST, 0)
    url = f"http://{Endpoint(HOST, listeners[0].socket.getsockname()[1])}/"
    async with serving.serve_browsers(application(watch(LiveGame())), listeners, sentences.append):
        with monkeypatch.context() as patch:
            patch.setattr(serving, "TCPServer", Broken)
            for _ in range(2):
                with suppress(trio.BrokenResourceError):
                    assert await ask(url) == b""
        assert b" 200 " in await ask(url)
    assert sentences == ["ERROR: internal error in the web view: KeyError('broken')"]


@pytest.mark.parametrize(
    "asked",
    [
        [(b":method", b"GET"), (b":path", b"/site.json")],
        [(b":method", b"CONNECT"), (b":path", b"/games/1/live"), (b":protocol", b"websocket")],
    ],
    ids=["page", "websocket"],
)
async def test_many_requests_in_one_connection_are_refused(asked: list[tuple[bytes, bytes]]) -> None:
    live = LiveGame()
    async with real_site(watch(live)) as url:
        where = address(url)
        name = str(where).encode()
        peer = H2Connection(H2Configuration(client_side=True, header_encoding=None))
        peer.initiate_connection()
        statuses: list[bytes] = []
        async with await trio.open_tcp_stream(where.host, where.port) as stream:
            with trio.fail_after(10):
                await stream.send_all(peer.data_to_send())
                peer.receive_data(bytes(await stream.receive_some(4096)))
                origin = [(b"origin", b"http://" + name), (b"sec-websocket-version", b"13")]
                peer.send_headers(1, [*asked, (b":scheme", b"http"), (b":authority", name), *origin])
                await stream.send_all(peer.data_to_send())
                while not statuses:
                    events = peer.receive_data(bytes(await stream.receive_some(4096)))
                    answers = [event for event in events if isinstance(event, ResponseReceived)]
                    statuses += [dict(answer.headers)[b":status"] for answer in answers]
        assert statuses == [b"505"]
        assert live.spectators == 0
