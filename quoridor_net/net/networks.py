"""Networks whose machines may be talked to, as ``--allow`` gives them."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from attrs import field, frozen

from quoridor_net.text import quote

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: Bits in front of an IPv4 address that is written as one of IPv6, ``::ffff:192.168.1.7``.
_MAPPED = 96

#: Refused addresses that are named, each once: a log is not to be filled by those who are refused.
MOST_NAMED = 100


def parse_network(text: str) -> Network:
    """Return the network written in ``text``, as 192.168.1.0/24 or fd00::/8; an address stands for itself.

    Raises:
        ValueError: the text is none; the message says what is expected.
    """
    try:
        # An address of the network does as well as its first one: what is meant is clear.
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
    """Whose connections are served and made.

    This machine itself is always allowed: who can use its loopback addresses runs programs on it already.

    Attributes:
        allowed: the networks; none stands for all there are.
    """

    allowed: tuple[Network, ...] = ()

    def admit(self, address: str) -> bool:
        """Return whether the machine with this address, which may be empty if it is gone, is allowed."""
        if not self.allowed:
            return True
        try:
            number = _plain(ipaddress.ip_address(address))
        except ValueError:
            return False
        return number.is_loopback or any(_contains(network, number) for network in self.allowed)

    def __str__(self) -> str:
        return ", ".join(map(str, self.allowed))


#: No limits.
EVERYBODY = Networks()


@frozen
class Doorkeeper:
    """Decides on those who connect, and reports those who are refused: each address once.

    Args:
        networks: who is allowed.
        report: is given a sentence about a refusal.
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
            last = "; further addresses are refused without a word" if len(self._named) == MOST_NAMED else ""
            self.report(f"refused {address or 'a connection'}: not in {self.networks} (--allow){last}")
        return False


def _network(text: str) -> Network:
    network = ipaddress.ip_network(text, strict=False)
    _, percent, rest = text.partition("%")
    if percent and isinstance(network, ipaddress.IPv6Network):
        # Python drops the zone where it clears the bits of the host.
        first = ipaddress.IPv6Address(int(network.network_address))
        return ipaddress.IPv6Network(f"{first}%{rest.partition('/')[0]}/{network.prefixlen}")
    return network


def _contains(network: Network, address: Address) -> bool:
    """Return whether ``address`` is in ``network``, in its zone if that has one."""
    zone = getattr(network.network_address, "scope_id", None)
    return address in network and zone in {None, getattr(address, "scope_id", None)}


def _plain(address: Address) -> Address:
    """Return an IPv4 address that comes in the form of IPv6 as such."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
