"""Connections for games: socket options, sending with a time limit, closing gently."""

from __future__ import annotations

import os
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress

import trio
from trio.abc import HalfCloseableStream, ReceiveStream, SendStream, Stream

from quoridor_net.net import deadlines
from quoridor_net.net.addresses import numeric_host
from quoridor_net.net.errors import LOST, first_error, lost_connection
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.system import error_text
from quoridor_net.verdicts import VerdictPhrase

if sys.platform != "win32":
    from trio.lowlevel import FdStream

#: TCP keepalive: silence before the first probe and interval between probes, in seconds, and the number of
#: unanswered probes after which the connection counts as lost. About a minute in total.
KEEPALIVE = (30, 10, 3)

#: Time after which unacknowledged data makes a connection count as lost, in seconds. While it retransmits,
#: the kernel sends no probes, and by default it retransmits for a quarter of an hour.
UNACKNOWLEDGED = 60

# The equivalents of TCP_USER_TIMEOUT on macOS (netinet/tcp.h) and Windows (ws2ipdef.h), both in seconds.
# Python has no names for them.
_TCP_RXT_CONNDROPTIME = 0x80
_TCP_MAXRT = 5

#: Time limit for sending a message, in seconds. The peer's system has room for thousands of messages.
SEND_TIME = 10.0

#: Maximum number of bytes per read in a conversation.
CHUNK = 4096

#: Descriptors from this one on cannot be passed to ``select``.
FD_SETSIZE = 1024

#: Maximum number of bytes dropped while a connection is being closed: per read, and in total.
FAREWELL_CHUNK = 65536
FAREWELL_BYTES = 16 * 1024 * 1024

#: Time limit for closing a connection, and the silence that ends the wait earlier, in seconds.
FAREWELL_TIME = 3.0
FAREWELL_SILENCE = 0.5


def tune(stream: Stream) -> None:
    """Set the options of a TCP stream so that the system notices a vanished peer within about a minute.

    Other streams are left alone. :func:`connect` and
    :func:`~quoridor_net.net.accepting.serve_connections` call this for all connections.
    """
    if not isinstance(stream, trio.SocketStream):
        return
    for level, option, value in _options(sys.platform):
        # Some systems reject options on a connection that was reset, and old systems lack some options.
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
    """Return a tuned connection.

    Raises:
        OSError: connecting failed; TimeoutError if it took longer than ``seconds``.
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
    """Return the error for an invalid host name, which has an empty or overlong part."""
    return socket.gaierror(socket.EAI_NONAME, "Invalid host name")


def cause_of(error: OSError) -> OSError:
    """Return the error of a single attempt, which is more specific than trio's summary."""
    cause = error.__cause__ and first_error(error.__cause__)
    if isinstance(cause, OSError) and cause.errno is not None:
        # Python's own text repeats the address.
        return OSError(cause.errno, error_text(cause.errno))
    return error


def address_of(stream: Stream) -> str:
    """Return the peer's address without its port; empty if it has none or is already gone."""
    if not isinstance(stream, trio.SocketStream):
        return ""
    try:
        return numeric_host(stream.socket.getpeername())
    except OSError:
        return ""


async def receive(stream: ReceiveStream, size: int = CHUNK) -> bytes:
    """Wait for data and return at most ``size`` bytes; empty at the end.

    Raises:
        ForfeitError: the connection is lost.
    """
    try:
        descriptor = _descriptor(stream)
        while descriptor >= 0:
            # Wait first, because data is hardly ever available yet; trio's streams would try to read first.
            await trio.lowlevel.wait_readable(descriptor)
            try:
                return os.read(descriptor, size)
            except BlockingIOError:
                continue
        return bytes(await stream.receive_some(size))
    except LOST:
        raise lost_connection() from None


def has_input(stream: ReceiveStream, seconds: float = 0.0) -> bool:
    """Return whether bytes or the end are available, or True if the system does not tell.

    A :func:`receive_now` that finds nothing costs several times as much.

    Args:
        stream: the stream.
        seconds: maximum wait for input, during which no other task runs; a descriptor too large for
            ``select`` is not waited for.
    """
    descriptor = _descriptor(stream)
    if sys.platform != "win32" and descriptor >= 0:
        if seconds and descriptor < FD_SETSIZE:
            # Not with poll, which waits for whole milliseconds.
            return bool(select.select((descriptor,), (), (), seconds)[0])
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(0))
    return True


async def receive_now(stream: ReceiveStream, size: int = CHUNK) -> bytes | None:
    """Return available bytes, at most ``size``; empty at the end, None if there are none.

    Raises:
        ForfeitError: the connection is lost.
    """
    try:
        descriptor = _descriptor(stream)
        if descriptor >= 0:
            return os.read(descriptor, size)
        with trio.CancelScope() as scope:
            # A deadline of now would end the scope before the stream looks for data.
            trio.lowlevel.current_trio_token().run_sync_soon(scope.cancel)
            return bytes(await stream.receive_some(size))
    except BlockingIOError:
        pass
    except LOST:
        raise lost_connection() from None
    return None


def wake_receiver(stream: ReceiveStream) -> None:
    """Make a :func:`receive` that waits for a pipe or socket raise a ForfeitError now."""
    # This tells trio that the stream is about to be closed.
    descriptor = _descriptor(stream)
    if descriptor >= 0:
        trio.lowlevel.notify_closing(descriptor)
    elif isinstance(stream, trio.SocketStream):
        trio.lowlevel.notify_closing(stream.socket)


async def send_in_time(stream: SendStream, data: bytes, seconds: float = SEND_TIME) -> None:
    """Send ``data``, with a time limit for a peer that has stopped reading.

    If the system takes all of it at once, as it nearly always does, no other task runs before this returns.

    Raises:
        ForfeitError: the connection is lost, or the peer did not take the data within ``seconds``.
    """
    try:
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
    except LOST:
        raise lost_connection() from None
    if scope.cancelled_caught:
        raise ForfeitError(Termination.DISCONNECTED, VerdictPhrase.STOPPED_READING())


def _descriptor(stream: ReceiveStream | SendStream) -> int:
    """Return the descriptor for direct system calls; -1 if only the stream's methods can be used."""
    # Closed streams also return -1, so that trio raises its errors.
    if sys.platform != "win32":
        # Exact types, because neither class can be subclassed and isinstance is slow with abstract classes.
        if type(stream) is FdStream:
            return stream.fileno()
        if type(stream) is trio.SocketStream:
            return stream.socket.fileno()
    return -1


async def close_gently(stream: Stream) -> None:
    """Close the connection so that the peer can read all messages.

    Closing with unread bytes waiting or on their way would reset the connection, which could destroy the last
    message. So this first closes only the sending side. It then drops what the peer still sends, until the
    peer closes its side, is silent for FAREWELL_SILENCE, or exceeds FAREWELL_TIME or FAREWELL_BYTES.

    On cancellation, the connection is closed at once.
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
