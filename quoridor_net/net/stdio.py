"""Standard input and output as trio streams, which stay in the blocking mode that other programs expect.

Waiting for a person can be cancelled. trio has nothing for that, and each system needs another way:
terminals, pipes and sockets are polled, files are always ready, and where nothing can be polled a thread
waits. A program that does nothing while it waits, such as an engine, simply blocks, which is faster.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from typing import IO

import trio
from trio.abc import ReceiveStream, SendStream

CHUNK = 65536


class BlockingInput(ReceiveStream):
    """Anything that may block the whole program: a program that has one task loses nothing by it.

    Other tasks get no turn while it is read, as asking the scheduler takes longer than most answers.

    Args:
        descriptor: where to read; not closed.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def _wait(self) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return what can be read, at most ``max_bytes``; nothing at the end."""
        await self._wait()
        return self._read_now(max_bytes)

    def _read_now(self, max_bytes: int | None) -> bytes:
        try:
            return os.read(self._descriptor, max_bytes or CHUNK)
        except OSError:
            # Nothing more comes from a terminal that was hung up, or a descriptor that is closed or no file.
            return b""

    async def aclose(self) -> None:
        """Do nothing."""
        await trio.lowlevel.checkpoint()


class FileInput(BlockingInput):
    """A file, which is always ready."""

    async def _wait(self) -> None:
        await trio.lowlevel.checkpoint()


class PolledInput(BlockingInput):
    """A terminal, pipe or socket on a system that can wait for it."""

    async def _wait(self) -> None:
        await trio.lowlevel.wait_readable(self._descriptor)


class ThreadInput(BlockingInput):
    """Anything else, such as a console of Windows: a thread reads when asked.

    A read that nobody waits for any more goes on in its thread, and what it gets goes to the next reader.
    Such a thread does not keep the program from ending.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        self._file: IO[bytes] | None = None
        self._arrived: trio.Event | None = None
        self._data = b""

    async def _wait(self) -> None:
        if self._arrived is None:
            self._arrived = trio.Event()
            token = trio.lowlevel.current_trio_token()
            threading.Thread(target=self._read_once, args=(token,), daemon=True).start()
        await self._arrived.wait()
        self._arrived = None

    def _read_now(self, max_bytes: int | None) -> bytes:
        return self._data

    def _read_once(self, token: trio.lowlevel.TrioToken) -> None:
        try:
            if self._file is None:
                # Python's file for a console of Windows hands over UTF-8, os.read the bytes of its code page.
                # It keeps the rest of a character that was cut, so the same one has to read on.
                self._file = open(self._descriptor, "rb", buffering=0, closefd=False)  # noqa: SIM115
            data = self._file.read(CHUNK) or b""
        except (OSError, ValueError):
            # As in the other classes, and for a console file that cannot be made.
            data = b""
        try:
            token.run_sync_soon(self._deliver, data)
        except trio.RunFinishedError:
            # The program ended while the thread waited for a person.
            return

    def _deliver(self, data: bytes) -> None:
        assert self._arrived is not None
        self._data = data
        self._arrived.set()


def open_input(descriptor: int) -> ReceiveStream:
    """Return ``descriptor`` as a stream on which waiting can be cancelled, the way this system can do it."""
    kind: type[BlockingInput] = ThreadInput
    if sys.platform != "win32":
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            mode = 0
        can_wait = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)
        kind = PolledInput if can_wait else FileInput
    return kind(descriptor)


class BlockingOutput(SendStream):
    """A file descriptor to write to, which may block the whole program; not closed.

    As with :class:`BlockingInput`, other tasks get no turn.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Write all of ``data``.

        Raises:
            trio.BrokenResourceError: nobody reads it.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
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
