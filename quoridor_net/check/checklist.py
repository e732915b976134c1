"""Runs checks in order, and skips those that depend on a failed one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

import trio
from attrs import frozen

from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, Severity
from quoridor_net.check.pace import Pace

Subject = TypeVar("Subject")


class FaultError(Exception):
    """A broken rule that ends the check.

    Attributes:
        finding: the rule and how it was broken.
        explanations: misreadings that would explain it, by key, and how many moves each predicted.
        base: the code to report if none of them explains it.
    """

    def __init__(
        self, finding: Finding, explanations: Mapping[str, int] | None = None, base: str = ""
    ) -> None:
        super().__init__(finding.rule.title)
        self.finding = finding
        self.explanations = dict(explanations or {})
        self.base = base or finding.code


class UnavailableError(Exception):
    """The program is gone, so that no further check can run; the message says why."""


@frozen
class Check(Generic[Subject]):
    """One check of a program.

    Attributes:
        name: identifier without spaces, for ``needs``.
        title: description for users.
        run: runs the check, adds findings to the report, and returns a remark for users; raises FaultError.
        needs: names of the checks that must pass first.
        codes: prefixes of the codes that it can find, for ``--only``.
        answers: number of answers that it needs from a slow program.
    """

    name: str
    title: str
    run: Callable[[Subject], Awaitable[str]]
    needs: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    answers: int = 0


async def run_checks(
    checks: Sequence[Check[Subject]],
    subject: Subject,
    report: Report,
    progress: Callable[[CheckOutcome], None],
    only: str | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
) -> None:
    """Run ``checks`` in their order.

    Args:
        checks: the checks; each comes after those that it needs.
        subject: the program to check.
        report: receives the findings and the outcomes.
        progress: called with every outcome as soon as it is known.
        only: a code; leaves out checks that neither find it nor are needed to find it.
        stop: cancelled to end early; unfinished checks are then skipped.
        pace: time spent on answers; checks that would exceed its limit are skipped.
    """
    if only is not None:
        needed = _find_needed(checks, only)
        checks = [check for check in checks if check.name in needed]
    with stop or trio.CancelScope() as scope:
        await _run_all(checks, subject, report, progress, pace or Pace())
    # The sort is stable: findings of the same severity stay in the order in which they were found.
    report.findings.sort(key=lambda finding: list(Severity).index(finding.severity))
    if scope.cancelled_caught:
        report.is_interrupted = True
        ended = {outcome.name for outcome in report.outcomes}
        for check in checks:
            if check.name not in ended:
                report.outcomes.append(
                    CheckOutcome(check.name, check.title, CheckVerdict.SKIPPED, "interrupted")
                )


async def _run_all(
    checks: Sequence[Check[Subject]],
    subject: Subject,
    report: Report,
    progress: Callable[[CheckOutcome], None],
    pace: Pace,
) -> None:
    blocked: dict[str, str] = {}
    unavailable = ""
    late: list[CheckOutcome] = []
    for check in checks:
        why = unavailable or next((blocked[name] for name in check.needs if name in blocked), "")
        if why:
            outcome = CheckOutcome(check.name, check.title, CheckVerdict.SKIPPED, why)
        elif not pace.allows(check.answers):
            # A check left out for lack of time has not failed, so it blocks no other.
            late.append(CheckOutcome(check.name, check.title, CheckVerdict.SKIPPED, "to save time"))
            report.outcomes.append(late[-1])
            continue
        else:
            outcome, unavailable = await _run(check, subject, report)
        if outcome.verdict is not CheckVerdict.PASSED:
            blocked[check.name] = why or f"after {outcome.codes[0] if outcome.codes else check.name}"
        report.outcomes.append(outcome)
        progress(outcome)
    if late:
        report.remarks.append(
            f"An answer takes {pace.mean:.1f} s, so {len(late)} of {len(checks)} checks were skipped and"
            " others shortened. Give the program less time to think while it is checked, or raise"
            " --check-time."
        )


async def _run(check: Check[Subject], subject: Subject, report: Report) -> tuple[CheckOutcome, str]:
    before = len(report.findings)
    verdict, remark, unavailable = CheckVerdict.PASSED, "", ""
    broken = ""
    try:
        remark = await check.run(subject)
    except FaultError as error:
        report.add(error.finding)
        broken = error.finding.code
        # A should or a note fails no check, but this one did not run to its end.
        verdict = CheckVerdict.FAILED if error.finding.severity is Severity.MUST else CheckVerdict.SKIPPED
    except UnavailableError as error:
        verdict, remark, unavailable = CheckVerdict.SKIPPED, str(error), str(error)
    found = [finding.code for finding in report.findings[before:]]
    if broken and broken not in found:
        found.append(broken)
    if any(finding.severity is Severity.MUST for finding in report.findings[before:]):
        verdict = CheckVerdict.FAILED
    return CheckOutcome(check.name, check.title, verdict, remark, tuple(found)), unavailable


def _find_needed(checks: Sequence[Check[Subject]], code: str) -> set[str]:
    """Return the names of the checks that can find ``code``, and of all the checks they need."""
    by_name = {check.name: check for check in checks}
    names = [check.name for check in checks if code.startswith(check.codes)]
    needed: set[str] = set()
    while names:
        name = names.pop()
        if name not in needed:
            needed.add(name)
            names += by_name[name].needs
    return needed
