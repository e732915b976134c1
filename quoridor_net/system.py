"""Differences between operating systems: signals, limits, file locks, error messages.

Some modules and names of the standard library exist only on Unix, others only on Windows. This module looks
them up when needed, so that everything else can be imported on every system.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

#: Error numbers for too many open files or sockets; Windows has a separate one for sockets.
TOO_MANY_FILES: frozenset[int] = frozenset(
    {errno.EMFILE, errno.ENFILE, getattr(errno, "WSAEMFILE", errno.EMFILE)}
)

#: Lowest socket error number on Windows, whose C library has no messages for them.
_FIRST_WINSOCK_ERROR = 10_000

#: Delay between attempts to lock a file, in seconds.
_RETRY = 0.1


def signals(*names: str) -> tuple[signal.Signals, ...]:
    """Return the signals with these names that this system has."""
    found = (getattr(signal, name, None) for name in names)
    return tuple(number for number in found if number is not None)


def limit_of(name: str) -> int | None:
    """Return the soft limit ``name`` of :mod:`resource` for this process; None if unlimited or on Windows."""
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
    """Return the message for an error number, including socket errors on Windows."""
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


def find_state_folder() -> Path:
    """Return the folder for the files that programs keep about this user; it may not exist yet.

    Raises:
        RuntimeError: the home folder is unknown.
    """
    state = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "quoridor-net"


def lock(file: IO[bytes], on_wait: Callable[[], None]) -> None:
    """Lock an empty file against other processes until it is closed or this process exits.

    Args:
        file: opened for writing.
        on_wait: called once if another process holds the lock, before waiting for it.

    Raises:
        OSError: this system cannot lock files.
    """
    try_to_lock = _find_locking()
    if try_to_lock(file.fileno()):
        return
    on_wait()
    while not try_to_lock(file.fileno()):
        time.sleep(_RETRY)


def _find_locking() -> Callable[[int], bool]:
    """Return a function that locks a descriptor, or returns False if another process has locked it.

    Raises:
        OSError: this system cannot lock files.
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
                # Locking a byte beyond the end of the file is allowed.
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            # Unix raises the first, Windows the second.
            return False
        return True

    return try_to_lock
