"""Differences between operating systems: signals, limits, file locks, the words for their errors.

Some modules and names of the standard library exist on Unix only, others on Windows only. They are looked up
here when they are needed, so that everything else can be imported on every system.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import IO

#: Errors that say that too many files or sockets are open; Windows has one of its own for sockets.
TOO_MANY_FILES: frozenset[int] = frozenset(
    {errno.EMFILE, errno.ENFILE, getattr(errno, "WSAEMFILE", errno.EMFILE)}
)

#: The smallest error number of sockets on Windows, whose C library lacks texts for them.
_FIRST_WINSOCK_ERROR = 10_000

#: Seconds between two attempts to lock a file where the system cannot wait for it.
_RETRY = 0.1


def signals(*names: str) -> tuple[signal.Signals, ...]:
    """Return the signals with these names that this system has."""
    found = (getattr(signal, name, None) for name in names)
    return tuple(number for number in found if number is not None)


def limit_of(name: str) -> int | None:
    """Return the limit of this process that :mod:`resource` calls ``name``; None where there is none.

    Windows has no such limits.
    """
    found: int | None = None
    if sys.platform != "win32":
        try:
            import resource
        except ImportError:
            return None
        limit, _ = resource.getrlimit(getattr(resource, name))
        found = None if limit == resource.RLIM_INFINITY else limit
    return found


def error_text(number: int) -> str:
    """Return the text of an error number, on Windows also for errors of sockets."""
    text = ""
    if sys.platform == "win32" and number >= _FIRST_WINSOCK_ERROR:
        import ctypes

        text = ctypes.FormatError(number).strip().rstrip(".")
    return text or os.strerror(number)


def command_line(words: Sequence[str]) -> str:
    """Quote ``words`` as a command line for a shell of this system."""
    if sys.platform != "win32":
        import shlex

        line = shlex.join(words)
    else:
        import subprocess

        line = subprocess.list2cmdline(words)
    return line


def lock(file: IO[bytes], on_wait: Callable[[], None]) -> None:
    """Lock an empty file until it is closed, or this process ends; other processes can lock it only then.

    Args:
        file: opened for writing.
        on_wait: called once before waiting for another process that has locked it.

    Raises:
        OSError: files cannot be locked here.
    """
    try_to_lock = _way_to_lock()
    if try_to_lock(file.fileno()):
        return
    on_wait()
    while not try_to_lock(file.fileno()):
        time.sleep(_RETRY)


def _way_to_lock() -> Callable[[int], bool]:
    """Return the function that locks a descriptor, and returns False if another process has locked it.

    Raises:
        OSError: this system has none.
    """
    try:
        if sys.platform == "win32":
            import msvcrt
        else:
            import fcntl
    except ImportError:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from None

    def try_to_lock(descriptor: int) -> bool:
        try:
            if sys.platform == "win32":
                # A byte beyond the end of the file can be locked, too.
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            # The first is what Unix says, the second what Windows says.
            return False
        return True

    return try_to_lock
