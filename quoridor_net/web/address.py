"""The address at which a site is served."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio
from attrs import field, frozen

from quoridor_net.net.addresses import numeric_host, own_address
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.listening import port_of
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.web.application import Site, application
from quoridor_net.web.origin import names_of_this_machine
from quoridor_net.web.proxies import PublicPlace
from quoridor_net.web.serving import serve_browsers


@frozen
class WebAddress:
    """The address of a site, with sockets that already listen.

    Attributes:
        host: as given by the user.
        listeners: sockets that accept browsers.
        networks: networks whose browsers are served.
        public: address behind a proxy; None without a proxy.
        url: address to type into a browser; other machines can use it if the sockets listen there.
    """

    host: str
    listeners: list[trio.SocketListener]
    networks: Networks = EVERYBODY
    public: PublicPlace | None = None
    url: str = field(init=False)

    @url.default
    def _reachable(self) -> str:
        if self.public is not None:
            return self.public.url
        listener = self.listeners[0]
        address = ipaddress.ip_address(numeric_host(listener.socket.getsockname()))
        # An unspecified address stands for this machine's addresses of its own family only.
        host = own_address(listener.socket.family) if address.is_unspecified else self.host
        # A URL writes the % before a zone as %25 (RFC 6874).
        return f"http://{Endpoint(host.replace('%', '%25'), port_of(listener))}/"

    def seat(self, token: str) -> str:
        """Return the link to the seat of ``token``, which follows ``#`` so that browsers never send it."""
        return f"{self.url}#/seat/{token}"

    @asynccontextmanager
    async def open(self, site: Site, report: Callable[[str], None]) -> AsyncIterator[None]:
        """Serve ``site`` until the context ends; ``report`` gets a sentence about each problem."""
        names = names_of_this_machine(self.host)
        if self.public is None:
            app = application(site, names, report, self.url)
        else:
            app = application(site, names | {self.public.name}, report, self.url, self.public.proxies)
        async with serve_browsers(app, self.listeners, report, self.networks):
            yield

    async def aclose(self) -> None:
        """Stop listening, even if no site was ever opened."""
        for listener in self.listeners:
            await listener.aclose()
