"""The findings of the checker, from its catalogues."""

from __future__ import annotations

from collections.abc import Iterator

from docs.parts.markdown import escape
from quoridor_net.check.catalogue import catalogue


def write_findings(subject: str) -> str:
    """Return the findings for one kind of program, by code."""
    return "\n".join(_write_lines(subject))


def _write_lines(subject: str) -> Iterator[str]:
    found = catalogue(subject)
    yield f"Document: {escape(found.document)}."
    # Many findings share a sentence, which stands at the first of them only.
    first_codes: dict[str, str] = {}
    for rule in found.rules.values():
        yield f"\n### {rule.code}\n"
        yield f"**{rule.severity}**: the {escape(found.noun)} {escape(rule.title)}.\n"
        first = first_codes.setdefault(rule.said, rule.code)
        is_first = first == rule.code
        yield f"- Document: {escape(rule.said) if is_first else f'as for [{first}](#{first.lower()})'}"
        yield f"- Cause: {escape(rule.cause)}"
        yield f"- Fix: {escape(rule.hint)}"
        if rule.explains:
            yield f"- May also lead to: {', '.join(f'[{code}](#{code.lower()})' for code in rule.explains)}"
