"""Standard input and output as trio streams, for a program that does nothing while it waits for input.

Reading and writing block the whole program, on purpose: trio cannot wait for files and must not make a
terminal non-blocking that other programs share, and threads would cost more than all the rest of a command.
"""

from __future__ import annotations

import os

import trio
from trio.abc import ReceiveStream, SendStream


class BlockingInput(ReceiveStream):
    """A file descriptor to read from; not closed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return what can be read, at most ``max_bytes``; nothing at the end."""
        await trio.lowlevel.checkpoint()
        return os.read(self._descriptor, max_bytes or 65536)

    async def aclose(self) -> None:
        """Do nothing."""
        await trio.lowlevel.checkpoint()


class BlockingOutput(SendStream):
    """A file descriptor to write to; not closed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Write all of ``data``.

        Raises:
            trio.BrokenResourceError: nobody reads it.
        """
        await trio.lowlevel.checkpoint()
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            raise trio.BrokenResourceError("nobody reads the output") from error

    async def wait_send_all_might_not_block(self) -> None:
        """Return at once."""
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """Do nothing."""
        await trio.lowlevel.checkpoint()
