"""Settings for game connections, and the project's own words for what goes wrong with them."""

from __future__ import annotations

import socket
from contextlib import suppress
from types import TracebackType

import trio
from trio.abc import HalfCloseableStream, Stream

from quoridor_net.net import deadlines
from quoridor_net.outcome import ForfeitError
from quoridor_net.rules import Termination

#: Seconds of silence after which the kernel asks whether the peer is still there, seconds between such
#: questions, and how many go unanswered before the connection counts as lost: about a minute in all.
KEEPALIVE = (30, 10, 3)

#: Seconds a peer may take to accept a message; its system has room for thousands of them.
SEND_TIME = 10.0

#: While a connection is being closed, what still comes is dropped: most bytes read at once, and in all.
CHUNK = 65536
FAREWELL_BYTES = 16 * 1024 * 1024

#: Seconds that closing may take in all, and seconds of silence after which nothing more is waited for.
FAREWELL_TIME = 3.0
FAREWELL_SILENCE = 0.5


def tune(stream: Stream) -> None:
    """Make a TCP stream fit for a game: small messages leave at once, and a dead peer is noticed."""
    if not isinstance(stream, trio.SocketStream):
        return
    idle, interval, count = KEEPALIVE
    # Some systems refuse settings for a connection that was reset already; reading will tell.
    with suppress(OSError):
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (("TCP_KEEPIDLE", idle), ("TCP_KEEPINTVL", interval), ("TCP_KEEPCNT", count)):
            # Not every system has all three.
            option = getattr(socket, name, None)
            if option is not None:
                stream.setsockopt(socket.IPPROTO_TCP, option, value)


class _ConnectionFaults:
    """Turns what trio raises for a lost connection into a :class:`ForfeitError`.

    A class, because it is entered for every message and a generator would cost several times as much.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, trio.BrokenResourceError | trio.ClosedResourceError):
            raise ForfeitError(Termination.DISCONNECTED, "lost the connection") from None


#: ``with connection_faults:`` around everything that reads from or writes to a peer.
connection_faults = _ConnectionFaults()


async def send_in_time(stream: Stream, data: bytes) -> None:
    """Send ``data``, but do not wait for ever for a peer that stopped reading.

    Raises:
        ForfeitError: the connection is lost, or the peer did not take the data within SEND_TIME.
    """
    with connection_faults, deadlines.move_on_after(SEND_TIME) as scope:
        await stream.send_all(data)
    if scope.cancelled_caught:
        raise ForfeitError(Termination.DISCONNECTED, "stopped reading what it is sent")


async def close_gently(stream: Stream) -> None:
    """Close the connection, but let the peer read what was sent before.

    Closing while unread bytes wait, or more are on their way, would reset the connection and could destroy
    the last message. So the peer first gets the end of our side, and what it still sends is dropped until it
    closes its own, is silent for FAREWELL_SILENCE, or has used up FAREWELL_TIME or FAREWELL_BYTES.

    When this is cancelled, the connection is closed at once.
    """
    try:
        with trio.move_on_after(FAREWELL_TIME):
            if isinstance(stream, HalfCloseableStream):
                await stream.send_eof()
            await _drop_input(stream)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass
    finally:
        await trio.aclose_forcefully(stream)


async def _drop_input(stream: Stream) -> None:
    left = FAREWELL_BYTES
    while left > 0:
        with trio.move_on_after(FAREWELL_SILENCE) as silence:
            data = await stream.receive_some(CHUNK)
        if silence.cancelled_caught or not data:
            return
        left -= len(data)
