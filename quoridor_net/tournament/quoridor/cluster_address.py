"""Where the cluster is that plays games of a tournament."""

from __future__ import annotations

import os

from attrs import frozen

from quoridor_net.net.endpoint import parse_endpoint
from quoridor_net.text import parse_number, quote

#: Most worker processes that this program starts.
MAX_WORKERS = 1000


@frozen
class ClusterAddress:
    """Where games are played: at a scheduler, or by ``workers`` processes of this machine."""

    scheduler: str = ""
    workers: int = 0


def parse_cluster(text: str) -> ClusterAddress:
    """Return what ``ADDRESS`` or ``local[:N]`` means.

    Raises:
        ValueError: it is neither; the message says what is wrong.
    """
    word, colon, number = text.partition(":")
    if word == "local":
        return ClusterAddress(workers=parse_number(number, 1, MAX_WORKERS) if colon else os.cpu_count() or 1)
    scheme, mark, endpoint = text.rpartition("://")
    if mark and not scheme.isalnum():
        raise ValueError(f"{quote(text)} is not the address of a scheduler: expected [PROTOCOL://]HOST:PORT")
    parse_endpoint(endpoint)
    return ClusterAddress(text if mark else f"tcp://{endpoint}")
