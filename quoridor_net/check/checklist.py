"""Runs independent checks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import trio
from attrs import frozen

from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, Severity
from quoridor_net.check.pace import Pace
from quoridor_net.output import ignore

Subject = TypeVar("Subject")


class FaultError(Exception):
    """A broken rule that ends the check.

    Attributes:
        finding: the rule and how it was broken.
        explanations: misreadings that would explain it, by key, and how many moves each predicted.
        base: the code to report if none of them explains it.
        steps: number of steps of the program before it.
    """

    def __init__(
        self,
        finding: Finding,
        explanations: Mapping[str, int] | None = None,
        base: str = "",
        steps: int = 0,
    ) -> None:
        super().__init__(finding.rule.title)
        self.finding = finding
        self.explanations = dict(explanations or {})
        self.base = base or finding.code
        self.steps = steps


class UnavailableError(Exception):
    """The program is gone, so that no further check can run; the message says why."""


class SkipError(Exception):
    """This check cannot be made, but others can; the message says why."""


@frozen
class Check(Generic[Subject]):
    """One check of a program.

    Attributes:
        name: identifier without spaces.
        title: description for users.
        run: runs the check, adds findings to the report, and returns a remark for users; raises FaultError.
        codes: prefixes of the codes that it can find, for ``--only``.
        answers: number of answers that it needs from a slow program.
        is_first: whether it belongs to the fast first pass.
    """

    name: str
    title: str
    run: Callable[[Subject], Awaitable[str]]
    codes: tuple[str, ...] = ()
    answers: int = 0
    is_first: bool = False


async def run_checks(
    checks: Sequence[Check[Subject]],
    subject: Subject,
    report: Report,
    progress: Callable[[CheckOutcome], None],
    only: str | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
    after_first: Callable[[Report], None] = ignore,
) -> None:
    """Run ``checks``: those of the first pass, and then the others.

    Args:
        checks: the checks.
        subject: the program to check.
        report: receives the findings and the outcomes.
        progress: called with every outcome as soon as it is known.
        only: a code; leaves out checks that cannot find it.
        stop: cancelled to end early; unfinished checks are then skipped.
        pace: time spent on answers; checks that would exceed its limit are skipped.
        after_first: called with the report so far when the first pass is over and other checks follow.
    """
    if only is not None:
        checks = [check for check in checks if only.startswith(check.codes)]
    ordered = sorted(checks, key=lambda check: not check.is_first)
    with stop or trio.CancelScope() as scope:
        await _run_all(ordered, subject, report, progress, pace or Pace(), after_first)
    report.find_causes()
    if scope.cancelled_caught:
        report.is_interrupted = True
        ended = {outcome.name for outcome in report.outcomes}
        for check in ordered:
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
    after_first: Callable[[Report], None],
) -> None:
    unavailable = ""
    late = 0
    start, is_first = trio.current_time(), any(check.is_first for check in checks)
    for check in checks:
        if is_first and (not check.is_first or trio.current_time() > start + pace.first_pass):
            is_first = False
            if not unavailable:
                after_first(report)
        if unavailable:
            outcome = CheckOutcome(check.name, check.title, CheckVerdict.SKIPPED, unavailable)
        elif not pace.allows(check.answers):
            late += 1
            report.outcomes.append(
                CheckOutcome(check.name, check.title, CheckVerdict.SKIPPED, "to save time", is_late=True)
            )
            continue
        else:
            outcome, unavailable = await _run(check, subject, report)
        report.outcomes.append(outcome)
        progress(outcome)
    if late:
        report.remarks.append(
            f"An answer takes {pace.mean:.1f} s, so {late} of {len(checks)} checks were skipped and"
            " others shortened. Give the program less time to think while it is checked, or raise"
            " --check-time."
        )


async def _run(check: Check[Subject], subject: Subject, report: Report) -> tuple[CheckOutcome, str]:
    # Findings of other checks must not change the outcome of this one, so it starts with an empty report.
    before, report.findings = report.findings, []
    remark, unavailable, is_skipped = "", "", False
    try:
        remark = await check.run(subject)
    except FaultError as error:
        report.add(error.finding)
    except UnavailableError as error:
        remark = unavailable = str(error)
        is_skipped = True
    except SkipError as error:
        remark, is_skipped = str(error), True
    finally:
        found, report.findings = report.findings, before
        for finding in found:
            report.add(finding)
    worst = find_worst(found)
    if worst is Severity.MUST:
        verdict = CheckVerdict.FAILED
    else:
        verdict = CheckVerdict.SKIPPED if is_skipped else CheckVerdict.PASSED
    codes = tuple(finding.code for finding in found)
    return CheckOutcome(check.name, check.title, verdict, remark, codes, worst), unavailable


def find_worst(findings: Iterable[Finding]) -> Severity | None:
    """Return the highest severity among ``findings``; None if there are none."""
    return min((finding.severity for finding in findings), key=list(Severity).index, default=None)
