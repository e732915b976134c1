"""The web page of a cluster's scheduler."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

#: Seconds for which a dashboard is waited for.
PATIENCE = 1.0


def answers(link: str) -> bool:
    """Return whether a program listens where ``link`` leads, after ``PATIENCE`` at most.

    A scheduler names a page also when it was told to have none.
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
