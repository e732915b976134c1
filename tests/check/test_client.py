"""The checker for display clients: it names each planted bug and nothing else, and passes correct clients."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.findings import Report, Severity
from quoridor_net.check.lan_client.run import check_client
from quoridor_net.check.pace import CHECK_TIME
from tests.support.client_bugs import BUGS, UNUSUAL, Slow
from tests.support.small_client import SmallClient, Starting
from tests.support.until_found import UntilFound


def find_musts(report: Report) -> list[str]:
    """Return the codes of the musts that no other finding explains."""
    return [
        finding.code
        for finding in report.findings
        if finding.severity is Severity.MUST and not finding.follows
    ]


async def test_sound_client_passes(autojump_clock: MockClock) -> None:
    report = await check_client(Starting(SmallClient))
    assert report.findings == []
    assert all(outcome.verdict == "passed" for outcome in report.outcomes)


@pytest.mark.parametrize(("code", "client"), BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_bug_is_named(code: str, client: type[SmallClient], autojump_clock: MockClock) -> None:
    until = UntilFound(code)
    report = await check_client(Starting(client), only=code, progress=until, stop=until.stop)
    assert code in [finding.code for finding in report.findings]
    musts = find_musts(report)
    assert musts in ([], [code])


@pytest.mark.slow
@pytest.mark.parametrize(("code", "client"), BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_no_other_must_is_named(
    code: str, client: type[SmallClient], autojump_clock: MockClock
) -> None:
    report = await check_client(Starting(client))
    assert code in [finding.code for finding in report.findings]
    assert find_musts(report) in ([], [code])


@pytest.mark.parametrize("client", UNUSUAL, ids=lambda client: client.__name__)
async def test_unusual_correct_client_passes(client: type[SmallClient], autojump_clock: MockClock) -> None:
    report = await check_client(Starting(client))
    assert report.passed


async def test_slow_client_is_checked_less(autojump_clock: MockClock) -> None:
    report = await check_client(Starting(Slow))
    assert trio.current_time() < CHECK_TIME + 10
    assert report.passed
    assert report.remarks
