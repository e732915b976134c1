"""Browsers in memory that talk ASGI to an application, and real sites on loopback."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import trio
from attrs import frozen
from starlette.types import ASGIApp, Message

from quoridor_net.net.listening import listen
from quoridor_net.output import ignore
from quoridor_net.web.address import WebAddress
from quoridor_net.web.application import Site, application
from tests.support.loopback import HOST

#: Host name of the site in memory.
NAME = "localhost:8000"


def in_memory(site: Site) -> ASGIApp:
    """Return the application of ``site``; an error in the application fails the test."""

    def fail(sentence: str) -> None:
        raise AssertionError(sentence)

    return application(site, report=fail)


@frozen
class Answer:
    """The response to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class ClosedError(Exception):
    """The site closed or refused the WebSocket."""

    def __init__(self, code: int, body: bytes = b"") -> None:
        super().__init__(f"closed with {code}")
        self.code = code
        self.body = body


class Tab:
    """One WebSocket of a browser."""

    def __init__(self) -> None:
        self._to_site, self._for_site = trio.open_memory_channel[Message](1000)
        self._to_tab, self._for_tab = trio.open_memory_channel[Message](1000)
        self._refusal = 0

    async def send(self, message: object) -> None:
        """Send ``message``: a string unchanged, anything else as JSON."""
        text = message if isinstance(message, str) else json.dumps(message)
        await self.raw({"type": "websocket.receive", "text": text})

    async def raw(self, message: Message) -> None:
        await self._to_site.send(message)

    async def receive(self) -> Any:
        """Return the next message from the site.

        Raises:
            ClosedError: the site closed the connection.
        """
        message = await self._for_tab.receive()
        match message["type"]:
            case "websocket.send":
                return json.loads(message["text"])
            case "websocket.close":
                raise ClosedError(message.get("code", 1000))
            case "websocket.http.response.start":
                body = await self._for_tab.receive()
                raise ClosedError(message["status"], body.get("body", b""))
        raise AssertionError(message)

    async def until(self, name: str) -> Any:
        """Return the next message with a field or event called ``name``, and skip others."""
        while True:
            said = await self.receive()
            for each in said if isinstance(said, list) else [said]:
                if name in each or each.get("event") == name:
                    return each

    async def run(self, app: ASGIApp, scope: Mapping[str, Any]) -> None:
        scope = {**scope, "subprotocols": [], "extensions": {"websocket.http.response": {}}}
        await self.raw({"type": "websocket.connect"})
        await app(scope, self._for_site.receive, self._to_tab.send)


class Browser:
    """A browser that visits an application.

    Args:
        app: the application.
        origin: origin of the page that sends the request.
        host: host name in the request.
        more: additional headers, which may repeat others.
        address: address of the browser's machine.
    """

    def __init__(
        self,
        app: ASGIApp,
        origin: str | None = f"http://{NAME}",
        host: str = NAME,
        more: Sequence[tuple[str, str]] = (),
        address: str = "127.0.0.1",
    ) -> None:
        self._app = app
        self._client = {"client": (address, 50000)}
        self._more = more
        self._headers = {"host": host} | ({} if origin is None else {"origin": origin})

    async def get(self, path: str, **headers: str) -> Answer:
        return await self._request("GET", path, b"", headers)

    async def post(self, path: str, body: bytes | object = b"", **headers: str) -> Answer:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self._request("POST", path, data, {"content-type": "application/json"} | headers)

    @asynccontextmanager
    async def tab(self, path: str) -> AsyncIterator[Tab]:
        """Open a WebSocket until the block ends."""
        tab = Tab()
        async with trio.open_nursery() as nursery:
            scope = _scope("websocket", path, [*self._headers.items(), *self._more]) | self._client
            nursery.start_soon(tab.run, self._app, scope)
            message = await tab._for_tab.receive()
            if message["type"] != "websocket.accept":
                # The first message is a refusal, which ``receive`` must report.
                refused = trio.open_memory_channel[Message](10)
                await refused[0].send(message)
                if message["type"] == "websocket.http.response.start":
                    await refused[0].send(await tab._for_tab.receive())
                tab._for_tab = refused[1]
            yield tab
            await tab.raw({"type": "websocket.disconnect", "code": 1001})
            nursery.cancel_scope.cancel()

    async def _request(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        said: list[Message] = []
        pending = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if pending:
                return pending.pop()
            await trio.sleep_forever()
            raise AssertionError("unreachable")

        async def send(message: Message) -> None:
            said.append(message)

        names = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = [*(self._headers | names).items(), *self._more]
        scope = _scope("http", path, sent) | self._client | {"method": method}
        await self._app(scope, receive, send)
        start = said[0]
        found = {name.decode(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], found, b"".join(each.get("body", b"") for each in said[1:]))


def _scope(kind: str, path: str, headers: Sequence[tuple[str, str]]) -> dict[str, Any]:
    path, _, query = path.partition("?")
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
        "server": ("127.0.0.1", 8000),
    }


@asynccontextmanager
async def real_site(site: Site) -> AsyncIterator[str]:
    """Serve ``site`` on a free port of this machine until the block ends, and yield its URL."""
    address = WebAddress(HOST, await listen(HOST, 0))
    async with address.open(site, ignore):
        yield address.url
