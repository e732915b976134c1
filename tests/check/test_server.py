"""The checker of move servers: each planted bug is named, and nothing else is; correct servers pass."""

from __future__ import annotations

import click
import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.findings import CheckVerdict, Report, Severity
from quoridor_net.check.lan_server.run import check_server
from quoridor_net.check.pace import CHECK_TIME
from quoridor_net.check.text_report import outcome_line, report_lines
from tests.support.server_bugs import (
    BUGS,
    UNUSUAL,
    DiesOfTheGame,
    EndsWithOthers,
    EndsWithTheLast,
    GreetsLate,
    LogsItsThoughts,
    NeverMoves,
    SeesNoWallsOnce,
    Thinks,
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
    assert {outcome.verdict for outcome in report.outcomes} == {CheckVerdict.PASSED}


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


async def test_bytes_that_cannot_be_seen_are_named(autojump_clock: MockClock) -> None:
    class EndsWithNul(WalkerServer):
        line_end = "\0\n"

    report = await checked(EndsWithNul())
    (finding,) = [finding for finding in report.findings if finding.severity is Severity.MUST]
    assert finding.received == b"TESUJI (4, 1)\0\n"
    assert finding.detail.startswith("The line has the byte 0x00 in it, which is no printable character")
    assert "In C, send strlen(text) bytes" in finding.detail


@pytest.mark.parametrize(
    ("greeting", "hint"),
    [
        (b"\x00\x0bIAM ann:bot", "Java's writeUTF"),
        (b"\x00\x0cIAM ann:bot\n", "Java's writeUTF"),
        (b"\xac\xed\x00\x05t\x00\x0bIAM ann:bot\n", "Java's ObjectOutputStream"),
        ("IAM ann:bot\n".encode("utf-16-be"), "as in UTF-16"),
        (b"\xef\xbb\xbfIAM ann:bot\n", "a byte order mark"),
        (b"IAM ann:b\xf6t\0\n", "In C, send strlen(text) bytes"),
    ],
)
async def test_where_bytes_come_from_is_told(greeting: bytes, hint: str, autojump_clock: MockClock) -> None:
    class SaysBytes(WalkerServer):
        async def hello(self) -> None:
            await self.stream.send_all(greeting)

    report = await checked(SaysBytes())
    assert hint in report.findings[0].detail


async def test_a_server_that_greets_late_plays_more_than_one_game(autojump_clock: MockClock) -> None:
    report = await checked(GreetsLate())
    assert report.findings == []
    assert {outcome.verdict for outcome in report.outcomes} == {CheckVerdict.PASSED}


@pytest.mark.parametrize(
    ("noise", "code"),
    [
        (b"x" * 4096, "LAN-105"),
        (b"\n" * 100, "LAN-105"),
        (b"\0\xff\x1b[2J\n", "LAN-105"),
        (b"IAM ann:bot\n" * 50, "LAN-105"),
        (b"x", "LAN-110"),
    ],
)
async def test_a_server_that_never_stops_talking(noise: bytes, code: str, autojump_clock: MockClock) -> None:
    class Talker(WalkerServer):
        async def open(self) -> None:
            while True:
                await self.stream.send_all(noise)
                await trio.sleep(0.001)

    report = await checked(Talker())
    assert musts(report) == [code]
    assert trio.current_time() < 30
    shown = "\n".join(report_lines(report))
    assert click.unstyle(shown).replace("\n", "").isprintable()
    assert sum(len(line.data) for line in report.findings[0].dialogue) < 100_000


async def test_what_cannot_be_told_apart_in_one_game_is_left_open(autojump_clock: MockClock) -> None:
    report = await checked(SeesNoWallsOnce())
    assert report.findings[0].code == "LAN-140"
    assert report.findings[0].detail.startswith("It may be that it ")
    assert "(LAN-147)" in report.findings[0].detail


async def test_a_check_that_stopped_short_of_a_must_is_named(autojump_clock: MockClock) -> None:
    report = await checked(EndsWithOthers())
    told = click.unstyle("\n".join(report_lines(report)))
    stopped = next(outcome for outcome in report.outcomes if "LAN-169" in outcome.codes)
    assert click.unstyle(outcome_line(stopped)) == " skipped  a game of four as player 1  LAN-169"
    assert " skipped  1 check" not in told
    assert " skipped  6 checks  after LAN-169\n" in told
    assert told.endswith("Not all was checked: 7 of 18 checks were skipped.")


async def test_of_a_slow_server_less_is_checked(autojump_clock: MockClock) -> None:
    report = await checked(Thinks())
    assert trio.current_time() < CHECK_TIME + 10
    assert report.passed
    verdicts = {outcome.name: outcome.verdict for outcome in report.outcomes}
    assert len(verdicts) == len(report.outcomes) == 18
    assert verdicts["bottom"] is verdicts["four-1"] is CheckVerdict.PASSED
    late = [outcome for outcome in report.outcomes if outcome.verdict is CheckVerdict.SKIPPED]
    assert {outcome.remark for outcome in late} == {"to save time"}
    assert f"An answer takes 4.0 s, so {len(late)} of 18 checks were left out" in report.remarks[0]
