"""The checker for display clients: it names each planted bug and nothing else, and passes correct clients."""

from __future__ import annotations

from collections import Counter

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.findings import CheckVerdict, Report, Severity
from quoridor_net.check.lan_client.run import check_client
from quoridor_net.check.pace import CHECK_TIME
from tests.support.client_bugs import (
    BUGS,
    UNUSUAL,
    AcceptsAll,
    LetsWallsLieAtTheEdge,
    Slow,
    TwoServersOnly,
)
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


async def test_report_says_which_games_a_fault_ended(autojump_clock: MockClock) -> None:
    report = await check_client(Starting(LetsWallsLieAtTheEdge))
    title = "a game of four with a wall off the board, a step to the same square, and a wall twice"
    assert report.remarks == [
        f"Not seen, because a fault ended the game: the rest of {title}, after 1 of 4 moves."
    ]


async def test_report_counts_many_games_that_a_fault_ended(autojump_clock: MockClock) -> None:
    report = await check_client(Starting(AcceptsAll))
    assert report.remarks == ["Not seen: the rest of 7 games, which a fault ended."]


async def test_client_of_two_servers_is_checked_with_two(autojump_clock: MockClock) -> None:
    report = await check_client(Starting(TwoServersOnly))
    assert [finding.code for finding in report.findings] == ["LAN-201"]
    verdicts = Counter(outcome.verdict for outcome in report.outcomes)
    assert verdicts == {CheckVerdict.PASSED: 11, CheckVerdict.FAILED: 2, CheckVerdict.SKIPPED: 5}
    skipped = [outcome for outcome in report.outcomes if outcome.verdict is CheckVerdict.SKIPPED]
    assert {outcome.remark for outcome in skipped} == {"the client did not open 2 connections within 10 s"}


@pytest.mark.parametrize("client", UNUSUAL, ids=lambda client: client.__name__)
async def test_unusual_correct_client_passes(client: type[SmallClient], autojump_clock: MockClock) -> None:
    report = await check_client(Starting(client))
    assert report.passed


async def test_slow_client_is_checked_less(autojump_clock: MockClock) -> None:
    report = await check_client(Starting(Slow))
    assert trio.current_time() < CHECK_TIME + 10
    assert report.passed
    assert report.remarks
