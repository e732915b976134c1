"""The options and outputs that all gradings share."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import click
import trio
from attrs import evolve, field, frozen

from quoridor_net.check.lan_server.server import GAP
from quoridor_net.cli import options
from quoridor_net.cli.check.reporting import CHECK_TIME_OPTION
from quoridor_net.cli.exit_status import CannotBeginError, ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.new_file import NEW_FILE, NewFile, overwrite_option
from quoridor_net.grading.autograders import as_classroom, as_gradescope
from quoridor_net.grading.encoding import as_junit, as_object
from quoridor_net.grading.grade import Ending, Grade
from quoridor_net.grading.rubric import MAX_RUBRIC, Award, Rubric, RubricError, default_rubric, parse_rubric
from quoridor_net.grading.run import GAME_TIME, GAMES, GradeSettings, grade_program
from quoridor_net.grading.subjects import Allowance, Subject
from quoridor_net.grading.text_report import page
from quoridor_net.net import clock
from quoridor_net.net.errors import first_error
from quoridor_net.net.signals import until_signal
from quoridor_net.output import Output, discard_unwritten
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.text import visible
from quoridor_net.text_file import TextFileError, explain, read_text

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
_SEED = click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Seed of openings and opponents. The same seed gives the same games.",
)

#: For move servers.
SERVER_GAP = options.gap(GAP)


def _print_rubric(context: click.Context, _option: click.Parameter, is_given: bool) -> None:
    if is_given:
        click.echo(default_rubric(), nl=False)
        context.exit()


def _read_rubric(_context: click.Context, _option: click.Parameter, name: str | None) -> Rubric:
    if name is None:
        return parse_rubric(default_rubric())
    try:
        return parse_rubric(read_text(name, MAX_RUBRIC))
    except (OSError, TextFileError) as error:
        raise click.BadParameter(f"{explain(name, error)}.") from None
    except RubricError as error:
        faults = "\n".join(f"{visible(name)}: {fault}." for fault in error.faults)
        raise click.BadParameter(faults) from None


_RUBRIC = click.option(
    "--rubric",
    metavar="FILE.toml",
    callback=_read_rubric,
    help="Rubric that turns the grade into points. [default: see --default-rubric]",
)
_DEFAULT_RUBRIC = click.option(
    "--default-rubric",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_rubric,
    help="Print the default rubric, to copy and change, and exit.",
)
_GRADESCOPE = click.option(
    "--gradescope", type=NEW_FILE, metavar="FILE", help="File for the results.json of Gradescope."
)
_CLASSROOM = click.option(
    "--classroom", type=NEW_FILE, metavar="FILE", help="File for the result of a step for GitHub Classroom."
)
_HTML = click.option(
    "--html", type=NEW_FILE, metavar="FILE", help="File for the page as HTML, with boards; it loads nothing."
)
_JUNIT = click.option("--junit", type=NEW_FILE, help="File for checks and games, in JUnit XML format.")


@frozen(kw_only=True)
class Outputs:
    """Where the grade goes, besides the page.

    Attributes:
        as_json: whether to print one JSON object and nothing else.
        html: file for the page as HTML.
        junit: file for JUnit XML.
        gradescope: file for Gradescope.
        classroom: file for GitHub Classroom.
    """

    as_json: bool = False
    html: NewFile | None = None
    junit: NewFile | None = None
    gradescope: NewFile | None = None
    classroom: NewFile | None = None

    def write_files(self, grade: Grade, award: Award, seconds: float) -> None:
        """Write all files; ``seconds`` is the duration of the grading."""
        if self.html is not None:
            write_file(self.html, html_of(grade, award))
        if self.junit is not None:
            write_file(self.junit, as_junit(grade, award))
        if self.gradescope is not None:
            write_file(self.gradescope, _dump(as_gradescope(grade, award, seconds)))
        if self.classroom is not None:
            write_file(self.classroom, _dump(as_classroom(grade, award, seconds)))


def write_file(file: NewFile, text: str) -> None:
    """Write an output file.

    Raises:
        click.ClickException: it cannot be written.
    """
    try:
        file.write(text)
        file.flush()
    except OSError as error:
        discard_unwritten(file)
        raise click.ClickException(f"cannot write {file.name}: {error.strerror}.") from None


def html_of(grade: Grade, award: Award) -> str:
    """Return the page of a grade as HTML."""
    # Imported here, because most gradings need no pages.
    from quoridor_net.grading.html_report import html_report

    return html_report(grade, award)


def _dump(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2) + "\n"


@frozen
class Grading:
    """The settings and outputs of a grading.

    Attributes:
        settings: seed and limits.
        allowance: what the program may use.
        rubric: turns the grade into points.
        outputs: where the grade goes.
    """

    settings: GradeSettings
    allowance: Allowance
    rubric: Rubric
    outputs: Outputs = Outputs()
    # A closed pipe does not end the grading.
    _progress: Output = field(factory=lambda: Output(sys.stderr), init=False)
    _output: Output = field(factory=lambda: Output(sys.stdout), init=False)

    def run(self, subject: Subject) -> None:
        """Grade a program until the end or an interruption, write the grade, and exit."""
        started = time.monotonic()
        grade = self.grade(subject)
        leave(self.conclude(grade, time.monotonic() - started))

    def grade(self, subject: Subject, prefix: str = "") -> Grade:
        """Return the grade of a program, also after an interruption; ``prefix`` begins lines of progress."""
        stop = trio.CancelScope()

        def report(line: str) -> None:
            self._progress.write_line(f"{prefix}{line}")

        work = partial(grade_program, subject, self.settings, report, stop)
        grade: Grade | None = None
        lack = ""
        try:
            with adopt_orphans():
                grade = clock.run(until_signal, work, stop)
        except* (MemoryError, ImportError) as group:
            lack = str(first_error(group)) or "not enough memory"
        if grade is None:
            raise CannotBeginError(f"the engine, which plays against the program, is not available: {lack}.")
        return grade

    def conclude(self, grade: Grade, seconds: float = 0.0) -> int:
        """Write the grade in all requested formats, and return the exit status."""
        award = self.rubric.award(grade)
        if self.outputs.as_json:
            self._output.write_line(json.dumps(as_object(grade, award)))
        else:
            for line in page(grade, award):
                self._output.write_line(line if sys.stdout.isatty() else click.unstyle(line))
        self.outputs.write_files(grade, award, seconds)
        if grade.ending is Ending.UNAVAILABLE:
            return ExitStatus.CANNOT_BEGIN
        return ExitStatus.ABORTED if grade.is_partial else ExitStatus.DONE


def grades(command: Callable[..., None]) -> Any:
    """Add the options of the grading of one program to ``command``, and pass them as :class:`Grading`."""

    @wraps(command)
    def with_outputs(
        as_json: bool,
        html: NewFile | None,
        junit: NewFile | None,
        gradescope: NewFile | None,
        classroom: NewFile | None,
        grading: Grading,
        **others: Any,
    ) -> None:
        outputs = Outputs(as_json=as_json, html=html, junit=junit, gradescope=gradescope, classroom=classroom)
        command(grading=evolve(grading, outputs=outputs), **others)

    for option in reversed((options.JSON_DOCUMENT, _HTML, _JUNIT, _GRADESCOPE, _CLASSROOM)):
        option(with_outputs)
    return grades_batch(with_outputs)


def grades_batch(command: Callable[..., None]) -> Any:
    """Add the options of all gradings to ``command``, and pass them as :class:`Grading`."""

    @wraps(command)
    def run_command(
        seed: int,
        games: int,
        seconds: float,
        check_time: float,
        move_time: float,
        start_time: float,
        rubric: Rubric,
        gap: float = GAP,
        memory_limit: int | None = None,
        **others: Any,
    ) -> None:
        settings = GradeSettings(seed, games, seconds, check_time)
        allowance = Allowance(move_time, start_time, gap, memory_limit)
        command(grading=Grading(settings, allowance, rubric), **others)

    start_time = options.start_time(Allowance().start_time, "the program's start and greeting")
    limits = (_SEED, _GAMES, _TIME, CHECK_TIME_OPTION, _MOVE_TIME, start_time)
    for option in reversed((*limits, _RUBRIC, _DEFAULT_RUBRIC, overwrite_option)):
        option(run_command)
    return run_command
