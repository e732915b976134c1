"""Streams that change the data a peer sends: bytewise, late, cut off, lost, out of order, or otherwise.

A proxy is a stream around a stream; it changes what is *sent*. To change both directions, put one around each
end. All keep to a virtual clock.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import trio
from trio.abc import Stream

#: Converses on its end of a connection.
Peer = Callable[[Stream], Awaitable[None]]


class Proxy(Stream):
    """Passes everything on as it is; the others override :meth:`send_all`.

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
        """Return what the peer sent, as it came."""
        return bytes(await self.stream.receive_some(max_bytes))

    async def aclose(self) -> None:
        """Close the stream."""
        await self.stream.aclose()


class Dribbling(Proxy):
    """Sends one byte at a time.

    Args:
        stream: carries the bytes.
        pause: seconds between two bytes.
    """

    def __init__(self, stream: Stream, pause: float = 0.0) -> None:
        super().__init__(stream)
        self._pause = pause

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data``, one byte after another."""
        for code in bytes(data):
            await self.stream.send_all(bytes((code,)))
            await trio.sleep(self._pause)


class Delaying(Proxy):
    """Sends everything late.

    Args:
        stream: carries the bytes.
        seconds: how late.
    """

    def __init__(self, stream: Stream, seconds: float) -> None:
        super().__init__(stream)
        self._seconds = seconds

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Wait, then send ``data``."""
        await trio.sleep(self._seconds)
        await self.stream.send_all(data)


class Cutting(Proxy):
    """Closes the connection after so many bytes, in the middle of a line if it comes to that.

    Args:
        stream: carries the bytes.
        after: how many bytes pass.
    """

    def __init__(self, stream: Stream, after: int) -> None:
        super().__init__(stream)
        self._left = after

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send what still passes of ``data``.

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
    """Exchanges each two messages that are sent one after the other: the first waits for the second.

    A message that nothing follows is sent after ``patience``, so that nobody waits for it for ever.

    Args:
        stream: carries the bytes.
        nursery: where the waiting goes on.
        patience: seconds.
    """

    def __init__(self, stream: Stream, nursery: trio.Nursery, patience: float = 0.5) -> None:
        super().__init__(stream)
        self._nursery = nursery
        self._patience = patience
        self._kept: bytes | None = None

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Keep ``data``, or send it before what was kept."""
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
    """Sends something else.

    Args:
        stream: carries the bytes.
        lie: returns what is sent in place of a message.
    """

    def __init__(self, stream: Stream, lie: Callable[[bytes], bytes]) -> None:
        super().__init__(stream)
        self._lie = lie

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send what the lie makes of ``data``."""
        await self.stream.send_all(self._lie(bytes(data)))


class Vanishing(Proxy):
    """Loses the network when a certain message is sent: nothing gets through any more in either direction.

    Put it around the end of the connection whose system notices that the peer is gone.

    Args:
        stream: carries the bytes until then.
        at: the first message that contains these bytes is lost, and all that follow.
        noticed_after: seconds until the system gives the connection up; ``math.inf`` if something between the
            two machines acknowledges data without forwarding them.
    """

    def __init__(self, stream: Stream, at: bytes, noticed_after: float) -> None:
        super().__init__(stream)
        self._at = at
        self._noticed_after = noticed_after
        self._noticed_at = math.inf
        self._is_gone = False
        self._reading = trio.CancelScope()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data``, or lose it.

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
        """Return data that the peer sent before it vanished.

        Raises:
            trio.BrokenResourceError: the system has noticed that the peer is gone.
        """
        if not self._is_gone:
            with trio.CancelScope() as self._reading:
                return bytes(await self.stream.receive_some(max_bytes))
        await trio.sleep_until(self._noticed_at)
        raise trio.BrokenResourceError("connection timed out")


def through(peer: Peer, proxy: Callable[[Stream], Stream]) -> Peer:
    """Return ``peer``, which converses on a stream, with a proxy between it and the stream.

    Args:
        peer: such as the script of a server.
        proxy: makes the proxy around the peer's end of the connection, as the classes here do.
    """

    async def converse(stream: Stream) -> None:
        await peer(proxy(stream))

    return converse
