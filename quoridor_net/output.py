"""Where text is written, and what to do when that fails: a full disk, a reader that is gone, a character."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Protocol, TextIO

from quoridor_net.text import writable


class Writable(Protocol):
    """A text file, as far as it is written."""

    def write(self, text: str, /) -> int:
        """Write ``text``."""

    def flush(self) -> None:
        """Have everything written by now in the file."""

    def fileno(self) -> int:
        """Return the descriptor."""


def ignore(_anything: object) -> None:
    """Do nothing: the default of callbacks that may be left out."""


def discard_unwritten(file: Writable) -> None:
    """Have ``file`` write nowhere from now on, so that closing it does not raise what writing it raised.

    Files without a descriptor of their own keep nothing back, and are left alone.
    """
    try:
        descriptor = file.fileno()
    except OSError:
        return
    with open(os.devnull, "w", encoding="ascii") as nowhere:  # noqa: PTH123 - no path, a device
        os.dup2(nowhere.fileno(), descriptor)


def prepare_streams() -> None:
    """Make standard output and standard error fit for everything that is written to them.

    A program that was started without them gets ones that write nowhere. Characters that the encoding of a
    stream does not have are written as escapes: a name or a drawing must not end a game.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - lives as long as we
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Output:
    """Writes lines at once, and stops when that fails, which must not end a game.

    A reader that went away is what often happens to a pipe; any other reason is told on standard error.

    Args:
        file: a text file, which the caller closes.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._is_open = True

    def write_line(self, line: str) -> None:
        """Write ``line`` and a line end, with escapes for characters that the file cannot take."""
        if not self._is_open:
            return
        try:
            self._file.write(f"{writable(line, self._file.encoding)}\n")
            self._file.flush()
        except OSError as error:
            self._is_open = False
            if not isinstance(error, BrokenPipeError) and self._file is not sys.stderr:
                print(f"Error: the game goes on unseen: {error.strerror or error}.", file=sys.stderr)
            discard_unwritten(self._file)
