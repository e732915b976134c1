"""``quoridor check replay``: check replay files, with the same reports as for programs."""

from __future__ import annotations

import sys

import click

from quoridor_net.check.catalogue import catalogue, report_on
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report
from quoridor_net.check.replay import check_replay
from quoridor_net.cli import options
from quoridor_net.cli.check.reporting import Reporting, reports
from quoridor_net.cli.command import command
from quoridor_net.cli.recorded_game import games_of, name_of, where
from quoridor_net.replay import ReplayError
from quoridor_net.rules import Jumps
from quoridor_net.text_file import reason_for


@command()
@click.argument("files", metavar="FILE...", type=click.Path(allow_dash=True), nargs=-1, required=True)
@click.option("--partial", is_flag=True, help="Accept unfinished games.")
@click.option(
    "--extended", is_flag=True, help="Also accept announced extensions (four players, other boards)."
)
@options.JUMPS
@reports("replay", runs=False)
def replay(files: tuple[str, ...], partial: bool, extended: bool, jumps: Jumps, reporting: Reporting) -> None:
    """Check replay files against the grammar and the rules, with all their games; - means standard input.

    quoridor replay check does the same, with one line per error.
    """
    reporting.begin("Checking replay files against the document of 2026:")
    whole = report_on("replay", ", ".join(map(name_of, files)))
    for file in files:
        name = name_of(file)
        reports_of_file: list[Report] = []
        try:
            for each, before, text in games_of(file):
                reports_of_file.append(
                    check_replay(text, each, before=before, partial=partial, extended=extended, jumps=jumps)
                )
        except (OSError, ReplayError) as error:
            report = report_on("replay", name)
            detail = f"{where(file, error)}."
            report.add(Finding(catalogue("replay").rules["RPL-100"], "a text file", detail=detail))
            why = reason_for(error) if isinstance(error, OSError) else error.sentence
            report.outcomes.append(CheckOutcome("replay", name, CheckVerdict.FAILED, why, ("RPL-100",)))
            reports_of_file = [report]
        for report in reports_of_file:
            reporting.progress(report.outcomes[0])
            # Report.add would drop a code that an earlier file has too.
            whole.findings += report.findings
            whole.outcomes += report.outcomes
    sys.exit(reporting.conclude(whole, lambda _finding: ""))
