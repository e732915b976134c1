"""``quoridor grade``: grade programs by conformance and strength."""

from __future__ import annotations

from quoridor_net.cli.lazy_group import Lazy, lazy_group

COMMANDS = {
    "batch": Lazy("quoridor_net.cli.grade.batch:batch", "Grade all teams of a class."),
    "qtp": Lazy("quoridor_net.cli.grade.qtp:qtp", "Grade an engine of the Athens protocol."),
    "server": Lazy("quoridor_net.cli.grade.server:server", "Grade a move server of the 2016 protocol."),
}


@lazy_group(COMMANDS)
def grade() -> None:
    """Grade a program: conformance by the checker, then its level by games against reference players.

    The result is one page: checks passed, level with its interval, time used, games lost by faults, and
    positions in which better moves were missed. Exit status 0: graded. 3: the program could not be reached or
    started. 4: the grade is partial.
    """
