"""Reports unexpected errors: one line that says what to do, and the exit status."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.output import Output, discard_unwritten
from quoridor_net.shortage import lack_of
from quoridor_net.text import visible

#: The environment variable that adds the traceback, for a bug report.
TRACEBACK = "QUORIDOR_TRACEBACK"

#: Maximum length of the error's own message in characters; those of a compiler fill pages.
_MAX_REASON = 200

# The folder of this project's packages; in a clone, the applications are beside quoridor_net, not inside it.
_HOME = Path(__file__).parents[2]
_PACKAGES = {"quoridor_net", "server", "client"}


def report(error: BaseException) -> ExitStatus:
    """Write one line about an unhandled error to standard error, and return the exit status.

    Args:
        error: the error, or a group of a nursery, of which the first error counts.
    """
    write_line = Output(sys.stderr).write_line
    first = _first(error)
    shortage = _explain_shortage(first)
    if shortage is None:
        if os.environ.get(TRACEBACK):
            for line in "".join(traceback.format_exception(error)).splitlines():
                write_line(visible(line))
        how = f"with the traceback, which {TRACEBACK}=1 in the environment shows"
        write_line(f"Error: internal error: {_reason(first)}. Please report it {how}.")
        return ExitStatus.ABORTED
    sentence, status = shortage
    write_line(f"Error: {sentence}.")
    # Closing a file on a full disk would fail again.
    discard_unwritten(sys.stdout)
    return status


def _explain_shortage(error: BaseException) -> tuple[str, ExitStatus] | None:
    """Return a sentence and the exit status if this machine caused ``error``, and None otherwise."""
    lack = lack_of(error)
    if lack is not None:
        return lack, ExitStatus.ABORTED
    if isinstance(error, OSError):
        # Usually standard output on a full disk.
        return str(error.strerror or error), ExitStatus.FAILED
    return None


@contextmanager
def report_threads() -> Iterator[None]:
    """Report errors of threads in the same way while the context lasts; they do not end the program."""

    def hook(failed: threading.ExceptHookArgs) -> None:
        if isinstance(failed.exc_value, Exception):
            report(failed.exc_value)

    before, threading.excepthook = threading.excepthook, hook
    try:
        yield
    finally:
        threading.excepthook = before


def _first(error: BaseException) -> BaseException:
    """Return the first error in a group, ignoring the cancellations that follow a failure."""
    while isinstance(error, BaseExceptionGroup):
        failures = error.subgroup(Exception) or error
        error = failures.exceptions[0]
    return error


def _reason(error: BaseException) -> str:
    """Return the error and its place on one line."""
    words = " ".join(visible(str(error)).split())
    if len(words) > _MAX_REASON:
        words = f"{words[:_MAX_REASON]}..."
    where = _place(error)
    return f"{type(error).__name__}{words and f': {words}'}{where and f' ({where})'}"


def _place(error: BaseException) -> str:
    """Return the innermost line of this project in the traceback of ``error``; empty without one."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(_HOME) and path.relative_to(_HOME).parts[0] in _PACKAGES:
            return f"{path.relative_to(_HOME).as_posix()}:{frame.lineno}"
    return ""
