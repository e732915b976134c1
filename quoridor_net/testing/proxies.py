"""Streams that change a peer's data: byte by byte, late, cut off, lost, out of order, or altered.

A proxy is a stream around a stream, which changes the data that is *sent*. To change both directions, put a
proxy around each end. All work with a virtual clock.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import trio
from trio.abc import Stream

#: Converses on its end of a connection.
Peer = Callable[[Stream], Awaitable[None]]


class Proxy(Stream):
    """Passes everything on unchanged; subclasses override :meth:`send_all`.

    Args:
        stream: carries the bytes; closed with the proxy.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data``."""
        await self.stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until sending might not block."""
        await self.stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return received data unchanged."""
        return bytes(await self.stream.receive_some(max_bytes))

    async def aclose(self) -> None:
        """Close the stream."""
        await self.stream.aclose()


class Dribbling(Proxy):
    """Sends one byte at a time.

    Args:
        stream: carries the bytes.
        pause: pause between bytes, in seconds.
    """

    def __init__(self, stream: Stream, pause: float = 0.0) -> None:
        super().__init__(stream)
        self._pause = pause

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data`` byte by byte."""
        for code in bytes(data):
            await self.stream.send_all(bytes((code,)))
            await trio.sleep(self._pause)


class Delaying(Proxy):
    """Sends everything late.

    Args:
        stream: carries the bytes.
        seconds: the delay, in seconds.
    """

    def __init__(self, stream: Stream, seconds: float) -> None:
        super().__init__(stream)
        self._seconds = seconds

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Wait, then send ``data``."""
        await trio.sleep(self._seconds)
        await self.stream.send_all(data)


class Cutting(Proxy):
    """Closes the connection after a number of bytes, even in the middle of a line.

    Args:
        stream: carries the bytes.
        after: number of bytes that pass.
    """

    def __init__(self, stream: Stream, after: int) -> None:
        super().__init__(stream)
        self._left = after

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send the part of ``data`` that still passes.

        Raises:
            trio.BrokenResourceError: the connection is cut.
        """
        passing = bytes(data)[: self._left]
        self._left -= len(passing)
        if passing:
            await self.stream.send_all(passing)
        if len(passing) < len(data):
            await trio.aclose_forcefully(self.stream)
            raise trio.BrokenResourceError("the proxy cut the connection")


class Reordering(Proxy):
    """Swaps each pair of consecutive messages.

    A message without a successor is sent after ``patience``, so that the game does not hang.

    Args:
        stream: carries the bytes.
        nursery: runs the waiting task.
        patience: maximum wait for the second message, in seconds.
    """

    def __init__(self, stream: Stream, nursery: trio.Nursery, patience: float = 0.5) -> None:
        super().__init__(stream)
        self._nursery = nursery
        self._patience = patience
        self._kept: bytes | None = None

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Keep ``data``, or send it before the kept message."""
        if self._kept is None:
            self._kept = bytes(data)
            self._nursery.start_soon(self._send_kept)
            await trio.lowlevel.checkpoint()
            return
        kept, self._kept = self._kept, None
        await self.stream.send_all(bytes(data) + kept)

    async def _send_kept(self) -> None:
        kept = self._kept
        await trio.sleep(self._patience)
        if self._kept is kept and kept is not None:
            self._kept = None
            await self.stream.send_all(kept)


class Lying(Proxy):
    """Replaces messages.

    Args:
        stream: carries the bytes.
        lie: returns the replacement of a message.
    """

    def __init__(self, stream: Stream, lie: Callable[[bytes], bytes]) -> None:
        super().__init__(stream)
        self._lie = lie

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send the replacement of ``data``."""
        await self.stream.send_all(self._lie(bytes(data)))


class Vanishing(Proxy):
    """Loses the network at a certain message: from then on, nothing passes in either direction.

    Put it around the end of the connection whose system notices that the peer is gone.

    Args:
        stream: carries the bytes until then.
        at: bytes that the first lost message contains.
        noticed_after: time until the system gives up the connection, in seconds; ``math.inf`` if a machine in
            between acknowledges data without forwarding it.
    """

    def __init__(self, stream: Stream, at: bytes, noticed_after: float) -> None:
        super().__init__(stream)
        self._at = at
        self._noticed_after = noticed_after
        self._noticed_at = math.inf
        self._is_gone = False
        self._reading = trio.CancelScope()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data``, or drop it.

        Raises:
            trio.BrokenResourceError: the system has noticed that the peer is gone.
        """
        if self._at in bytes(data) and not self._is_gone:
            self._is_gone = True
            self._noticed_at = trio.current_time() + self._noticed_after
            self._reading.cancel()
        if not self._is_gone:
            await self.stream.send_all(data)
            return
        await trio.lowlevel.checkpoint()
        if trio.current_time() >= self._noticed_at:
            raise trio.BrokenResourceError("connection timed out")

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return data that arrived before the network was lost.

        Raises:
            trio.BrokenResourceError: the system has noticed that the peer is gone.
        """
        if not self._is_gone:
            with trio.CancelScope() as self._reading:
                return bytes(await self.stream.receive_some(max_bytes))
        await trio.sleep_until(self._noticed_at)
        raise trio.BrokenResourceError("connection timed out")


def through(peer: Peer, proxy: Callable[[Stream], Stream]) -> Peer:
    """Return ``peer`` with a proxy around its end of the connection.

    Args:
        peer: for example the script of a server.
        proxy: creates the proxy, for example a class of this module.
    """

    async def converse(stream: Stream) -> None:
        await peer(proxy(stream))

    return converse
