"""The checker for move servers: it names each planted bug and nothing else, and passes correct servers."""

from __future__ import annotations

import click
import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.findings import CheckVerdict, Report, Severity
from quoridor_net.check.lan_server.checks import CHECKS
from quoridor_net.check.lan_server.run import check_launched_server, check_server
from quoridor_net.check.pace import CHECK_TIME
from quoridor_net.check.text_report import format_outcome, report_lines
from tests.support.server_bugs import (
    BUGS,
    UNUSUAL,
    AvoidsJumps,
    DiesOfTheGame,
    EndsWithTheLast,
    GreetsLate,
    LikeThoseOf2016,
    LogsItsThoughts,
    NeverMoves,
    OneAtATime,
    PlaysOnce,
    SeesNoWallsOnce,
    SwapsWalls,
    Thinks,
)
from tests.support.until_found import UntilFound
from tests.support.walker_server import Connecting, WalkerServer, launch_server


async def check(server: WalkerServer, only: str | None = None) -> Report:
    async with trio.open_nursery() as nursery:
        report = await check_server(Connecting(nursery, server), only=only)
        nursery.cancel_scope.cancel()
    return report


def musts(report: Report) -> list[str]:
    """Return the codes of the musts that no other finding explains."""
    return [
        finding.code
        for finding in report.findings
        if finding.severity is Severity.MUST and not finding.follows
    ]


async def test_sound_server_passes(autojump_clock: MockClock) -> None:
    report = await check(WalkerServer())
    assert report.findings == []
    assert all(outcome.verdict == "passed" for outcome in report.outcomes)
    remarks = {outcome.name: outcome.remark for outcome in report.outcomes if outcome.remark}
    assert remarks["greeting"] == "its name is ann:walker"
    assert remarks["walls"] == "12 moves"
    assert report.remarks == []


async def test_sound_server_passes_when_it_is_started_for_every_game(autojump_clock: MockClock) -> None:
    report = await check_launched_server(launch_server(PlaysOnce))
    assert [finding.code for finding in report.findings] == ["LAN-171", "LAN-172"]
    assert {outcome.verdict for outcome in report.outcomes} == {CheckVerdict.PASSED}


