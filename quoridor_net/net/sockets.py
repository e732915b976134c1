"""Connections for games: their settings, sending in time, closing gently."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress

import trio
from trio.abc import HalfCloseableStream, ReceiveStream, SendStream, Stream

from quoridor_net.net import deadlines
from quoridor_net.net.addresses import numeric_host
from quoridor_net.net.errors import LOST, connection_faults, first_error
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.system import error_text
from quoridor_net.verdicts import VerdictPhrase

if sys.platform != "win32":
    from trio.lowlevel import FdStream

#: Seconds of silence after which the kernel asks whether the peer is still there, seconds between such
#: questions, and how many go unanswered before the connection counts as lost: about a minute in all.
KEEPALIVE = (30, 10, 3)

#: Seconds that sent data may stay unacknowledged before the connection counts as lost. The kernel sends no
#: probes while it retransmits, which it would otherwise do for a quarter of an hour.
UNACKNOWLEDGED = 60

# Python has no names for what macOS (netinet/tcp.h) and Windows (ws2ipdef.h) have in place of
# TCP_USER_TIMEOUT; both count in seconds.
_TCP_RXT_CONNDROPTIME = 0x80
_TCP_MAXRT = 5

#: Seconds a peer may take to accept a message; its system has room for thousands of them.
SEND_TIME = 10.0

#: Most bytes read at once in a conversation.
CHUNK = 4096

#: While a connection is being closed, what still comes is dropped: most bytes read at once, and in all.
FAREWELL_CHUNK = 65536
FAREWELL_BYTES = 16 * 1024 * 1024

#: Seconds that closing may take in all, and seconds of silence after which nothing more is waited for.
FAREWELL_TIME = 3.0
FAREWELL_SILENCE = 0.5


def tune(stream: Stream) -> None:
    """Make a TCP stream fit for a game: the system notices a vanished peer within about a minute.

    Streams of other kinds are left as they are. :func:`connect` and
    :func:`~quoridor_net.net.accepting.serve_connections` do this for all connections.
    """
    if not isinstance(stream, trio.SocketStream):
        return
    for level, option, value in _options(sys.platform):
        # Some systems refuse settings for a connection that was reset already; reading will tell. Old ones
        # lack some options.
        with suppress(OSError):
            stream.setsockopt(level, option, value)


def _options(platform: str) -> Iterator[tuple[int, int, int]]:
    """Yield the socket options that make ``platform`` notice a vanished peer: level, number and value."""
    idle, interval, count = KEEPALIVE
    yield socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
    named = {
        "TCP_KEEPIDLE": idle,
        "TCP_KEEPINTVL": interval,
        "TCP_KEEPCNT": count,
        "TCP_USER_TIMEOUT": 1000 * UNACKNOWLEDGED,
    }
    if platform == "darwin":
        named["TCP_KEEPALIVE"] = idle
        yield socket.IPPROTO_TCP, _TCP_RXT_CONNDROPTIME, UNACKNOWLEDGED
    if platform == "win32":
        yield socket.IPPROTO_TCP, _TCP_MAXRT, UNACKNOWLEDGED
    for name, value in named.items():
        number = getattr(socket, name, None)
        if number is not None:
            yield socket.IPPROTO_TCP, number, value


async def connect(host: str, port: int, seconds: float) -> trio.SocketStream:
    """Return a connection that is fit for a game.

    Raises:
        OSError: there is none to be had; TimeoutError if not within ``seconds``.
    """
    try:
        with deadlines.fail_after(seconds):
            stream = await trio.open_tcp_stream(host, port)
    except trio.TooSlowError:
        raise TimeoutError(None, VerdictPhrase.NOT_CONNECTED(seconds=seconds)) from None
    except UnicodeError:
        raise no_such_name() from None
    except OSError as error:
        raise cause_of(error) from None
    tune(stream)
    return stream


def no_such_name() -> OSError:
    """Return the error for a name that no resolver takes: a part of it is empty or too long."""
    return socket.gaierror(socket.EAI_NONAME, "No machine can have this name")


def cause_of(error: OSError) -> OSError:
    """Return one of the errors of the single attempts, which say more than trio's summary of them."""
    cause = error.__cause__ and first_error(error.__cause__)
    if isinstance(cause, OSError) and cause.errno is not None:
        # Python's own text repeats the address.
        return OSError(cause.errno, error_text(cause.errno))
    return error


