"""The checker for Clobber clients: it names each planted bug and nothing else, and passes correct clients."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.findings import Report, Severity
from quoridor_net.check.olympiad.run import check_clobber
from quoridor_net.check.pace import CHECK_TIME
from tests.support.small_clobber_client import BUGS, UNUSUAL, SaysHello, Slow, SmallClobberClient, Starting
from tests.support.until_found import UntilFound


def find_musts(report: Report) -> list[str]:
    """Return the codes of the musts that no other finding explains."""
    return [
        finding.code
        for finding in report.findings
        if finding.severity is Severity.MUST and not finding.follows
    ]


@pytest.mark.parametrize(("code", "client"), BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_bug_is_named(code: str, client: type[SmallClobberClient], autojump_clock: MockClock) -> None:
    until = UntilFound(code)
    report = await check_clobber(Starting(client), only=code, progress=until, stop=until.stop)
    assert code in [finding.code for finding in report.findings]
    musts = find_musts(report)
    assert musts in ([], [code])


@pytest.mark.slow
@pytest.mark.parametrize(("code", "client"), BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_no_other_must_is_named(
    code: str, client: type[SmallClobberClient], autojump_clock: MockClock
) -> None:
    report = await check_clobber(Starting(client))
    assert code in [finding.code for finding in report.findings]
    assert find_musts(report) in ([], [code])


@pytest.mark.parametrize("client", UNUSUAL, ids=lambda client: client.__name__)
async def test_correct_client_passes(client: type[SmallClobberClient], autojump_clock: MockClock) -> None:
    report = await check_clobber(Starting(client))
    assert report.passed


async def test_wrong_first_line_names_the_expected_introduction(autojump_clock: MockClock) -> None:
    report = await check_clobber(Starting(SaysHello))
    assert report.findings[0].expected == "play clobber and a name"


async def test_slow_client_is_checked_less(autojump_clock: MockClock) -> None:
    report = await check_clobber(Starting(Slow))
    assert trio.current_time() < CHECK_TIME + 10
    skipped = [outcome.name for outcome in report.outcomes if outcome.verdict == "skipped"]
    assert skipped == ["whole", "sizes"]
    assert report.passed
