"""The options and report formats that all checks share."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial, wraps
from typing import Any, Protocol

import click
import trio
from attrs import evolve, field, frozen

from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.encoding import as_junit, as_object
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report
from quoridor_net.check.launching import ProgramFailure
from quoridor_net.check.pace import CHECK_TIME, Pace
from quoridor_net.check.text_report import NextSteps, first_pass_line, format_outcome, next_line, report_lines
from quoridor_net.cli import options
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import NewFile, overwrite_option
from quoridor_net.net import clock
from quoridor_net.net.signals import until_signal
from quoridor_net.output import Output, discard_unwritten
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.system import command_line

#: Default time limit for each answer, in seconds.
MOVE_TIME = 10.0

#: Also of gradings, which check first.
CHECK_TIME_OPTION = click.option(
    "--check-time",
    type=options.SECONDS,
    default=CHECK_TIME,
    show_default=True,
    help="Time limit for all answers to the checker together, in seconds. A slow program is checked less"
    " thoroughly.",
)


_WATCH = click.option(
    "--watch", is_flag=True, help="Check again whenever the program is rebuilt or restarted, until Ctrl-C."
)


class Watch(Protocol):
    """A program that may be rebuilt or restarted."""

    async def wait_changed(self) -> None:
        """Wait until it is."""


@frozen
class Reporting:
    """The destinations of a report, and the options for the check.

    Attributes:
        as_json: whether to print one JSON object and nothing else.
        only: the only code to look for; None for all.
        junit: file for JUnit XML.
        repeat: file for a script that reproduces the first finding.
        transcript: log of all lines.
        check_time: time limit for all answers together, in seconds.
        watches: whether to check again whenever the program changes.
    """

    as_json: bool
    only: str | None
    junit: NewFile | None
    repeat: NewFile | None
    transcript: Transcript | None
    check_time: float = CHECK_TIME
    watches: bool = False
    _heard: list[str] = field(factory=list, init=False)
    # The start of the check, as the only item.
    _start: list[float] = field(factory=list, init=False)
    # A closed pipe does not end the check, because the report may also go to files.
    _output: Output = field(factory=lambda: Output(sys.stdout), init=False)

    def begin(self, sentence: str) -> None:
        """Print the headline."""
        self._start[:] = [time.monotonic()]
        self._heard.clear()
        if not self.as_json:
            self._say(sentence)

    def progress(self, outcome: CheckOutcome) -> None:
        """Print the outcome of one check; skipped checks are counted at the end instead."""
        if not self.as_json and (outcome.verdict is not CheckVerdict.SKIPPED or outcome.codes):
            self._say(format_outcome(outcome))

    def after_first(self, report: Report) -> None:
        """Print a line between the first pass and the thorough checks."""
        if not self.as_json and self.only is None:
            self._say(first_pass_line(report, time.monotonic() - self._start[0]))

    def say_watching(self, report: Report) -> None:
        """Print that the next check begins by itself."""
        if not self.as_json:
            self._say(f"Watching the {report.noun}: it is checked again when it changes. Ctrl-C ends.\n")

    def _say(self, line: str) -> None:
        """Print a line, in colour only on a terminal."""
        self._output.write_line(line if sys.stdout.isatty() else click.unstyle(line))

    def hear(self, failure: ProgramFailure) -> None:
        """Remember how the program failed, and log its last words."""
        self._heard.append(failure.sentence)
        if self.transcript is not None:
            self.transcript.note_last_words(failure.last_words)

    def conclude(
        self, report: Report, script: Callable[[Finding], str], steps: NextSteps | None = None
    ) -> int:
        """Write the report in all requested formats, and return the exit status.

        Args:
            report: the report.
            script: writes a script that reproduces a finding.
            steps: what to do next; None for files.
        """
        if self._heard and report.findings:
            report.remarks.insert(0, f"The program {self._heard[0]}.")
        if self.as_json:
            self._say(json.dumps(as_object(report)))
        else:
            for line in report_lines(report):
                self._say(line)
        if self.junit is not None:
            _write(self.junit, as_junit(report))
        if self.repeat is not None:
            self._write_script(self.repeat, report, script)
        steps = steps or NextSteps()
        if self.only is not None:
            steps = evolve(steps, trial=f"check for all findings, without --only {self.only}.")
        if not self.as_json and (line := next_line(report, steps)):
            self._say(line)
        if report.is_interrupted:
            return ExitStatus.ABORTED
        if report.is_checked:
            return ExitStatus.DONE if report.passed else ExitStatus.FAILED
        return ExitStatus.CANNOT_BEGIN

    def _write_script(self, file: NewFile, report: Report, script: Callable[[Finding], str]) -> None:
        """Write the script for the requested finding, or else for the first one with a conversation."""
        findings = [finding for finding in report.findings if finding.dialogue or finding.before]
        wanted = [finding for finding in findings if finding.code == self.only]
        if not findings:
            click.echo(f"{file.name} was not written: there is no finding to reproduce.", err=True)
            return
        first = (wanted or findings)[0]
        _write(file, script(first))
        if not self.as_json:
            self._say(f"Run {file.name} to reproduce {first.code}.")


def reports(subject: str, *, runs: bool = True) -> Callable[[Callable[..., None]], Any]:
    """Return a decorator that adds the report options to a command and passes them as :class:`Reporting`.

    Args:
        subject: name of the catalogue with the codes for ``--only``.
        runs: whether the check runs a program, so that options about its answers apply.
    """
    codes = catalogue(subject).rules

    def check_code(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
        if value is not None and value.upper() not in codes:
            raise click.BadParameter(f"unknown finding {value}. Codes go from {min(codes)} to {max(codes)}.")
        return value and value.upper()

    def decorate(command: Callable[..., None]) -> Any:
        @wraps(command)
        def run_command(
            as_json: bool,
            junit: NewFile | None,
            only: str | None = None,
            repeat: NewFile | None = None,
            log: NewFile | None = None,
            check_time: float = CHECK_TIME,
            watch: bool = False,
            **others: Any,
        ) -> None:
            if watch and (junit or repeat or log):
                raise click.UsageError("--watch writes no files: leave out --junit, --repeat and --log.")
            transcript = None if log is None else Transcript(log, time.monotonic)
            command(
                reporting=Reporting(as_json, only, junit, repeat, transcript, check_time, watch), **others
            )

        talking = (
            (options.only(check_code), CHECK_TIME_OPTION, options.REPEAT, options.LOG, _WATCH) if runs else ()
        )
        for option in reversed((options.REPORT_JSON, options.JUNIT, *talking, overwrite_option)):
            option(run_command)
        return run_command

    return decorate


def run(
    headline: str,
    check: Callable[..., Awaitable[Report]],
    reporting: Reporting,
    watch: Watch,
    script: Callable[[Finding], str],
    steps: NextSteps,
) -> None:
    """Run a check until it ends or is interrupted, write its report, and exit.

    Args:
        headline: the first line.
        check: runs the check.
        reporting: the destinations of the report.
        watch: the program, for ``--watch``.
        script: writes a script that reproduces a finding.
        steps: what to do next.
    """
    with adopt_orphans():
        while True:
            reporting.begin(headline)
            stop = trio.CancelScope()
            pace = Pace(reporting.check_time)
            complete = partial(check, stop=stop, pace=pace, after_first=reporting.after_first)
            report = clock.run(until_signal, complete, stop)
            assert report is not None
            status = reporting.conclude(report, script, steps)
            if not reporting.watches or report.is_interrupted:
                sys.exit(status)
            reporting.say_watching(report)
            if not clock.run(until_signal, partial(_wait_changed, watch)):
                sys.exit(status)


def run_by_hand(words: Sequence[str]) -> str:
    """Return advice about a program that could not be started, or did not listen or connect."""
    return f"run it by hand, see why it fails, and check again: {command_line(words)}"


async def _wait_changed(watch: Watch) -> bool:
    await watch.wait_changed()
    return True


def _write(file: NewFile, text: str) -> None:
    try:
        file.write(text)
        file.flush()
    except OSError as error:
        discard_unwritten(file)
        raise click.ClickException(f"cannot write {file.name}: {error.strerror}.") from None
