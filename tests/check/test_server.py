"""The checker of move servers: each planted bug is named, and nothing else is; correct servers pass."""

from __future__ import annotations

import click
import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.findings import Report, Severity, Verdict
from quoridor_net.check.lan_server.run import check_server
from quoridor_net.check.text_report import outcome_line, report_lines
from tests.support.server_bugs import (
    BUGS,
    UNUSUAL,
    DiesOfTheGame,
    EndsWithOthers,
    EndsWithTheLast,
    LogsItsThoughts,
    NeverMoves,
)
from tests.support.walker_server import Connecting, WalkerServer


async def checked(server: WalkerServer) -> Report:
    async with trio.open_nursery() as nursery:
        report = await check_server(Connecting(nursery, server))
        nursery.cancel_scope.cancel()
    return report


def musts(report: Report) -> list[str]:
    return [finding.code for finding in report.findings if finding.severity is Severity.MUST]


async def test_a_sound_server_passes(autojump_clock: MockClock) -> None:
    report = await checked(WalkerServer())
    assert report.findings == []
    assert all(outcome.verdict == "passed" for outcome in report.outcomes)


@pytest.mark.parametrize(("code", "server"), BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_a_bug_is_named(code: str, server: type[WalkerServer], autojump_clock: MockClock) -> None:
    report = await checked(server())
    assert code in [finding.code for finding in report.findings]
    assert musts(report) in ([], [code])


@pytest.mark.parametrize("server", UNUSUAL, ids=lambda server: server.__name__)
async def test_a_correct_server_passes(server: type[WalkerServer], autojump_clock: MockClock) -> None:
    report = await checked(server())
    assert musts(report) == []


async def test_leaving_with_the_last_player_keeps_no_check_from_running(
    autojump_clock: MockClock,
) -> None:
    report = await checked(EndsWithTheLast())
    assert [finding.code for finding in report.findings] == ["LAN-167"]
    assert {outcome.verdict for outcome in report.outcomes} == {Verdict.PASSED}


async def test_the_end_of_a_connection_is_told_from_silence(autojump_clock: MockClock) -> None:
    report = await checked(DiesOfTheGame())
    told = "\n".join(report_lines(report))
    assert "Received    the end of the connection\n" in click.unstyle(told)
    report = await checked(NeverMoves())
    told = "\n".join(report_lines(report))
    assert "Received    nothing\n" in click.unstyle(told)


async def test_a_line_that_is_not_the_last_is_shown_with_its_end(autojump_clock: MockClock) -> None:
    report = await checked(LogsItsThoughts())
    assert report.findings[0].received == b"thinking...\n"


async def test_a_check_that_stopped_short_of_a_must_is_named(autojump_clock: MockClock) -> None:
    report = await checked(EndsWithOthers())
    told = click.unstyle("\n".join(report_lines(report)))
    stopped = next(outcome for outcome in report.outcomes if "LAN-169" in outcome.codes)
    assert click.unstyle(outcome_line(stopped)) == " skipped  a game of four as player 1  LAN-169"
    assert " skipped  1 check" not in told
    assert " skipped  4 checks  after LAN-169\n" in told
    assert told.endswith("Not all was checked: 5 of 16 checks were skipped.")
