"""The addresses of this machine, as others see them."""

from __future__ import annotations

import socket
from contextlib import suppress

#: Nobody has these addresses (RFC 5737, RFC 3849); the system says from which of ours each would be reached.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_PORT = 9


def own_addresses() -> tuple[str, ...]:
    """Return the addresses under which this machine is reached by most others; none without a network."""
    found = []
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Nothing is sent: this only chooses a route.
            probe.connect((elsewhere, _PORT))
            found.append(str(probe.getsockname()[0]))
    return tuple(found)


def own_address() -> str:
    """Return the address under which this machine is reached by most others; without a network, its name."""
    return next(iter(own_addresses()), socket.gethostname())
