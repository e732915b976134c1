"""Messages from browsers: short JSON objects at a limited rate."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

import trio
from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocket, WebSocketState

from quoridor_net.phrases import phrase_of
from quoridor_net.web.live import encode
from quoridor_net.web.refusals import RefusalPhrase, RefusedError

#: Maximum size of a message, in bytes.
MAX_MESSAGE = 2048

#: Maximum number of messages at once, and in the long run per second.
BURST = 20
RATE = 5.0

#: Number of refusals after which a connection is closed.
PATIENCE = 30

#: The message by which a browser asks whether the server still hears it, and the answer. A browser cannot see
#: the pings of WebSockets.
PING = {"ping": True}
PONG = encode({"pong": True})

#: Timeout for the body of a request, in seconds.
BODY_TIME = 10.0

#: Close codes of WebSockets (RFC 6455, section 7.4.1).
POLICY_VIOLATION = 1008
TOO_BIG = 1009


def address_of(browser: HTTPConnection) -> str:
    """Return the address of a browser, without its port."""
    return "" if browser.client is None else browser.client.host


async def read_body(request: Request, most: int) -> bytes:
    """Return the body of a request.

    Raises:
        RefusedError: the body has more than ``most`` bytes, or does not arrive in time.
    """
    body = bytearray()
    with trio.move_on_after(BODY_TIME) as scope:
        async with aclosing(request.stream()) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > most:
                    raise RefusedError("too_long", RefusalPhrase.TOO_LONG(most=most))
    if scope.cancelled_caught:
        raise RefusedError("too_slow", RefusalPhrase.NOT_IN_TIME())
    return bytes(body)


async def read_object(request: Request) -> Mapping[str, Any]:
    """Return the JSON object in the body of a request.

    Raises:
        RefusedError: the body is not a JSON object, or its content type is not JSON.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError("malformed", RefusalPhrase.NOT_JSON())
    body = await read_body(request, MAX_MESSAGE)
    return parse_message(body.decode("utf-8", "replace"))


class Allowance:
    """The rate limit for the messages of one browser."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at = trio.current_time()

    def spend(self) -> bool:
        """Count one message; return whether it is within the limit."""
        now = trio.current_time()
        self._left = min(float(BURST), self._left + RATE * (now - self._at))
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def parse_message(text: str) -> Mapping[str, Any]:
    """Parse a message that holds one JSON object.

    Raises:
        RefusedError: it holds anything else.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise RefusedError("malformed", RefusalPhrase.NOT_AN_OBJECT())
    return message


def sender(socket: WebSocket) -> Callable[[str], Awaitable[None]]:
    """Return a function that sends a text to a browser, and does nothing once the connection is closing.

    When :func:`converse` closes a connection for a fault, the task that follows the game still runs briefly.

    A text is sent completely or not at all, even if the sending task is cancelled. hypercorn builds the frame
    before it waits to send it; where frames depend on earlier ones, a lost frame would break the connection.
    """

    async def send(text: str) -> None:
        if socket.application_state is WebSocketState.CONNECTED:
            await trio.lowlevel.checkpoint_if_cancelled()
            with trio.CancelScope(shield=True):
                await socket.send_text(text)
        else:
            await trio.lowlevel.checkpoint()

    return send


async def converse(
    socket: WebSocket,
    handle: Callable[[Mapping[str, Any]], Awaitable[None]],
    hear: Callable[[], None] = lambda: None,
) -> None:
    """Pass every message of a browser to ``handle`` until the connection ends; refuse invalid ones.

    A ping is answered here.

    Args:
        socket: an accepted connection.
        handle: handles a message; raises RefusedError, which is sent to the browser, to refuse it.
        hear: called for every message, also a ping.
    """
    allowance, refusals = Allowance(), 0
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        hear()
        # Binary messages have no text.
        text = received.get("text") or ""
        if len(text.encode()) > MAX_MESSAGE:
            await socket.close(TOO_BIG, "a message is too long")
            return
        try:
            if not allowance.spend():
                await socket.send_text(refuse(RefusedError("too_fast", RefusalPhrase.TOO_MANY())))
                await socket.close(POLICY_VIOLATION, "too many messages")
                return
            message = parse_message(text)
            if message == PING:
                await socket.send_text(PONG)
            else:
                await handle(message)
        except RefusedError as error:
            await socket.send_text(refuse(error))
            refusals += 1
            if refusals >= PATIENCE:
                await socket.close(POLICY_VIOLATION, "too many refused messages")
                return


async def refuse_all(_message: Mapping[str, Any]) -> None:
    """Refuse every message, for connections that accept none.

    Raises:
        RefusedError: always.
    """
    raise RefusedError("malformed", RefusalPhrase.NOTHING_TO_SAY())


def refuse(error: RefusedError) -> str:
    """Return the message that tells a browser why its own was refused."""
    return encode({"refused": error.sentence, "code": error.code, "phrase": phrase_of(error.sentence)})
