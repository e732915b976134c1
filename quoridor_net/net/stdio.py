"""Standard input and output as trio streams, left in the blocking mode that other programs expect.

Reading can be cancelled, which trio does not support for standard input. Terminals, pipes and sockets are
polled, files are always ready, and where polling is impossible a thread reads. Programs with nothing else to
do, such as engines, simply block, which is faster.
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
    """Input that blocks the whole program, for programs with a single task.

    Other tasks do not run meanwhile, because calling the scheduler takes longer than most answers.

    Args:
        descriptor: the descriptor to read; it is not closed.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def _wait(self) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return available bytes, at most ``max_bytes``; empty at the end."""
        await self._wait()
        return self._read_now(max_bytes)

    def _read_now(self, max_bytes: int | None) -> bytes:
        try:
            return os.read(self._descriptor, max_bytes or CHUNK)
        except OSError:
            # The terminal hung up, or the descriptor is closed or invalid.
            return b""

    async def aclose(self) -> None:
        """Do nothing."""
        await trio.lowlevel.checkpoint()


class FileInput(BlockingInput):
    """Input from a file, which is always ready."""

    async def _wait(self) -> None:
        await trio.lowlevel.checkpoint()


class PolledInput(BlockingInput):
    """Input from a terminal, pipe or socket that the system can poll."""

    async def _wait(self) -> None:
        await trio.lowlevel.wait_readable(self._descriptor)


class ThreadInput(BlockingInput):
    """Any other input, such as a Windows console, read in a thread.

    A cancelled read continues in its thread, and the next reader gets its data. The thread does not keep the
    program from exiting.
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
                # On a Windows console, a Python file returns UTF-8, but os.read returns bytes of the code
                # page. Keep the file open, because it holds the rest of a character that was cut.
                self._file = open(self._descriptor, "rb", buffering=0, closefd=False)  # noqa: SIM115
            data = self._file.read(CHUNK) or b""
        except (OSError, ValueError):
            # The cases of the other classes, or the console file cannot be opened.
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
    """Return ``descriptor`` as a stream whose reads can be cancelled, in the way that suits this system."""
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
    """Output that may block the whole program; the descriptor is not closed.

    As with :class:`BlockingInput`, other tasks do not run meanwhile.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Write all of ``data``.

        Raises:
            trio.BrokenResourceError: writing failed, for example because the reader is gone.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
        try:
            # The system nearly always takes everything at once.
            sent = os.write(self._descriptor, data)
            while sent < len(data):
                sent += os.write(self._descriptor, memoryview(data)[sent:])
        except OSError as error:
            raise trio.BrokenResourceError("cannot write the output") from error

    async def wait_send_all_might_not_block(self) -> None:
        """Return at once."""
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """Do nothing."""
        await trio.lowlevel.checkpoint()
