"""Reports as text, 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click
from attrs import frozen

from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, Severity, WireLine
from quoridor_net.text import count_things, printable

WIDTH = 80
_LABEL = 12

#: Number of lines shown from the end of a conversation.
LAST_LINES = 8

_COLOURS = {Severity.MUST: "red", Severity.SHOULD: "yellow", Severity.NOTE: "cyan"}
_SIGNS = {
    CheckVerdict.PASSED: ("ok", "green"),
    CheckVerdict.FAILED: ("FAILED", "red"),
    CheckVerdict.SKIPPED: ("skipped", "yellow"),
}


def format_outcome(outcome: CheckOutcome) -> str:
    """Return the line that reports the outcome of a check."""
    sign, colour = _SIGNS[outcome.verdict]
    if outcome.verdict is CheckVerdict.PASSED and outcome.severity is not None:
        sign, colour = str(outcome.severity), _COLOURS[outcome.severity]
    remark = ", ".join(outcome.codes) or outcome.remark
    remark = f"  {remark}" if remark else ""
    return click.style(f"{sign:>8}", fg=colour) + f"  {outcome.title}" + click.style(remark, dim=True)


def format_finding(finding: Finding, noun: str) -> Iterator[str]:
    """Yield the lines about one finding in a program of the kind ``noun``."""
    rule = finding.rule
    head = click.style(f"{rule.code}  {rule.severity}", fg=_COLOURS[rule.severity], bold=True)
    indent = len(f"{rule.code}  {rule.severity}  ")
    first, *more = textwrap.wrap(f"The {noun} {rule.title}.", WIDTH - indent)
    yield f"{head}  {click.style(first, bold=True)}"
    for line in more:
        yield " " * indent + click.style(line, bold=True)
    if finding.follows:
        yield from _paragraph("Cause", f"Probably {finding.follows}, which also leads to this.")
        return
    yield from _paragraph("Document", rule.said)
    if finding.sent:
        yield from _paragraph("Sent", printable(finding.sent, 200))
    yield from _paragraph("Received", _describe_received(finding))
    yield from _paragraph("Expected", finding.expected)
    if finding.detail:
        yield from _paragraph("Note", finding.detail)
    yield from _paragraph("Cause", rule.cause)
    yield from _paragraph("Fix", rule.hint)
    if finding.drawing:
        yield _label("Position") + finding.drawing[0]
        yield from (" " * _LABEL + line for line in finding.drawing[1:])
    shown = finding.dialogue[-LAST_LINES:]
    if len(shown) > 1:
        several = len({line.peer for line in finding.dialogue}) > 1
        title = "Lines" if len(shown) == len(finding.dialogue) else "Last lines"
        for number, shown_line in enumerate(shown):
            label = " " * _LABEL if number else _label(title)
            yield label + format_dialogue(shown_line, several=several)


def _describe_received(finding: Finding) -> str:
    if finding.received:
        return printable(finding.received, 200)
    return "the end of the connection" if finding.closed else "nothing"


def format_dialogue(line: WireLine, *, several: bool = False) -> str:
    """Return a line of the conversation, marked ``>`` if the checker sent it, otherwise ``<``."""
    peer = f"{line.peer} " if several else ""
    return f"{peer}{'>' if line.is_sent else '<'} {printable(line.data, WIDTH - _LABEL - 6)}"


def first_pass_line(report: Report, seconds: float) -> str:
    """Return the line between the fast first pass and the thorough one."""
    found = [finding.code for finding in report.findings if finding.severity is Severity.MUST]
    seen = f"already found: {', '.join(found)}" if found else "no must so far"
    return click.style(
        f"          First pass, {seconds:.1f} s: {seen}. The thorough checks follow.", dim=True
    )


def format_closing(report: Report) -> Iterator[str]:
    """Yield the summary at the end of a report."""
    causes = [finding for finding in report.findings if not finding.follows]
    counts = {severity: sum(finding.severity is severity for finding in causes) for severity in Severity}
    summary = ", ".join(f"{count} {severity}" for severity, count in counts.items())
    followers = len(report.findings) - len(causes)
    if followers:
        summary += f", and {count_things(followers, 'consequence')}"
    ended = sum(outcome.verdict is not CheckVerdict.SKIPPED for outcome in report.outcomes)
    every = count_things(len(report.outcomes), "check")
    checks = f"{ended} of {every}"
    if report.is_interrupted:
        yield click.style("Interrupted", fg="red", bold=True) + f": {checks} ran; {summary}."
    elif not report.is_checked:
        yield click.style("Not checked", fg="red", bold=True) + f": no check of the {report.noun} could run."
    else:
        sign = click.style("Passed", fg="green", bold=True)
        if not report.passed:
            sign = click.style("Not passed", fg="red", bold=True)
        elif report.is_cut_short:
            sign = click.style("Not finished", fg="yellow", bold=True)
        made = checks if ended < len(report.outcomes) else f"all {every}" if ended > 1 else every
        yield f"{sign}: {summary}, in {made}."


@frozen
class NextSteps:
    """Commands for the author of a program, as clauses in the imperative.

    Attributes:
        trial: what to do with a program that passes; empty for files.
        start: what to do with one that could not be started or reached.
        by_command: how to have a running program checked completely; empty if it is.
    """

    trial: str = ""
    start: str = ""
    by_command: str = ""


def next_line(report: Report, steps: NextSteps) -> str:
    """Return the last line, which says what to do next; empty for files without a fault."""
    roots = [finding for finding in report.findings if not finding.follows] or report.findings
    musts = [finding for finding in report.findings if finding.severity is Severity.MUST]
    shoulds = [finding for finding in roots if finding.severity is Severity.SHOULD]
    if musts:
        return f"Next: fix {musts[0].code} first, and check again."
    if report.is_interrupted:
        return "Next: check again without an interruption."
    if not report.is_checked:
        return f"Next: {steps.start}" if steps.start else ""
    if report.is_cut_short and steps.by_command:
        first = f"accept connections in a loop ({shoulds[0].code}), or " if shoulds else ""
        return f"Next: {first}{steps.by_command}"
    if not shoulds:
        return f"Next: {steps.trial}" if steps.trial else ""
    left = "1 should is left" if len(shoulds) == 1 else f"{len(shoulds)} shoulds are left"
    then = f" Then {steps.trial}" if steps.trial else ""
    return f"Next: fix {shoulds[0].code} ({left}), and check again.{then}"


def report_lines(report: Report) -> Iterator[str]:
    """Yield the part of a report that follows the outcomes of the checks."""
    reasons: dict[str, list[str]] = {}
    for outcome in report.outcomes:
        if outcome.verdict is CheckVerdict.SKIPPED and not outcome.codes:
            reasons.setdefault(outcome.remark, []).append(outcome.title)
    for reason, titles in reasons.items():
        checks = count_things(len(titles), "check")
        yield format_outcome(CheckOutcome("", checks, CheckVerdict.SKIPPED, reason))
        for line in textwrap.wrap("; ".join(titles), WIDTH - 10) if report.is_checked else ():
            yield click.style(f"          {line}", dim=True)
    yield ""
    for finding in report.findings:
        yield from format_finding(finding, report.noun)
        yield ""
    for remark in report.remarks:
        yield from textwrap.wrap(remark, WIDTH, break_on_hyphens=False)
    yield from format_closing(report)


def _label(name: str) -> str:
    return click.style(f"{name:<{_LABEL}}", dim=True)


def _paragraph(name: str, text: str) -> Iterator[str]:
    first, *more = textwrap.wrap(text, WIDTH - _LABEL, break_on_hyphens=False) or [""]
    yield _label(name) + first
    yield from (" " * _LABEL + line for line in more)
