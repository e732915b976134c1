"""The addresses of this machine, as others see them."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

#: Nobody has these addresses (RFC 5737, RFC 3849); the system says from which of ours each would be reached.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_PORT = 9


def own_addresses(wanted: socket.AddressFamily = socket.AF_UNSPEC) -> tuple[str, ...]:
    """Return the addresses under which this machine is reached by most others; none without a network.

    Args:
        wanted: the family of the addresses; both IPv4 and IPv6 unless given.
    """
    found = []
    for family, elsewhere in _ELSEWHERE:
        if wanted not in {socket.AF_UNSPEC, family}:
            continue
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Nothing is sent: this only chooses a route.
            probe.connect((elsewhere, _PORT))
            found.append(str(probe.getsockname()[0]))
    return tuple(found)


def own_address(family: socket.AddressFamily = socket.AF_UNSPEC) -> str:
    """Return the address under which this machine is reached by most others.

    Without a network that is its name or, as the name often has no IPv6 address, the loopback address.
    """
    alone = "::1" if family == socket.AF_INET6 else socket.gethostname()
    return next(iter(own_addresses(family)), alone)


def numeric_host(address: tuple[Any, ...]) -> str:
    """Return the host in the address of a socket, with the zone that a link-local address needs."""
    host = str(address[0])
    zone = address[3] if len(address) == 4 else 0
    if not zone or "%" in host:
        return host
    try:
        return f"{host}%{socket.if_indextoname(zone)}"
    except OSError:
        return f"{host}%{zone}"
