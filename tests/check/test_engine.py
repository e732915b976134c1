"""The checker for Athens engines: it names each planted bug and nothing else, and passes correct engines."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.findings import Report, Severity
from quoridor_net.check.pace import CHECK_TIME
from tests.support.engine_bugs import BUGS, UNUSUAL, CallsWallsPlacements, NoSign, RefusesSeed, Silent, Slow
from tests.support.engine_rule_bugs import BUGS as RULE_BUGS
from tests.support.small_engine import SmallEngine, launch_engine
from tests.support.until_found import UntilFound

ALL_BUGS = [*BUGS, *RULE_BUGS]


def find_musts(report: Report) -> list[str]:
    """Return the codes of the musts that no other finding explains."""
    return [
        finding.code
        for finding in report.findings
        if finding.severity is Severity.MUST and not finding.follows
    ]


async def check_with_seed(engine: type[SmallEngine], **options: Any) -> Report:
    """Check an engine that can also be started with a seed."""
    start_with_seed = launch_engine(engine, with_seed=True)
    return await check_engine(launch_engine(engine), start_with_seed=start_with_seed, **options)


async def test_sound_engine_passes(autojump_clock: MockClock) -> None:
    report = await check_with_seed(SmallEngine)
    assert report.findings == []
    assert all(outcome.verdict == "passed" for outcome in report.outcomes)


@pytest.mark.parametrize(("code", "engine"), ALL_BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_bug_is_named(code: str, engine: type[SmallEngine], autojump_clock: MockClock) -> None:
    until = UntilFound(code)
    report = await check_with_seed(engine, only=code, progress=until, stop=until.stop)
    assert code in [finding.code for finding in report.findings]
    musts = find_musts(report)
    assert musts in ([], [code])


@pytest.mark.slow
@pytest.mark.parametrize(("code", "engine"), ALL_BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_no_other_must_is_named(
    code: str, engine: type[SmallEngine], autojump_clock: MockClock
) -> None:
    report = await check_with_seed(engine)
    assert code in [finding.code for finding in report.findings]
    assert find_musts(report) in ([], [code])


@pytest.mark.parametrize("engine", UNUSUAL, ids=lambda engine: engine.__name__)
async def test_unusual_correct_engine_passes(engine: type[SmallEngine], autojump_clock: MockClock) -> None:
    report = await check_engine(launch_engine(engine))
    assert report.passed


async def test_slow_engine_is_checked_less(autojump_clock: MockClock) -> None:
    report = await check_engine(launch_engine(Slow))
    assert trio.current_time() < CHECK_TIME + 10
    assert report.passed
    assert report.remarks


async def test_failure_of_a_wall_has_two_names(autojump_clock: MockClock) -> None:
    report = await check_engine(launch_engine(CallsWallsPlacements))
    assert report.findings == []


async def test_engine_that_refuses_a_seed_is_named(autojump_clock: MockClock) -> None:
    report = await check_with_seed(RefusesSeed)
    [finding] = report.findings
    assert (finding.code, finding.severity, finding.closed) == ("QTP-221", Severity.SHOULD, True)
    assert finding.detail == "It was started with -seed 1; without it, it answers."
    assert report.passed


@pytest.mark.parametrize("engine", [NoSign, Silent, SmallEngine])
async def test_seed_is_not_blamed_for_other_faults(
    engine: type[SmallEngine], autojump_clock: MockClock
) -> None:
    report = await check_with_seed(engine, only="QTP-221")
    assert report.findings == []
