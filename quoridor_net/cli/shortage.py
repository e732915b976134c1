"""A machine that runs short of memory, descriptors, threads or disk: one line about it."""

from __future__ import annotations

import errno

from quoridor_net.cli.exit_status import ExitStatus

_NO_MEMORY = "no memory is left: end other programs, or allow more (ulimit -v)"
_NO_FILES = "too many files and connections are open: allow more (ulimit -n)"
_NO_THREADS = (
    "no thread can be started: end other programs, or allow more memory (ulimit -v) or threads (ulimit -u)"
)


def shortage(error: BaseException) -> tuple[str, ExitStatus] | None:
    """Return what to tell about the error that ended a command, and the exit status.

    None if the machine is not to blame.
    """
    match error:
        case MemoryError():
            # The kernels of the engine need so much that they are asked for how much; others say nothing.
            return str(error) or _NO_MEMORY, ExitStatus.ABORTED
        case RuntimeError() if "start new thread" in str(error):
            return _NO_THREADS, ExitStatus.ABORTED
        # What loads a library says so in words alone.
        case ImportError() if "failed to map segment" in str(error):
            return _NO_MEMORY, ExitStatus.ABORTED
        case OSError(errno=errno.ENOMEM):
            return _NO_MEMORY, ExitStatus.ABORTED
        case OSError(errno=errno.EMFILE | errno.ENFILE):
            return _NO_FILES, ExitStatus.ABORTED
        case OSError():
            # Most often standard output on a full disk.
            return str(error.strerror or error), ExitStatus.FAILED
    return None
