"""A machine that runs short of memory, descriptors, threads or disk: one line about it."""

from __future__ import annotations

from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.shortage import lack_of


def shortage(error: BaseException) -> tuple[str, ExitStatus] | None:
    """Return what to tell about the error that ended a command, and the exit status.

    None if the machine is not to blame.
    """
    lack = lack_of(error)
    if lack is not None:
        return lack, ExitStatus.ABORTED
    if isinstance(error, OSError):
        # Most often standard output on a full disk.
        return str(error.strerror or error), ExitStatus.FAILED
    return None
