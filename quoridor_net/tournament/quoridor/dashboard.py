"""The web page of a cluster's scheduler."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

#: Timeout for a dashboard, in seconds.
PATIENCE = 1.0


def answers(link: str) -> bool:
    """Return whether a program listens at the address of ``link``, after at most ``PATIENCE`` seconds.

    Needed because a scheduler names a page even if it was started without one.
    """
    try:
        address = urlsplit(link)
        if address.hostname is None:
            return False
        port = address.port or (443 if address.scheme == "https" else 80)
        with socket.create_connection((address.hostname, port), PATIENCE):
            return True
    except (OSError, ValueError):
        return False
