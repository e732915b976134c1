"""Where a site is found, and opening it there."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import trio
from attrs import field, frozen

from quoridor_net.net.endpoint import Endpoint
from quoridor_net.web.application import Site, application
from quoridor_net.web.origin import names_of_this_machine
from quoridor_net.web.serving import serving

#: Hosts that mean every address of this machine.
_ALL = frozenset({"0.0.0.0", "::"})  # noqa: S104 - recognised, not listened on

#: Nobody has this address (RFC 5737); the system says which of ours it would be reached from.
_ELSEWHERE = ("192.0.2.1", 9)


@frozen
class WebAddress:
    """Where browsers find a site: sockets that listen already.

    Attributes:
        host: as it was given.
        listeners: on which browsers come.
        url: what to type into a browser, of this machine or, if it listens there, of another one.
    """

    host: str
    listeners: list[trio.SocketListener]
    url: str = field(init=False)

    @url.default
    def _reachable(self) -> str:
        host = own_address() if self.host in _ALL else self.host
        return f"http://{Endpoint(host, self.listeners[0].socket.getsockname()[1])}/"

    def seat(self, token: str) -> str:
        """Return the link to the seat of ``token``, which browsers send to nobody: it follows ``#``."""
        return f"{self.url}#/seat/{token}"

    @asynccontextmanager
    async def open(self, site: Site, report: Callable[[str], None]) -> AsyncIterator[None]:
        """Serve ``site`` until the context ends; ``report`` gets a sentence about each trouble."""
        app = application(site, names_of_this_machine(self.host), report)
        async with serving(app, self.listeners, report):
            yield


def own_address() -> str:
    """Return the address under which this machine is reached by most others; without a network, its name."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: this only chooses a route.
        probe.connect(_ELSEWHERE)
        return str(probe.getsockname()[0])
    return socket.gethostname()
