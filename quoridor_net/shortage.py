"""Shortages of the machine: memory, descriptors, processes and threads."""

from __future__ import annotations

import errno

_NO_MEMORY = "out of memory: close other programs or raise the limit (ulimit -v)"
_NO_FILES = "too many open files and connections: raise the limit (ulimit -n)"
_NO_THREADS = (
    "cannot start a thread: close other programs or raise the limits on memory (ulimit -v) and threads"
    " (ulimit -u)"
)
_NO_PROCESSES = "cannot start a process: close other programs or raise the limit (ulimit -u)"


def lack_of(error: BaseException) -> str | None:
    """Return a clause that names the shortage and its remedy; None for any other error.

    Args:
        error: the error that ended a game or a command; for a group, its first error counts.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case MemoryError():
            # The engine's kernels say how much memory they need; other errors have no message.
            return str(error) or _NO_MEMORY
        case RuntimeError() if "start new thread" in str(error):
            return _NO_THREADS
        # The dynamic loader sets no errno, only a message.
        case ImportError() if "failed to map segment" in str(error):
            return _NO_MEMORY
        case OSError(errno=errno.ENOMEM | errno.ENOBUFS):
            return _NO_MEMORY
        case OSError(errno=errno.EMFILE | errno.ENFILE):
            return _NO_FILES
        case OSError(errno=errno.EAGAIN):
            return _NO_PROCESSES
    return None
