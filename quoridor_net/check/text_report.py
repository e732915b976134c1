"""Reports as text, 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, Severity, WireLine
from quoridor_net.text import printable

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


def format_closing(report: Report) -> Iterator[str]:
    """Yield the summary at the end of a report."""
    counts = {
        severity: sum(finding.severity is severity for finding in report.findings) for severity in Severity
    }
    summary = ", ".join(f"{count} {severity}" for severity, count in counts.items())
    if report.is_interrupted:
        ended = sum(outcome.verdict is not CheckVerdict.SKIPPED for outcome in report.outcomes)
        checks = f"{ended} of {len(report.outcomes)} checks ran"
        yield click.style("Interrupted", fg="red", bold=True) + f": {checks}; {summary}."
    elif not report.is_checked:
        yield click.style("Not checked", fg="red", bold=True) + f": no check of the {report.noun} could run."
    elif report.passed:
        yield click.style("Passed", fg="green", bold=True) + f": {summary}."
        skipped = sum(outcome.verdict is CheckVerdict.SKIPPED for outcome in report.outcomes)
        if skipped:
            yield f"{skipped} of {len(report.outcomes)} checks were skipped."
    else:
        failed = click.style("Not passed", fg="red", bold=True)
        yield f"{failed}: {summary}. Fix the first finding and check again."


def report_lines(report: Report) -> Iterator[str]:
    """Yield the part of a report that follows the outcomes of the checks."""
    reasons: dict[str, int] = {}
    for outcome in report.outcomes:
        if outcome.verdict is CheckVerdict.SKIPPED and not outcome.codes:
            reasons[outcome.remark] = reasons.get(outcome.remark, 0) + 1
    for reason, count in reasons.items():
        checks = "1 check" if count == 1 else f"{count} checks"
        yield format_outcome(CheckOutcome("", checks, CheckVerdict.SKIPPED, reason))
    yield ""
    for finding in report.findings:
        yield from format_finding(finding, report.noun)
        yield ""
    for remark in report.remarks:
        yield from textwrap.wrap(remark, WIDTH)
    yield from format_closing(report)


def _label(name: str) -> str:
    return click.style(f"{name:<{_LABEL}}", dim=True)


def _paragraph(name: str, text: str) -> Iterator[str]:
    first, *more = textwrap.wrap(text, WIDTH - _LABEL, break_on_hyphens=False) or [""]
    yield _label(name) + first
    yield from (" " * _LABEL + line for line in more)
