"""Bytes from standard input, read so that waiting for them can be cancelled.

trio has no cancellable standard input of its own, and each system needs another way: terminals, pipes and
sockets are polled, files are always ready, and where nothing can be polled a thread waits instead.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from typing import Protocol

import trio

CHUNK = 4096


class TypedBytes(Protocol):
    """A source of bytes."""

    async def read(self) -> bytes:
        """Return some bytes, or none at the end of input."""


class PolledBytes:
    """A terminal, pipe or socket on a system that can wait for it.

    The descriptor stays in blocking mode, which programs that share it expect: it is read when it is ready.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def read(self) -> bytes:
        """Return some bytes, or none at the end of input."""
        await trio.lowlevel.wait_readable(self._descriptor)
        return _read_now(self._descriptor)


class FileBytes:
    """A regular file or the null device, which nothing can poll and which never keeps anybody waiting."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def read(self) -> bytes:
        """Return some bytes, or none at the end of input."""
        await trio.lowlevel.checkpoint()
        return _read_now(self._descriptor)


class ThreadBytes:
    """Anything else, such as a console of Windows: a thread reads when asked.

    A read that nobody waits for any more goes on in its thread, and what it gets goes to the next reader.
    Such a thread does not keep the program from ending.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._arrived: trio.Event | None = None
        self._data = b""

    async def read(self) -> bytes:
        """Return some bytes, or none at the end of input."""
        if self._arrived is None:
            self._arrived = trio.Event()
            token = trio.lowlevel.current_trio_token()
            threading.Thread(target=self._read_once, args=(token,), daemon=True).start()
        await self._arrived.wait()
        self._arrived = None
        return self._data

    def _read_once(self, token: trio.lowlevel.TrioToken) -> None:
        data = _read_now(self._descriptor)
        try:
            token.run_sync_soon(self._deliver, data)
        except trio.RunFinishedError:
            # The program ended while the thread waited for a person.
            return

    def _deliver(self, data: bytes) -> None:
        assert self._arrived is not None
        self._data = data
        self._arrived.set()


def open_typed_bytes(descriptor: int) -> TypedBytes:
    """Return the way to read ``descriptor`` on this system."""
    if sys.platform == "win32":
        return ThreadBytes(descriptor)
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        mode = 0
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor):
        return PolledBytes(descriptor)
    return FileBytes(descriptor)


def _read_now(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        # Nothing more will come from a terminal that was hung up, or a descriptor that is closed or no file.
        return b""
