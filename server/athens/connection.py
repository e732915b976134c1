"""A controller's TCP connection: its timeouts, and the detection of a disconnect."""

from __future__ import annotations

import math

import trio
from trio.abc import Stream

from quoridor_net.net import deadlines
from quoridor_net.net.sockets import send_in_time
from quoridor_net.outcome import ForfeitError

#: Timeout for the first command of a controller, in seconds.
FIRST_TIME = 30.0

#: Silence, in seconds, before a session gives up its place to a controller that needs one. Silence alone ends
#: no session, because a referee waits for the other engine as long as its own limits allow.
IDLE_TIME = 600.0

#: Time in seconds to answer a controller that closed its sending side. It may have closed the whole
#: connection, which looks the same until something is sent.
PARTING_TIME = 2.0

#: Maximum number of bytes read at once, and read ahead during a command.
CHUNK = 65536
MAX_AHEAD = 65536


class ControllerStream(Stream):
    """A stream that drops controllers that send nothing at first or do not read.

    The caller closes the stream.

    Attributes:
        is_idle: whether the controller has been silent long enough to lose its place.
    """

    def __init__(self, stream: Stream) -> None:
        self.is_idle = False
        self._silence = deadlines.Alarm(self._become_idle)
        self._stream = stream
        self._ahead = bytearray()
        self._is_over = False

    async def wait_for_command(self) -> bool:
        """Wait for the first command, and return whether it arrived in time.

        Raises:
            trio.BrokenResourceError: the connection is lost.
        """
        with trio.move_on_after(FIRST_TIME):
            await self._read()
        return bool(self._ahead)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return received data, including data read ahead; nothing at the end.

        Raises:
            trio.BrokenResourceError: the connection is lost.
        """
        if not self._ahead and not self._is_over:
            self._silence.restart(IDLE_TIME)
            try:
                await self._read()
            finally:
                self._silence.restart(math.inf)
                self.is_idle = False
        else:
            await trio.lowlevel.checkpoint()
        data = bytes(self._ahead[: max_bytes or CHUNK])
        del self._ahead[: len(data)]
        return data

    def _become_idle(self) -> None:
        self.is_idle = True

    async def _read(self) -> None:
        data = await self._stream.receive_some(CHUNK)
        self._ahead += data
        self._is_over = not data

    async def wait_until_gone(self) -> None:
        """Return when the controller is no longer waiting for the answer; read ahead meanwhile.

        If a controller sends a lot ahead, its disconnect is noticed only when it gets its answer.
        """
        try:
            while not self._is_over and len(self._ahead) < MAX_AHEAD:
                await self._read()
        except trio.BrokenResourceError:
            return
        await trio.sleep(PARTING_TIME if self._is_over else float("inf"))

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of ``data``.

        Raises:
            trio.BrokenResourceError: the connection is lost, or the controller does not read.
        """
        try:
            await send_in_time(self._stream, bytes(data))
        except ForfeitError as fault:
            raise trio.BrokenResourceError(f"the controller {fault.sentence}") from None

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until the stream can send."""
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        """Do nothing: the caller closes the stream."""
        await trio.lowlevel.checkpoint()
