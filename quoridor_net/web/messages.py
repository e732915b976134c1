"""What browsers say on a WebSocket: JSON objects, short and not too many."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

import trio
from attrs import frozen
from starlette.requests import Request
from starlette.websockets import WebSocket, WebSocketState

from quoridor_net.web.live import encoded

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


@frozen
class RefusedError(Exception):
    """A message changes nothing.

    Attributes:
        code: a word for programs.
        sentence: the reason for people.
    """

    code: str
    sentence: str

    def __str__(self) -> str:
        return self.sentence


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
                    raise RefusedError("too_long", f"This is too long: at most {most} bytes are read.")
    if scope.cancelled_caught:
        raise RefusedError("too_slow", "This did not come in time.")
    return bytes(body)


async def read_object(request: Request) -> Mapping[str, Any]:
    """Return the JSON object that a request carries.

    Raises:
        RefusedError: it carries none, or says not that it is JSON.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError("malformed", "The content type is not application/json.")
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
        raise RefusedError("malformed", "A message is one JSON object.")
    return message


def sender(socket: WebSocket) -> Callable[[str], Awaitable[None]]:
    """Return what sends a text to a browser, and nothing any more once the connection is being closed.

    Whoever follows a game goes on for a moment when :func:`converse` closes the connection for a fault.
    """

    async def send(text: str) -> None:
        if socket.application_state is WebSocketState.CONNECTED:
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
                await socket.send_text(_refusal(RefusedError("too_fast", "These are too many messages.")))
                await socket.close(POLICY_VIOLATION, "too many messages")
                return
            await handle(parse_message(text))
        except RefusedError as error:
            await socket.send_text(_refusal(error))
            refusals += 1
            if refusals >= PATIENCE:
                await socket.close(POLICY_VIOLATION, "too many refused messages")
                return


async def refuse_all(_message: Mapping[str, Any]) -> None:
    """Refuse every message, where browsers have nothing to say.

    Raises:
        RefusedError: always.
    """
    raise RefusedError("malformed", "Nothing is to be said here.")


def _refusal(error: RefusedError) -> str:
    return encoded({"refused": error.sentence, "code": error.code})
