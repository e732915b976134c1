"""The addresses of this machine, and of those that names stand for."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

import trio

from quoridor_net.net.networks import plain_address

#: Documentation addresses, which no machine has (RFC 5737, RFC 3849). The route to one reveals our own
#: address.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_PORT = 9

#: Name of this machine in :func:`find_hosts`.
LOCALHOST = "localhost"

#: Timeout for looking up a name, in seconds.
LOOKUP_TIME = 3.0


def own_addresses(wanted: socket.AddressFamily = socket.AF_UNSPEC) -> tuple[str, ...]:
    """Return the addresses at which most other machines reach this one; none without a network.

    Args:
        wanted: the family of the addresses; by default both IPv4 and IPv6.
    """
    found = []
    for family, elsewhere in _ELSEWHERE:
        if wanted not in {socket.AF_UNSPEC, family}:
            continue
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            # This sends nothing; it only chooses a route.
            probe.connect((elsewhere, _PORT))
            found.append(str(probe.getsockname()[0]))
    return tuple(found)


def own_address(family: socket.AddressFamily = socket.AF_UNSPEC) -> str:
    """Return the address at which most other machines reach this one.

    Without a network, return the host name, or for IPv6 the loopback address, because the name often has
    none.
    """
    alone = "::1" if family == socket.AF_INET6 else socket.gethostname()
    return next(iter(own_addresses(family)), alone)


def numeric_host(address: tuple[Any, ...]) -> str:
    """Return the host of a socket address, with the zone of a link-local address."""
    host = str(address[0])
    zone = address[3] if len(address) == 4 else 0
    if not zone or "%" in host:
        return host
    try:
        return f"{host}%{socket.if_indextoname(zone)}"
    except OSError:
        return f"{host}%{zone}"


def is_this_machine(address: str) -> bool:
    """Return whether a numeric address leads to this machine."""
    try:
        number = plain_address(address)
    except ValueError:
        return False
    return number.is_loopback or number.is_unspecified or address in own_addresses()


async def find_hosts(name: str) -> frozenset[str]:
    """Return the numeric addresses of a host, with :data:`LOCALHOST` for all addresses of this machine.

    A name without an address, or one that is not found in time, stands for itself, in lower case.
    """
    found: list[Any] = []
    with trio.move_on_after(LOOKUP_TIME), suppress(OSError, UnicodeError):
        found = await trio.socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    hosts = [numeric_host(each[4]) for each in found] or [name.lower()]
    return frozenset(LOCALHOST if is_this_machine(host) else host for host in hosts)
