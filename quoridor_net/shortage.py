"""Shortages of the machine: memory, descriptors, processes and threads."""

from __future__ import annotations

import errno

_NO_MEMORY = "no memory is left: end other programs, or allow more (ulimit -v)"
_NO_FILES = "too many files and connections are open: allow more (ulimit -n)"
_NO_THREADS = (
    "no thread can be started: end other programs, or allow more memory (ulimit -v) or threads (ulimit -u)"
)
_NO_PROCESSES = "no process can be started: end other programs, or allow more (ulimit -u)"


def lack_of(error: BaseException) -> str | None:
    """Return a clause that names the shortage and its remedy; None for an error of another kind.

    Args:
        error: what ended a game or a command; the first error of a group counts.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case MemoryError():
            # The kernels of the engine need so much that they are asked for how much; others say nothing.
            return str(error) or _NO_MEMORY
        case RuntimeError() if "start new thread" in str(error):
            return _NO_THREADS
        # What loads a library says so in words alone.
        case ImportError() if "failed to map segment" in str(error):
            return _NO_MEMORY
        case OSError(errno=errno.ENOMEM | errno.ENOBUFS):
            return _NO_MEMORY
        case OSError(errno=errno.EMFILE | errno.ENFILE):
            return _NO_FILES
        case OSError(errno=errno.EAGAIN):
            return _NO_PROCESSES
    return None
