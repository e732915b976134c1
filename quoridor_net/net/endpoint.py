"""Where a move server listens, as written on the command line: ``host:port`` or ``[ipv6]:port``."""

from __future__ import annotations

import enum
import ipaddress
import re

from attrs import frozen

from quoridor_net.phrases import Phrase
from quoridor_net.text import UnparsableError, parse_number, quote

#: What a machine calls itself.
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})

#: The largest number of a port.
MAX_PORT = 65535

# Section "Client": the colon separates a machine name from the corresponding port number. Names have visible
# ASCII characters; the resolver knows others by their form that begins with xn--. A zone is the name of a
# network interface, which may be br-lan or eth0.7, or its number.
_FORM = re.compile(r"(?:\[([0-9A-Fa-f:.]+(?:%[!-Z\\^-~]+)?)\]|([!-9;-Z\\^-~]+)):([0-9]+)", re.ASCII)


@enum.unique
class AddressPhrase(Phrase):
    """What can be wrong with an endpoint that was written."""

    NO_ADDRESS = "{text} is not an address: expected HOST:PORT, for IPv6 [ADDRESS]:PORT"
    NO_PORT = "{text} is an address without a port: expected HOST:PORT, as in {example}"
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
        """The same endpoint for every spelling of the host: in any case, and by any name of this machine."""
        name, percent, zone = self.host.partition("%")
        # The names of network interfaces are case-sensitive.
        host = f"{name.lower()}{percent}{zone}"
        return Endpoint("localhost" if host in _THIS_MACHINE else host, self.port)


def check_zone(host: str) -> None:
    """Refuse a link-local IPv6 address without a zone: such addresses are the same on every network.

    Raises:
        ValueError: the message shows the address with a zone.
    """
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        return
    if address.is_link_local and address.scope_id is None:
        raise ValueError(AddressPhrase.NO_ZONE(text=quote(host), example=f"{host}%eth0"))


def parse_endpoint(text: str, least_port: int = 1) -> Endpoint:
    """Return the endpoint written in ``text``; ``least_port`` is 0 where that means any free one.

    Raises:
        ValueError: the text is none; the message says what is expected.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        if ":" in text:
            raise ValueError(AddressPhrase.NO_ADDRESS(text=quote(text)))
        example = (
            f"localhost:{text}" if text.isascii() and text.isdigit() and len(text) <= 5 else "marcy:5858"
        )
        raise ValueError(AddressPhrase.NO_PORT(text=quote(text), example=example))
    check_zone(match[1] or "")
    try:
        return Endpoint(match[1] or match[2], parse_number(match[3], least_port, MAX_PORT))
    except UnparsableError:
        sentence = AddressPhrase.PORT(text=quote(text), least=least_port, most=MAX_PORT)
        raise ValueError(sentence) from None
