"""Where a move server listens, as written on the command line: ``host:port`` or ``[ipv6]:port``."""

from __future__ import annotations

import re

from attrs import frozen

# Section "Client": the colon separates a machine name from the corresponding port number.
_FORM = re.compile(r"(?:\[([0-9A-Fa-f:.]+(?:%\w+)?)\]|([^\s:\[\]]+)):([0-9]{1,5})", re.ASCII)


@frozen
class Endpoint:
    """A machine name or address, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_endpoint(text: str) -> Endpoint:
    """Return the endpoint written in ``text``.

    Raises:
        ValueError: the text is none; the message says what is expected.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no move server: expected HOST:PORT, for IPv6 [ADDRESS]:PORT")
    port = int(match[3])
    if not 1 <= port <= 65535:
        raise ValueError(f"{text!r}: a port is a number from 1 to 65535")
    return Endpoint(match[1] or match[2], port)
