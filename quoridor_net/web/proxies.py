"""Browsers behind a proxy of the organiser, which forwards their addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from attrs import frozen
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from quoridor_net.net.networks import Networks, plain_address

_URL = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+(/[A-Za-z0-9._~/-]*)?")

#: Proxies on this machine.
ON_THIS_MACHINE = Networks((ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128")))


@frozen
class PublicPlace:
    """The address of a site as browsers know it, and the proxies that lead there.

    Attributes:
        url: ends with a slash, so that the page finds its files behind a prefix.
        proxies: the networks of the proxies, whose headers are believed.
    """

    url: str
    proxies: Networks = ON_THIS_MACHINE

    @property
    def name(self) -> str:
        """The host name, in lower case."""
        return urlsplit(self.url).hostname or ""


def parse_public_url(text: str) -> str:
    """Return a public address with a slash at its end.

    Raises:
        ValueError: it is not the address of a site; the message says what is expected.
    """
    try:
        is_valid = bool(_URL.fullmatch(text)) and bool(urlsplit(text).hostname) and urlsplit(text).port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ValueError(f"{text!r} is not the address of a site like https://example.org/quoridor/")
    return text if text.endswith("/") else f"{text}/"


class Forwarded:
    """Middleware that takes the address of a browser from the header of a named proxy.

    Each proxy appends the address of its client to ``X-Forwarded-For``. A browser can write
    anything in front of that, so the last address that is not itself a proxy counts. Without such an address
    the browser is unknown, and never taken for one on this machine.

    Args:
        app: the application.
        proxies: the networks of the proxies.
    """

    def __init__(self, app: ASGIApp, proxies: Networks) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or WebSocket."""
        client = scope.get("client")
        if client is not None and self._is_proxy(client[0]):
            found = self._find_browser(Headers(scope=scope).getlist("x-forwarded-for"))
            scope = {**scope, "client": None if found is None else (found, 0)}
        await self._app(scope, receive, send)

    def _is_proxy(self, address: str) -> bool:
        return self._proxies.admit(address)

    def _find_browser(self, headers: Sequence[str]) -> str | None:
        addresses = [each.strip() for header in headers for each in header.split(",")]
        for address in reversed(addresses):
            try:
                shown = str(plain_address(address))
            except ValueError:
                return None
            if not self._is_proxy(shown):
                return shown
        return None