def address_of(stream: Stream) -> str:
    """Return the address of the peer without its port; empty where there is none, or it is gone already."""
    if not isinstance(stream, trio.SocketStream):
        return ""
    try:
        return numeric_host(stream.socket.getpeername())
    except OSError:
        return ""


async def receive(stream: ReceiveStream, size: int = CHUNK) -> bytes:
    """Wait until something comes, and return it, at most ``size`` bytes; nothing at the end.

    Raises:
        ForfeitError: the connection is lost.
    """
    with connection_faults:
        descriptor = _descriptor(stream)
        while descriptor >= 0:
            # Trio's streams look for data before they wait, but here it is hardly ever there.
            await trio.lowlevel.wait_readable(descriptor)
            try:
                return os.read(descriptor, size)
            except BlockingIOError:
                continue
        return bytes(await stream.receive_some(size))


async def receive_now(stream: ReceiveStream, size: int = CHUNK) -> bytes | None:
    """Return the bytes that came by now, at most ``size``; none at the end, None if nothing came.

    Raises:
        ForfeitError: the connection is lost.
    """
    with connection_faults:
        descriptor = _descriptor(stream)
        if descriptor >= 0:
            try:
                return os.read(descriptor, size)
            except BlockingIOError:
                return None
        with trio.move_on_after(0):
            return bytes(await stream.receive_some(size))
    return None


def wake_receiver(stream: ReceiveStream) -> None:
    """Have whoever waits in :func:`receive` for a pipe or a socket get a ForfeitError now."""
    # For trio it is as if the stream were about to be closed.
    descriptor = _descriptor(stream)
    if descriptor >= 0:
        trio.lowlevel.notify_closing(descriptor)
    elif isinstance(stream, trio.SocketStream):
        trio.lowlevel.notify_closing(stream.socket)


async def send_in_time(stream: SendStream, data: bytes, seconds: float = SEND_TIME) -> None:
    """Send ``data``, but do not wait for ever for a peer that stopped reading.

    When the system takes all of it at once, as nearly always, no other task gets to run before this returns.

    Raises:
        ForfeitError: the connection is lost, or the peer did not take the data within ``seconds``.
    """
    with connection_faults:
        descriptor = _descriptor(stream)
        if descriptor >= 0:
            await trio.lowlevel.checkpoint_if_cancelled()
            try:
                sent = os.write(descriptor, data)
            except BlockingIOError:
                sent = 0
            if sent == len(data):
                return
            data = data[sent:]
        with deadlines.move_on_after(seconds) as scope:
            await stream.send_all(data)
        if scope.cancelled_caught:
            raise ForfeitError(Termination.DISCONNECTED, VerdictPhrase.STOPPED_READING())


def _descriptor(stream: ReceiveStream | SendStream) -> int:
    """Return the number by which the system can be asked directly; -1 if only the stream can be asked."""
    # It is also -1 for what is closed, for which trio has the right errors.
    if sys.platform != "win32":
        # Neither class can have subclasses, and isinstance is slow with abstract ones.
        if type(stream) is FdStream:
            return stream.fileno()
        if type(stream) is trio.SocketStream:
            return stream.socket.fileno()
    return -1


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
    except LOST:
        pass
    finally:
        await trio.aclose_forcefully(stream)


async def _drop_input(stream: Stream) -> None:
    left = FAREWELL_BYTES
    while left > 0:
        with trio.move_on_after(FAREWELL_SILENCE) as silence:
            data = await stream.receive_some(FAREWELL_CHUNK)
        if silence.cancelled_caught or not data:
            return
        left -= len(data)
