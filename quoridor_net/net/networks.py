"""Networks allowed to connect, as given by ``--allow``."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from attrs import field, frozen

from quoridor_net.text import quote

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: Length of the prefix of an IPv4-mapped IPv6 address such as ``::ffff:192.168.1.7``, in bits.
_MAPPED = 96

#: Maximum number of refused addresses in the log, so that refused clients cannot fill it.
MOST_NAMED = 100


def parse_network(text: str) -> Network:
    """Parse a network such as 192.168.1.0/24 or fd00::/8; a bare address is a network of one machine.

    Raises:
        ValueError: ``text`` is not a network; the message says what is expected.
    """
    try:
        # Any address of the network will do, not only its first one.
        network = _network(text)
    except ValueError:
        expected = "expected an address and the length of its network, as in 192.168.1.0/24"
        raise ValueError(f"{quote(text)} is not a network: {expected}") from None
    if isinstance(network, ipaddress.IPv6Network) and network.prefixlen >= _MAPPED:
        mapped = network.network_address.ipv4_mapped
        if mapped is not None:
            return ipaddress.ip_network((mapped, network.prefixlen - _MAPPED))
    return network


@frozen
class Networks:
    """The networks with which connections are allowed.

    This machine is always allowed, because anyone who can use its loopback addresses can already run programs
    on it.

    Attributes:
        allowed: the networks; if empty, all networks are allowed.
        has_loopback: whether loopback addresses are allowed, too.
    """

    allowed: tuple[Network, ...] = ()
    has_loopback: bool = True

    def admit(self, address: str) -> bool:
        """Return whether a machine with this address, empty if the peer is gone, is allowed."""
        if not self.allowed and self.has_loopback:
            return True
        try:
            number = plain_address(address)
        except ValueError:
            return False
        if number.is_loopback:
            return self.has_loopback
        return not self.allowed or any(_contains(network, number) for network in self.allowed)

    def __str__(self) -> str:
        return ", ".join(map(str, self.allowed)) or "the networks of other machines"


#: All networks.
EVERYBODY = Networks()


@frozen
class Doorkeeper:
    """Decides which clients may connect, and reports each refused address once.

    Args:
        networks: the allowed networks.
        report: gets a sentence about each refusal.
    """

    networks: Networks
    report: Callable[[str], None]
    _named: set[str] = field(factory=set, init=False)

    def admit(self, address: str) -> bool:
        """Return whether the machine with this address may stay."""
        if self.networks.admit(address):
            return True
        if address not in self._named and len(self._named) < MOST_NAMED:
            self._named.add(address)
            last = "; further refusals are not reported" if len(self._named) == MOST_NAMED else ""
            self.report(f"refused {address or 'a connection'}: not in {self.networks} (--allow){last}")
        return False


def _network(text: str) -> Network:
    network = ipaddress.ip_network(text, strict=False)
    _, percent, rest = text.partition("%")
    if percent and isinstance(network, ipaddress.IPv6Network):
        # ip_network drops the zone when it clears the host bits.
        first = ipaddress.IPv6Address(int(network.network_address))
        return ipaddress.IPv6Network(f"{first}%{rest.partition('/')[0]}/{network.prefixlen}")
    return network


def _contains(network: Network, address: Address) -> bool:
    """Return whether ``address`` is in ``network`` and, if that has a zone, in its zone."""
    zone = getattr(network.network_address, "scope_id", None)
    return address in network and zone in {None, getattr(address, "scope_id", None)}


def plain_address(text: str) -> Address:
    """Parse a numeric address; an IPv4-mapped IPv6 address becomes that IPv4 address.

    Raises:
        ValueError: ``text`` is not a numeric address.
    """
    address = ipaddress.ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
