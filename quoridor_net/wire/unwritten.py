"""Files that cannot be written: a full disk, a reader that went away, a stream that was closed beforehand."""

from __future__ import annotations

import os
import sys
from typing import Protocol


class Writable(Protocol):
    """A text file, as far as it is written."""

    def write(self, text: str, /) -> int:
        """Write ``text``."""

    def flush(self) -> None:
        """Have everything written by now in the file."""

    def fileno(self) -> int:
        """Return the descriptor."""


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


def open_missing_streams() -> None:
    """Give a program that was started without standard output or standard error ones that write nowhere."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - lives as long as we
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
