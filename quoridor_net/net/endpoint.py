"""Addresses of move servers as written on the command line: ``host:port`` or ``[ipv6]:port``."""

from __future__ import annotations

import enum
import ipaddress
import re

from attrs import frozen

from quoridor_net.phrases import Phrase
from quoridor_net.text import UnparsableError, parse_number, quote

#: Names by which every machine knows itself.
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})

#: Maximum port number.
MAX_PORT = 65535

# Section "Client": the colon separates a machine name from the corresponding port number. Names consist of
# visible ASCII characters; other names are written in their xn-- form. A zone is the name of a network
# interface, for example br-lan or eth0.7, or its number.
_FORM = re.compile(r"(?:\[([0-9A-Fa-f:.]+(?:%[!-Z\\^-~]+)?)\]|([!-9;-Z\\^-~]+)):([0-9]+)", re.ASCII)


@enum.unique
class AddressPhrase(Phrase):
    """Errors in a written endpoint."""

    NO_ADDRESS = "{text} is not an address: expected HOST:PORT, for IPv6 [ADDRESS]:PORT"
    NO_PORT = "{text} is an address without a port: expected HOST:PORT, as in {example}"
    NO_HOST = "{text} is a port without a host: write HOST:PORT, as in {example}"
    NO_ZONE = (
        "{text} is a link-local address, which needs the name of a network interface as its zone: {example}"
    )
    PORT = "{text}: a port is a number from {least} to {most}"


@frozen
class Endpoint:
    """A machine name or address, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def canonical(self) -> Endpoint:
        """The endpoint with one spelling of the host, whatever its case or the local name used."""
        name, percent, zone = self.host.partition("%")
        # The names of network interfaces are case-sensitive.
        host = f"{name.lower()}{percent}{zone}"
        return Endpoint("localhost" if host in _THIS_MACHINE else host, self.port)


def check_zone(host: str) -> None:
    """Reject a link-local IPv6 address without a zone, which would be ambiguous.

    Raises:
        ValueError: the zone is missing; the message shows the address with one.
    """
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        return
    if address.is_link_local and address.scope_id is None:
        raise ValueError(AddressPhrase.NO_ZONE(text=quote(host), example=f"{host}%eth0"))


def parse_endpoint(text: str, least_port: int = 1) -> Endpoint:
    """Parse an endpoint; ``least_port`` is 0 where port 0 means any free port.

    Raises:
        ValueError: ``text`` is not an endpoint; the message says what is expected.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        if ":" in text:
            raise ValueError(AddressPhrase.NO_ADDRESS(text=quote(text)))
        if text.isascii() and text.isdigit() and len(text) <= 5:
            raise ValueError(AddressPhrase.NO_HOST(text=quote(text), example=f"localhost:{text}"))
        raise ValueError(AddressPhrase.NO_PORT(text=quote(text), example="marcy:5858"))
    check_zone(match[1] or "")
    try:
        return Endpoint(match[1] or match[2], parse_number(match[3], least_port, MAX_PORT))
    except UnparsableError:
        sentence = AddressPhrase.PORT(text=quote(text), least=least_port, most=MAX_PORT)
        raise ValueError(sentence) from None
