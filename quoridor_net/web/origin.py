"""Checks that requests come from pages of the site itself, under a name of this machine."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Sequence

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quoridor_net.web.refusals import RefusalPhrase, refusal

#: Pages run and load the site's own files only, and cannot be framed (CSP level 3).
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

_SAFE_METHODS = {"GET", "HEAD"}


def names_of_this_machine(host: str) -> frozenset[str]:
    """Return the host names, in lower case, that requests may use besides IP addresses.

    Args:
        host: the host given on the command line.
    """
    own = socket.gethostname().lower()
    return frozenset({"localhost", host.lower(), own, f"{own}.local", own.partition(".")[0]})


def is_known(host: str, names: Iterable[str]) -> bool:
    """Return whether the header ``Host`` names this machine.

    Another site can point its own name to the address of this machine (DNS rebinding). It cannot do that
    with a name of this machine, or with an IP address.
    """
    name, colon, port = host.rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()):
        name = host
    if name.lower() in names:
        return True
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class OwnOrigin:
    """Middleware that refuses requests from other sites, and adds security headers.

    Args:
        app: the application.
        names: host names of this machine, in lower case.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or WebSocket."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        headers = Headers(scope=scope)
        # A duplicated header may be an attempt to confuse two parsers.
        host = _only(headers.getlist("host"))
        if not is_known(host, self._names):
            answer = PlainTextResponse("Unknown host name. Use this machine's address.\n", 421)
            await answer(scope, receive, send_safely)
        elif self._may_change(scope) and _only(headers.getlist("origin")) not in _origins(host):
            await refusal(RefusalPhrase.OTHER_SITE(), 403)(scope, receive, send_safely)
        else:
            await self._app(scope, receive, send_safely)

    def _may_change(self, scope: Scope) -> bool:
        return scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS


def _only(values: Sequence[str]) -> str:
    """Return the value of a header that occurs exactly once; otherwise an empty string."""
    return values[0] if len(values) == 1 else ""


def _origins(host: str) -> set[str]:
    return {f"http://{host}", f"https://{host}"}
