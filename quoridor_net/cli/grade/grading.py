"""The options and outputs that all gradings share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import click
import trio
from attrs import field, frozen

from quoridor_net.check.lan_server.server import GAP
from quoridor_net.check.pace import CHECK_TIME
from quoridor_net.cli import options
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.grading.grade import Ending, Grade
from quoridor_net.grading.run import GAME_TIME, GAMES, GradeSettings, grade_program
from quoridor_net.grading.subjects import Allowance, Subject
from quoridor_net.grading.text_report import page
from quoridor_net.net import clock
from quoridor_net.net.signals import until_signal
from quoridor_net.output import Output
from quoridor_net.programs.orphans import adopt_orphans

_MOVE_TIME = click.option(
    "--move-time",
    type=options.SECONDS,
    default=10.0,
    show_default=True,
    help="Time limit for each answer and each move of the program, in seconds.",
)
_TIME = click.option(
    "--time",
    "seconds",
    type=options.SECONDS,
    default=GAME_TIME,
    show_default=True,
    help="Time limit for the games, in seconds.",
)
_GAMES = click.option(
    "--games",
    type=options.Integer(2),
    default=GAMES,
    show_default=True,
    help="Maximum number of games; they end earlier once the level is known to half a level.",
)
_CHECK_TIME = click.option(
    "--check-time",
    type=options.SECONDS,
    default=CHECK_TIME,
    show_default=True,
    help="Time limit for all answers to the checker together, in seconds.",
)
_SEED = click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Seed of openings and opponents. The same seed gives the same games.",
)

#: For move servers.
SERVER_GAP = options.gap(GAP)


@frozen
class Grading:
    """The settings and outputs of a grading.

    Attributes:
        settings: seed and limits.
        allowance: what the program may use.
    """

    settings: GradeSettings
    allowance: Allowance
    # A closed pipe does not end the grading.
    _progress: Output = field(factory=lambda: Output(sys.stderr), init=False)
    _output: Output = field(factory=lambda: Output(sys.stdout), init=False)

    def run(self, subject: Subject) -> None:
        """Grade a program until the end or an interruption, write the grade, and exit."""
        stop = trio.CancelScope()
        work = partial(grade_program, subject, self.settings, self._progress.write_line, stop)
        with adopt_orphans():
            grade = clock.run(until_signal, work, stop)
        assert grade is not None
        leave(self.conclude(grade))

    def conclude(self, grade: Grade) -> int:
        """Write the grade in all requested formats, and return the exit status."""
        for line in page(grade):
            self._output.write_line(line if sys.stdout.isatty() else click.unstyle(line))
        if grade.ending is Ending.UNAVAILABLE:
            return ExitStatus.CANNOT_BEGIN
        return ExitStatus.ABORTED if grade.is_partial else ExitStatus.DONE


def grades(command: Callable[..., None]) -> Any:
    """Add the options of a grading to ``command`` and pass them as :class:`Grading`."""

    @wraps(command)
    def grading(
        seed: int,
        games: int,
        seconds: float,
        check_time: float,
        move_time: float,
        start_time: float,
        gap: float = GAP,
        memory_limit: int | None = None,
        **others: Any,
    ) -> None:
        settings = GradeSettings(seed, games, seconds, check_time)
        allowance = Allowance(move_time, start_time, gap, memory_limit)
        command(grading=Grading(settings, allowance), **others)

    start_time = options.start_time(Allowance().start_time, "the program's start and greeting")
    for option in reversed((_SEED, _GAMES, _TIME, _CHECK_TIME, _MOVE_TIME, start_time)):
        option(grading)
    return grading
