"""Runs checks one after another: the first fault first, and nothing that depends on what failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

from attrs import frozen

from quoridor_net.check.findings import Finding, Outcome, Report, Severity, Verdict

Subject = TypeVar("Subject")


class FaultError(Exception):
    """A rule was broken after which the check cannot go on.

    Attributes:
        finding: what was broken.
        explanations: codes that explain it as well, and how well each does.
    """

    def __init__(self, finding: Finding, explanations: Mapping[str, int] | None = None) -> None:
        super().__init__(finding.rule.title)
        self.finding = finding
        self.explanations = dict(explanations or {})


class UnavailableError(Exception):
    """What is checked is not there any more, so that no further check can run; the message says why."""


@frozen
class Check(Generic[Subject]):
    """One thing that is looked at.

    Attributes:
        name: without blanks, for other checks that need it.
        title: for people.
        run: looks at it, adds findings to the report, and returns a remark for people; raises FaultError.
        needs: names of the checks without which this one means nothing.
        codes: beginnings of the codes that it can find; for ``--only``.
    """

    name: str
    title: str
    run: Callable[[Subject], Awaitable[str]]
    needs: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


async def run_checks(
    checks: Sequence[Check[Subject]],
    subject: Subject,
    report: Report,
    progress: Callable[[Outcome], None],
    only: str | None = None,
) -> None:
    """Run ``checks`` in their order.

    Args:
        checks: what to look at; each comes after those that it needs.
        subject: what is looked at.
        report: gets the findings and the outcomes.
        progress: called with every outcome as soon as it is known.
        only: a code; checks that cannot find it, and that no other needs, are left out.
    """
    wanted = {check.name for check in checks} if only is None else _needed(checks, only)
    blocked: dict[str, str] = {}
    unavailable = ""
    for check in checks:
        if check.name not in wanted:
            continue
        why = unavailable or next((blocked[name] for name in check.needs if name in blocked), "")
        if why:
            outcome = Outcome(check.name, check.title, Verdict.SKIPPED, why)
        else:
            outcome, unavailable = await _run(check, subject, report)
        if outcome.verdict is not Verdict.PASSED:
            blocked[check.name] = why or f"after {outcome.codes[0] if outcome.codes else check.name}"
        report.outcomes.append(outcome)
        progress(outcome)


async def _run(check: Check[Subject], subject: Subject, report: Report) -> tuple[Outcome, str]:
    before = len(report.findings)
    verdict, remark, unavailable = Verdict.PASSED, "", ""
    broken = ""
    try:
        remark = await check.run(subject)
    except FaultError as error:
        report.add(error.finding)
        broken = error.finding.code
        # Below a must nothing that has to be kept was broken, but the check did not come to its end.
        verdict = Verdict.FAILED if error.finding.severity is Severity.MUST else Verdict.SKIPPED
    except UnavailableError as error:
        verdict, remark, unavailable = Verdict.SKIPPED, str(error), str(error)
    found = [finding.code for finding in report.findings[before:]]
    if broken and broken not in found:
        found.append(broken)
    if any(finding.severity is Severity.MUST for finding in report.findings[before:]):
        verdict = Verdict.FAILED
    return Outcome(check.name, check.title, verdict, remark, tuple(found)), unavailable


def _needed(checks: Sequence[Check[Subject]], code: str) -> set[str]:
    """Return the names of the checks that can find ``code``, and of all that they need."""
    by_name = {check.name: check for check in checks}
    names = [check.name for check in checks if code.startswith(check.codes)]
    needed: set[str] = set()
    while names:
        name = names.pop()
        if name not in needed:
            needed.add(name)
            names += by_name[name].needs
    return needed
