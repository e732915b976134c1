"""What browsers say on a WebSocket: JSON objects, short and not too many."""

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

#: Most bytes of a message.
MAX_MESSAGE = 2048

#: Messages that may come at once, and that may come in a second in the long run.
BURST = 20
RATE = 5.0

#: Refusals after which a connection is closed.
PATIENCE = 30

#: Seconds in which what a request carries has to come.
BODY_TIME = 10.0

#: Codes of closing (RFC 6455, section 7.4.1).
POLICY_VIOLATION = 1008
TOO_BIG = 1009


def address_of(browser: HTTPConnection) -> str:
    """Return the address of a browser, without its port."""
    return "" if browser.client is None else browser.client.host


async def read_body(request: Request, most: int) -> bytes:
    """Return what a request carries.

    Raises:
        RefusedError: it is more than ``most`` bytes, or does not come in time.
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
    """Return the JSON object that a request carries.

    Raises:
        RefusedError: it carries none, or says not that it is JSON.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError("malformed", RefusalPhrase.NOT_JSON())
    body = await read_body(request, MAX_MESSAGE)
    return parse_message(body.decode("utf-8", "replace"))


class Allowance:
    """How many messages one browser may still send."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at = trio.current_time()

    def spend(self) -> bool:
        """Count one message; return whether it may be heeded."""
        now = trio.current_time()
        self._left = min(float(BURST), self._left + RATE * (now - self._at))
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def parse_message(text: str) -> Mapping[str, Any]:
    """Return the object that a message holds.

    Raises:
        RefusedError: it holds none.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise RefusedError("malformed", RefusalPhrase.NOT_AN_OBJECT())
    return message


def sender(socket: WebSocket) -> Callable[[str], Awaitable[None]]:
    """Return what sends a text to a browser, and nothing any more once the connection is being closed.

    Whoever follows a game goes on for a moment when :func:`converse` closes the connection for a fault.

    A text is sent whole or not at all, also when whoever sends it is cancelled. hypercorn makes a frame of it
    before it waits for its turn; where frames depend on those before them, one that is lost spoils all.
    """

    async def send(text: str) -> None:
        if socket.application_state is WebSocketState.CONNECTED:
            await trio.lowlevel.checkpoint_if_cancelled()
            with trio.CancelScope(shield=True):
                await socket.send_text(text)
        else:
            await trio.lowlevel.checkpoint()

    return send


async def converse(socket: WebSocket, handle: Callable[[Mapping[str, Any]], Awaitable[None]]) -> None:
    """Give ``handle`` every message of a browser until the connection ends; refuse what may not be.

    Args:
        socket: accepted already.
        handle: raises RefusedError for what changes nothing, which the browser is told.
    """
    allowance, refusals = Allowance(), 0
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        # A message of bytes has none.
        text = received.get("text") or ""
        if len(text.encode()) > MAX_MESSAGE:
            await socket.close(TOO_BIG, "a message is too long")
            return
        try:
            if not allowance.spend():
                await socket.send_text(refuse(RefusedError("too_fast", RefusalPhrase.TOO_MANY())))
                await socket.close(POLICY_VIOLATION, "too many messages")
                return
            await handle(parse_message(text))
        except RefusedError as error:
            await socket.send_text(refuse(error))
            refusals += 1
            if refusals >= PATIENCE:
                await socket.close(POLICY_VIOLATION, "too many refused messages")
                return


async def refuse_all(_message: Mapping[str, Any]) -> None:
    """Refuse every message, where browsers have nothing to say.

    Raises:
        RefusedError: always.
    """
    raise RefusedError("malformed", RefusalPhrase.NOTHING_TO_SAY())


def refuse(error: RefusedError) -> str:
    """Return the message that tells a browser why nothing was changed."""
    return encode({"refused": error.sentence, "code": error.code, "phrase": phrase_of(error.sentence)})
