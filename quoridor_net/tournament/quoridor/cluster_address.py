"""The address of a cluster that plays games of a tournament."""

from __future__ import annotations

import os

from attrs import frozen

from quoridor_net.net.endpoint import parse_endpoint
from quoridor_net.text import parse_number, quote

#: Maximum number of worker processes that this program starts.
MAX_WORKERS = 1000


@frozen
class ClusterAddress:
    """The address of a scheduler, or a number of ``workers``, processes to start on this machine."""

    scheduler: str = ""
    workers: int = 0


def parse_cluster(text: str) -> ClusterAddress:
    """Parse ``ADDRESS`` or ``local[:N]``.

    Raises:
        ValueError: it is neither; the message says why.
    """
    word, colon, number = text.partition(":")
    if word == "local":
        return ClusterAddress(workers=parse_number(number, 1, MAX_WORKERS) if colon else os.cpu_count() or 1)
    scheme, mark, endpoint = text.rpartition("://")
    if mark and not scheme.isalnum():
        raise ValueError(f"{quote(text)} is not the address of a scheduler: expected [PROTOCOL://]HOST:PORT")
    parse_endpoint(endpoint)
    return ClusterAddress(text if mark else f"tcp://{endpoint}")
