"""A machine that runs short of memory, descriptors, threads or disk: one line about it."""

from __future__ import annotations

from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.shortage import lack_of


def shortage(error: BaseException) -> tuple[str, ExitStatus] | None:
    """Return what to tell about an error, and the exit status; None if the machine is not to blame.

    Args:
        error: what ended a command; of a group, the first error counts.
    """
    lack = lack_of(error)
    if lack is not None:
        return lack, ExitStatus.ABORTED
    if isinstance(error, BaseExceptionGroup):
        # Imported here: commands without trio should not wait for it, and one that raises groups has it.
        from quoridor_net.net.errors import first_error

        error = first_error(error)
    if isinstance(error, OSError):
        # Most often standard output on a full disk.
        return str(error.strerror or error), ExitStatus.FAILED
    return None
