"""The findings of the checker, from its catalogues."""

from __future__ import annotations

from collections.abc import Iterator

from docs.parts.markdown import escape
from quoridor_net.check.catalogue import catalogue


def findings(subject: str) -> str:
    """Return the findings for one kind of program, by code."""
    return "\n".join(_lines(subject))


def _lines(subject: str) -> Iterator[str]:
    found = catalogue(subject)
    yield f"Document: {escape(found.document)}."
    for rule in found.rules.values():
        yield f"\n### {rule.code}\n"
        yield f"**{rule.severity}**: the {escape(found.noun)} {escape(rule.title)}.\n"
        yield f"- Document: {escape(rule.said)}"
        yield f"- Cause: {escape(rule.cause)}"
        yield f"- Fix: {escape(rule.hint)}"
