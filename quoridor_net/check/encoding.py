"""A report as one JSON object, and as JUnit XML for continuous integration."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape, quoteattr

from quoridor_net.check.findings import CheckVerdict, Finding, Report, Severity
from quoridor_net.text import printable, visible

#: Maximum length of transmitted text in one field, in characters.
_SHOWN = 1000

#: Maximum number of lines of a conversation; the last ones matter most.
_LINES = 200


def as_object(report: Report) -> dict[str, Any]:
    """Return the report as JSON types."""
    return {
        "passed": report.passed,
        "interrupted": report.is_interrupted,
        "subject": report.subject,
        "document": report.document,
        "findings": [_encode_finding(finding) for finding in report.findings],
        "checks": [
            {
                "name": outcome.name,
                "title": outcome.title,
                "verdict": str(outcome.verdict),
                "remark": visible(outcome.remark),
                "codes": list(outcome.codes),
                "severity": None if outcome.severity is None else str(outcome.severity),
            }
            for outcome in report.outcomes
        ],
        "remarks": [visible(remark) for remark in report.remarks],
    }


def _encode_finding(finding: Finding) -> dict[str, Any]:
    rule = finding.rule
    return {
        "code": rule.code,
        "severity": str(rule.severity),
        "title": rule.title,
        "rule": rule.sentence,
        "quoted": rule.quoted,
        "section": rule.section,
        "sent": printable(finding.sent, _SHOWN),
        "received": printable(finding.received, _SHOWN),
        "closed": finding.closed,
        "expected": visible(finding.expected),
        "detail": visible(finding.detail),
        "cause": rule.cause,
        "hint": rule.hint,
        "follows": finding.follows,
        "lines": [
            {"peer": line.peer, "sent": line.is_sent, "data": printable(line.data, _SHOWN)}
            for line in finding.dialogue[-_LINES:]
        ],
    }


def as_junit(report: Report) -> str:
    """Return the report as JUnit XML."""
    # Only different files can have the same code more than once.
    by_code: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_code.setdefault(finding.code, []).append(finding)
    failed = sum(outcome.verdict is CheckVerdict.FAILED for outcome in report.outcomes)
    skipped = sum(outcome.verdict is CheckVerdict.SKIPPED for outcome in report.outcomes)
    counts = f'tests="{len(report.outcomes)}" failures="{failed}" skipped="{skipped}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuite name={_quote(report.subject)} {counts}>"]
    for outcome in report.outcomes:
        lines.append(f"  <testcase classname={_quote(report.document)} name={_quote(outcome.title)}>")
        found = [_next_of(by_code[code]) for code in outcome.codes if code in by_code]
        for finding in found:
            if finding.severity is Severity.MUST:
                message = f"{finding.code}: {finding.rule.title}"
                lines.append(f"    <failure message={_quote(message)}>{escape(_describe(finding))}</failure>")
        if outcome.verdict is CheckVerdict.SKIPPED:
            lines.append(f"    <skipped message={_quote(outcome.remark)}/>")
        others = [_describe(finding) for finding in found if finding.severity is not Severity.MUST]
        if others:
            lines.append(f"    <system-out>{escape(chr(10).join(others))}</system-out>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>", ""])


def _next_of(findings: list[Finding]) -> Finding:
    return findings.pop(0) if len(findings) > 1 else findings[0]


def _quote(text: str) -> str:
    return quoteattr(visible(text))


def _describe(finding: Finding) -> str:
    rule = finding.rule
    rows = [
        f"{rule.code} {rule.severity}: {rule.title}",
        f"document: {rule.said}",
        f"sent: {printable(finding.sent, _SHOWN)}",
        f"received: {printable(finding.received, _SHOWN)}",
        f"expected: {visible(finding.expected)}",
        *([f"note: {visible(finding.detail)}"] if finding.detail else []),
        f"cause: {rule.cause}",
        f"fix: {rule.hint}",
        *([f"probably caused by {finding.follows}"] if finding.follows else []),
    ]
    return "\n".join(rows)
