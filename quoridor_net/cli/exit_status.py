"""The exit statuses of all commands (docs/verdicts.md, Exit status)."""

from __future__ import annotations

from enum import IntEnum

import click


class ExitStatus(IntEnum):
    """The exit status of a command."""

    #: The command did everything it was asked to do.
    DONE = 0
    #: It found something wrong, or the output could not be written.
    FAILED = 1
    #: The command line is wrong. This is click's own status.
    USAGE = 2
    #: It could not begin: the address is in use, or a server or an engine is out of reach.
    CANNOT_BEGIN = 3
    #: It began and did not finish: an interruption, void games, or an internal error.
    ABORTED = 4
    #: The engine of ``--white`` lost a game of the referee by a fault.
    WHITE_AT_FAULT = 10
    #: The engine of ``--black`` did.
    BLACK_AT_FAULT = 11
    #: Both did.
    BOTH_AT_FAULT = 12
    #: Ctrl-C in a command that reports its results so far.
    INTERRUPTED = 130
    #: The reader closed the pipe, as ``head`` does. A program killed by SIGPIPE has the same status.
    PIPE_CLOSED = 141


class CannotBeginError(click.ClickException):
    """A resource that the command needs is missing; the message names it."""

    exit_code = ExitStatus.CANNOT_BEGIN