@pytest.mark.parametrize(("code", "server"), BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_bug_is_named(code: str, server: type[WalkerServer], autojump_clock: MockClock) -> None:
    until = UntilFound(code)
    report = await check_launched_server(launch_server(server), only=code, progress=until, stop=until.stop)
    assert code in [finding.code for finding in report.findings]
    assert musts(report) in ([], [code])


@pytest.mark.slow
@pytest.mark.parametrize(("code", "server"), BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_no_other_must_is_named(
    code: str, server: type[WalkerServer], autojump_clock: MockClock
) -> None:
    report = await check_launched_server(launch_server(server))
    assert code in [finding.code for finding in report.findings]
    assert musts(report) in ([], [code])
    assert all(outcome.verdict is not CheckVerdict.SKIPPED or outcome.remark for outcome in report.outcomes)


@pytest.mark.parametrize("server", UNUSUAL, ids=lambda server: server.__name__)
async def test_unusual_correct_server_passes(server: type[WalkerServer], autojump_clock: MockClock) -> None:
    report = await check(server(), only="LAN-140")
    assert musts(report) == []


@pytest.mark.slow
@pytest.mark.parametrize("server", UNUSUAL, ids=lambda server: server.__name__)
async def test_unusual_correct_server_passes_every_check(
    server: type[WalkerServer], autojump_clock: MockClock
) -> None:
    assert musts(await check(server())) == []


async def test_server_of_one_connection_at_a_time_passes(autojump_clock: MockClock) -> None:
    report = await check(OneAtATime())
    assert report.findings == []


async def test_dying_when_another_player_is_out_is_a_must(autojump_clock: MockClock) -> None:
    report = await check(LikeThoseOf2016())
    assert musts(report) == ["LAN-169"]


async def test_fault_in_one_check_leaves_the_others_as_they_are(autojump_clock: MockClock) -> None:
    report = await check_launched_server(launch_server(SwapsWalls))
    verdicts = {outcome.name: outcome.verdict for outcome in report.outcomes}
    assert len(verdicts) == len(CHECKS)
    assert CheckVerdict.SKIPPED not in verdicts.values()
    assert verdicts["walls"] is CheckVerdict.FAILED
    assert verdicts["again"] is verdicts["greeting"] is CheckVerdict.PASSED


async def test_server_of_one_game_is_told_how_to_be_checked_completely(autojump_clock: MockClock) -> None:
    report = await check(PlaysOnce())
    skipped = [outcome for outcome in report.outcomes if outcome.verdict is CheckVerdict.SKIPPED]
    assert len(skipped) == len(CHECKS) - 2
    assert {outcome.remark for outcome in skipped} == {"the server plays one game each time it is started"}
    assert "quoridor check server -- COMMAND ARGS {port}" in report.remarks[0]
    shown = click.unstyle("\n".join(report_lines(report)))
    assert "a game of four as player 1;" in shown.replace("\n          ", " ")


async def test_leaving_with_the_last_player_blocks_no_check(
    autojump_clock: MockClock,
) -> None:
    report = await check(EndsWithTheLast())
    assert [finding.code for finding in report.findings] == ["LAN-167"]
    assert {outcome.verdict for outcome in report.outcomes} == {CheckVerdict.PASSED}


async def test_the_report_says_which_situations_did_not_occur(autojump_clock: MockClock) -> None:
    report = await check(AvoidsJumps())
    assert report.findings == []
    assert report.remarks == ["Not seen, because they did not occur in 193 moves: straight jumps."]


async def test_closed_connection_differs_from_silence(autojump_clock: MockClock) -> None:
    report = await check(DiesOfTheGame())
    text = "\n".join(report_lines(report))
    assert "Received    the end of the connection\n" in click.unstyle(text)
    report = await check(NeverMoves())
    text = "\n".join(report_lines(report))
    assert "Received    nothing\n" in click.unstyle(text)


async def test_earlier_line_is_shown_with_its_line_end(autojump_clock: MockClock) -> None:
    report = await check(LogsItsThoughts())
    assert report.findings[0].received == b"thinking...\n"


async def test_invisible_bytes_are_described(autojump_clock: MockClock) -> None:
    class EndsWithNul(WalkerServer):
        line_end = "\0\n"

    report = await check(EndsWithNul())
    (finding,) = [finding for finding in report.findings if finding.severity is Severity.MUST]
    assert finding.received == b"TESUJI (4, 1)\0\n"
    assert finding.detail.startswith("The line contains the byte 0x00, which is not printable ASCII.")
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
async def test_origin_of_strange_bytes_is_guessed(
    greeting: bytes, hint: str, autojump_clock: MockClock
) -> None:
    class SaysBytes(WalkerServer):
        async def hello(self) -> None:
            await self.stream.send_all(greeting)

    report = await check(SaysBytes())
    assert hint in report.findings[0].detail


async def test_server_that_greets_late_plays_more_than_one_game(autojump_clock: MockClock) -> None:
    report = await check(GreetsLate())
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
async def test_server_that_never_stops_sending_is_reported(
    noise: bytes, code: str, autojump_clock: MockClock
) -> None:
    class Talker(WalkerServer):
        async def open(self) -> None:
            while True:
                await self.stream.send_all(noise)
                await trio.sleep(0.001)

    report = await check(Talker(), only=code)
    assert musts(report) == [code]
    assert trio.current_time() < 30
    shown = "\n".join(report_lines(report))
    assert click.unstyle(shown).replace("\n", "").isprintable()
    assert sum(len(line.data) for line in report.findings[0].dialogue) < 100_000


async def test_one_game_leaves_several_explanations_open(autojump_clock: MockClock) -> None:
    report = await check(SeesNoWallsOnce())
    assert report.findings[0].code == "LAN-140"
    assert report.findings[0].detail.startswith("It may be that it ")
    assert "(LAN-147, which explains 4 of 4 steps)" in report.findings[0].detail


async def test_check_with_a_should_is_marked_as_such(autojump_clock: MockClock) -> None:
    report = await check(EndsWithTheLast(), only="LAN-167")
    found = next(outcome for outcome in report.outcomes if "LAN-167" in outcome.codes)
    assert click.unstyle(format_outcome(found)).startswith("  should  ")


async def test_slow_server_is_checked_less(autojump_clock: MockClock) -> None:
    report = await check(Thinks())
    assert trio.current_time() < CHECK_TIME + 10
    assert report.passed
    verdicts = {outcome.name: outcome.verdict for outcome in report.outcomes}
    assert len(verdicts) == len(report.outcomes) == len(CHECKS)
    assert verdicts["bottom"] is verdicts["four-1"] is CheckVerdict.PASSED
    late = [outcome for outcome in report.outcomes if outcome.verdict is CheckVerdict.SKIPPED]
    assert late == [outcome for outcome in report.outcomes if outcome.is_late]
    assert {outcome.remark for outcome in late} == {"to save time"}
    assert f"An answer takes 4.0 s, so {len(late)} of {len(CHECKS)} checks were skipped" in report.remarks[0]
