"""Output that survives a full disk, a closed pipe and characters that cannot be encoded."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedIOBase, TextIOWrapper
from typing import IO, Any, Protocol, TextIO

from quoridor_net.text import writable

#: Maximum backlog per stream, in bytes. Output beyond it is dropped.
BACKLOG = 1 << 20

#: Maximum time to wait for one stream before writing to the other, in seconds; its reader may be stopped.
CATCH_UP_TIME = 1.0


class Writable(Protocol):
    """The part of a text file that writing needs."""

    def write(self, text: str, /) -> int:
        """Write ``text``."""

    def flush(self) -> None:
        """Write buffered text to the file."""

    def fileno(self) -> int:
        """Return the descriptor."""


def ignore(_anything: object) -> None:
    """Do nothing: the default of optional callbacks."""


def discard_unwritten(file: Writable) -> None:
    """Discard what ``file`` has buffered, so that closing it does not raise the same error as writing.

    Files without a descriptor of their own buffer nothing and are left alone.
    """
    try:
        descriptor = file.fileno()
    except OSError:
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
    except OSError:
        # No descriptor is left. Closing this one frees it for the null device.
        os.close(descriptor)
        nowhere = os.open(os.devnull, os.O_WRONLY)
    if nowhere != descriptor:
        os.dup2(nowhere, descriptor)
        os.close(nowhere)


def prepare_streams() -> None:
    """Make writing to standard output and standard error safe.

    Missing streams are replaced by the null device. Characters that a stream cannot encode are written as
    escapes, because a name or a drawing must not end a game.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - open until exit
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Output:
    """Writes and flushes lines; an error stops the output but not the game.

    A closed pipe is normal and not mentioned; any other error is reported on standard error.

    Args:
        file: a text file, which the caller closes.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._is_open = True

    def write_line(self, line: str) -> None:
        """Write ``line`` and a line end, with escapes for characters that the file cannot encode."""
        if not self._is_open:
            return
        try:
            self._file.write(f"{writable(line, self._file.encoding)}\n")
            self._file.flush()
        except OSError as error:
            self._is_open = False
            if not isinstance(error, BrokenPipeError) and self._file is not sys.stderr:
                print(_explain(error), file=sys.stderr)
            discard_unwritten(self._file)


@contextmanager
def background_output() -> Iterator[None]:
    """Write standard output and standard error in threads for the duration of the context.

    A terminal stopped with Ctrl-S, or a full pipe that nobody reads, then does not block the program. Leaving
    the context waits for the readers.
    """
    with ExitStack() as stack:
        for name in ("stdout", "stderr"):
            file: TextIO = getattr(sys, name)
            try:
                descriptor = file.fileno()
            except OSError:
                # An in-memory file never blocks.
                continue
            file.flush()
            background = _Background(descriptor, is_error=name == "stderr")
            stack.callback(background.finish)
            stack.callback(setattr, sys, name, file)
            wrapper = TextIOWrapper(background, file.encoding, file.errors, write_through=True)  # type: ignore[type-var]
            setattr(sys, name, wrapper)
        yield


def is_behind(file: IO[str]) -> bool:
    """Return whether a stream of :func:`background_output` has a backlog."""
    buffer = getattr(file, "buffer", None)
    return isinstance(buffer, _Background) and buffer.is_behind


def catch_up(file: IO[str]) -> None:
    """Wait briefly until a stream of :func:`background_output` has no backlog, before writing to another."""
    buffer = getattr(file, "buffer", None)
    if isinstance(buffer, _Background):
        buffer.finish(CATCH_UP_TIME)


class _Background(BufferedIOBase):
    """Accepts bytes without waiting; a thread writes them."""

    def __init__(self, descriptor: int, *, is_error: bool) -> None:
        self._descriptor = descriptor
        self._is_error = is_error
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._is_open = True
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def is_behind(self) -> bool:
        return self._size > 0

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: Any, /) -> int:
        text = bytes(data)
        with self._changed:
            if text and self._is_open and self._size + len(text) <= BACKLOG:
                self._waiting.append(text)
                self._size += len(text)
                if self._thread is None:
                    self._start()
                self._changed.notify_all()
        return len(text)

    def _start(self) -> None:
        # A daemon, so that a reader that never reads does not keep the program from exiting.
        thread = threading.Thread(target=self._write_all, daemon=True)
        try:
            thread.start()
        except RuntimeError:
            # No thread can be started: blocking on the reader is better than writing nothing.
            text = self._waiting.popleft()
            self._size -= len(text)
            try:
                self._write_now(text)
            except OSError as error:
                self._give_up(error)
        else:
            self._thread = thread

    def finish(self, patience: float | None = None) -> None:
        """Wait until everything is written or writing has failed, or ``patience`` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: not self._size, patience)

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                text = self._waiting.popleft()
            try:
                self._write_now(text)
            except OSError as error:
                self._give_up(error)
                return
            with self._changed:
                self._size -= len(text)
                self._changed.notify_all()

    def _write_now(self, text: bytes) -> None:
        # Unbuffered, because the lock of a buffer would keep the program from exiting. A file object, unlike
        # os.write, also handles Windows consoles.
        with open(self._descriptor, "wb", buffering=0, closefd=False) as file:
            while text:
                text = text[file.write(text) :]

    def _give_up(self, error: OSError) -> None:
        if not isinstance(error, BrokenPipeError) and not self._is_error:
            print(_explain(error), file=sys.stderr)
        with self._changed:
            self._is_open = False
            self._size = 0
            self._waiting.clear()
            self._changed.notify_all()


def _explain(error: OSError) -> str:
    return f"Error: cannot write the output: {error.strerror or error}. The game continues without it."
