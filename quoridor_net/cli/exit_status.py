"""The exit statuses of all programs of this project: one table (docs/verdicts.md, Exit status)."""

from __future__ import annotations

from enum import IntEnum

import click


class ExitStatus(IntEnum):
    """What a program says to a script when it ends; each documentation page lists those that it can see."""

    #: Everything that was asked for is done.
    DONE = 0
    #: It was done, and found something wrong; or the output could not be written.
    FAILED = 1
    #: The command line is wrong. Click's own status for that.
    USAGE = 2
    #: It could not begin: an address cannot be listened on, a server or an engine cannot be reached.
    CANNOT_BEGIN = 3
    #: It began and did not come to its end: interrupted, void games, an error of ours.
    ABORTED = 4
    #: A referee's games: the engine of ``--white`` lost one by a fault.
    WHITE_AT_FAULT = 10
    #: The engine of ``--black`` did.
    BLACK_AT_FAULT = 11
    #: Both did.
    BOTH_AT_FAULT = 12
    #: Ctrl-C, where what was done until then is reported first.
    INTERRUPTED = 130
    #: The reader of the output closed the pipe, as ``head`` does: the status of a program killed by SIGPIPE.
    PIPE_CLOSED = 141


class CannotBeginError(click.ClickException):
    """A resource of the command is missing; the message names it."""

    exit_code = ExitStatus.CANNOT_BEGIN
