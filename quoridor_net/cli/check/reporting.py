"""What all checks share: their options, and how their reports are written."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any

import click
import trio
from attrs import field, frozen

from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.encoding import as_junit, as_object
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report
from quoridor_net.check.pace import CHECK_TIME, Pace
from quoridor_net.check.text_report import outcome_line, report_lines
from quoridor_net.cli import options
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import NewFile, overwrite_option
from quoridor_net.net import clock
from quoridor_net.net.signals import until_signal
from quoridor_net.output import Output, discard_unwritten
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.protocols.common.transcript import Transcript

#: Seconds that a program has for every answer, unless told otherwise.
MOVE_TIME = 10.0

_CHECK_TIME = click.option(
    "--check-time",
    type=options.SECONDS,
    default=CHECK_TIME,
    show_default=True,
    help="Seconds for all answers together; of a slow program less is checked.",
)


@frozen
class Reporting:
    """Where a report goes, and what is asked for.

    Attributes:
        as_json: whether to print one JSON object and nothing else.
        only: the code of the only finding that is looked for.
        junit: file for JUnit XML.
        repeat: file for a script that repeats the first finding.
        transcript: where all lines are noted.
        check_time: seconds that the program may spend on its answers, all together.
    """

    as_json: bool
    only: str | None
    junit: NewFile | None
    repeat: NewFile | None
    transcript: Transcript | None
    check_time: float = CHECK_TIME
    _heard: list[str] = field(factory=list, init=False)
    # A reader that goes away ends no check: its report may go to files as well.
    _output: Output = field(factory=lambda: Output(sys.stdout), init=False)

    def begin(self, sentence: str) -> None:
        """Say what is checked."""
        if not self.as_json:
            self._say(sentence)

    def progress(self, outcome: CheckOutcome) -> None:
        """Print the outcome of one check; checks that were skipped outright are counted at the end."""
        if not self.as_json and (outcome.verdict is not CheckVerdict.SKIPPED or outcome.codes):
            self._say(outcome_line(outcome))

    def _say(self, line: str) -> None:
        """Print a line, in colour on a terminal only."""
        self._output.write_line(line if sys.stdout.isatty() else click.unstyle(line))

    def hear(self, sentence: str) -> None:
        """Note how the program ended, where it failed."""
        self._heard.append(sentence)

    def conclude(self, report: Report, script: Callable[[Finding], str]) -> int:
        """Write everything that was asked for, and return the exit status."""
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
        if report.is_interrupted:
            return ExitStatus.ABORTED
        if report.is_checked:
            return ExitStatus.DONE if report.passed else ExitStatus.FAILED
        return ExitStatus.CANNOT_BEGIN

    def _write_script(self, file: NewFile, report: Report, script: Callable[[Finding], str]) -> None:
        """Write the script for the finding that was looked for, or for the first where something was said."""
        findings = [finding for finding in report.findings if finding.dialogue]
        wanted = [finding for finding in findings if finding.code == self.only]
        if not findings:
            click.echo(f"{file.name} is not written: there is nothing to repeat.", err=True)
            return
        first = (wanted or findings)[0]
        _write(file, script(first))
        if not self.as_json:
            self._say(f"{file.name} repeats {first.code}.")


def reports(subject: str, *, runs: bool = True) -> Callable[[Callable[..., None]], Any]:
    """Return a decorator that gives a command the options of a report, which come as :class:`Reporting`.

    Args:
        subject: the name of the catalogue, for ``--only``.
        runs: whether a program runs that can be talked to, and talked to again.
    """
    codes = catalogue(subject).rules

    def known(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
        if value is not None and value.upper() not in codes:
            raise click.BadParameter(
                f"there is no finding {value}: they go from {min(codes)} to {max(codes)}."
            )
        return value and value.upper()

    def decorate(command: Callable[..., None]) -> Any:
        @wraps(command)
        def reporting(
            as_json: bool,
            junit: NewFile | None,
            only: str | None = None,
            repeat: NewFile | None = None,
            log: NewFile | None = None,
            check_time: float = CHECK_TIME,
            **others: Any,
        ) -> None:
            transcript = None if log is None else Transcript(log, time.monotonic)
            command(reporting=Reporting(as_json, only, junit, repeat, transcript, check_time), **others)

        talking = (options.only(known), _CHECK_TIME, options.REPEAT, options.LOG) if runs else ()
        for option in reversed((options.REPORT_JSON, options.JUNIT, *talking, overwrite_option)):
            option(reporting)
        return reporting

    return decorate


def run(
    check: Callable[..., Awaitable[Report]], reporting: Reporting, script: Callable[[Finding], str]
) -> None:
    """Run a check until it ends or is interrupted, write its report, and exit."""
    stop = trio.CancelScope()
    with adopt_orphans():
        report = clock.run(until_signal, partial(check, stop=stop, pace=Pace(reporting.check_time)), stop)
    assert report is not None
    sys.exit(reporting.conclude(report, script))


def _write(file: NewFile, text: str) -> None:
    try:
        file.write(text)
        file.flush()
    except OSError as error:
        discard_unwritten(file)
        raise click.ClickException(f"cannot write {file.name}: {error.strerror}.") from None
