"""Settings for game connections, and the project's own words for what goes wrong with them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import trio
from trio.abc import Stream

from quoridor_net.players.base import PlayerFault
from quoridor_net.rules import Termination

#: Seconds of silence after which the kernel asks whether the peer is still there, seconds between such
#: questions, and how many go unanswered before the connection counts as lost: about a minute in all.
KEEPALIVE = (30, 10, 3)


def tune(stream: Stream) -> None:
    """Make a TCP stream fit for a game: small messages leave at once, and a dead peer is noticed."""
    if not isinstance(stream, trio.SocketStream):
        return
    idle, interval, count = KEEPALIVE
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", idle), ("TCP_KEEPINTVL", interval), ("TCP_KEEPCNT", count)):
        # Not every system has all three.
        option = getattr(socket, name, None)
        if option is not None:
            stream.setsockopt(socket.IPPROTO_TCP, option, value)


@contextmanager
def connection_faults() -> Iterator[None]:
    """Turn what trio raises for a lost connection into a :class:`PlayerFault`."""
    try:
        yield
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        raise PlayerFault(Termination.DISCONNECTED, "lost the connection") from None
    except trio.TooSlowError:
        raise PlayerFault(Termination.DISCONNECTED, "stopped reading what it is sent") from None
