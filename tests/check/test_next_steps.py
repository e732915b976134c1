"""The last line of a report, which says what to do next, and slips on the command line."""

from __future__ import annotations

import click
import pytest
import trio
from click.testing import CliRunner
from trio.testing import MockClock

from quoridor_net.check import CheckOutcome, CheckVerdict, Report, check_launched_server, check_server
from quoridor_net.check.catalogue import catalogue, report_on
from quoridor_net.check.findings import Finding
from quoridor_net.check.text_report import NextSteps, format_closing, next_line
from quoridor_net.cli.main import main
from tests.support.engine_programs import PYTHON, SLOPPY
from tests.support.loopback import reserve_port
from tests.support.server_bugs import PlaysOnce, SwapsWalls
from tests.support.walker_server import Connecting, launch_server

STEPS = NextSteps("play it", "start it", "let the checker start it")


def make_report(*codes: str) -> Report:
    report = report_on("lan_server", "the server")
    report.outcomes.append(CheckOutcome("one", "a check", CheckVerdict.PASSED))
    for code in codes:
        report.add(Finding(catalogue("lan_server").rules[code], "something else"))
    report.find_causes()
    return report


@pytest.mark.parametrize(
    ("codes", "line"),
    [
        ((), "Next: play it"),
        (("LAN-158",), "Next: play it"),
        (("LAN-182", "LAN-139", "LAN-140"), "Next: fix LAN-139 first, and check again."),
        (("LAN-182",), "Next: fix LAN-182 (1 should is left), and check again. Then play it"),
        (
            ("LAN-182", "LAN-194"),
            "Next: fix LAN-182 (2 shoulds are left), and check again. Then play it",
        ),
        # The second follows from the first.
        (("LAN-172", "LAN-171"), "Next: fix LAN-171 (1 should is left), and check again. Then play it"),
    ],
)
def test_first_open_finding_comes_next(codes: tuple[str, ...], line: str) -> None:
    assert next_line(make_report(*codes), STEPS) == line


def test_interrupted_check_is_to_be_repeated() -> None:
    report = make_report()
    report.is_interrupted = True
    assert next_line(report, STEPS) == "Next: check again without an interruption."


async def test_one_game_at_an_address_is_not_passed(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        report = await check_server(Connecting(nursery, PlaysOnce()))
        nursery.cancel_scope.cancel()
    (closing,) = map(click.unstyle, format_closing(report))
    assert closing == "Not finished: 0 must, 1 should, 0 note, in 2 of 26 checks."
    assert next_line(report, STEPS) == (
        "Next: accept connections in a loop (LAN-171), or let the checker start it"
    )


async def test_one_game_is_the_cause_of_not_surviving_a_client(autojump_clock: MockClock) -> None:
    report = await check_launched_server(launch_server(PlaysOnce))
    follows = {finding.code: finding.follows for finding in report.findings}
    assert follows["LAN-171"] == ""
    assert follows.get("LAN-172", "LAN-171") == "LAN-171"


def test_overlapping_walls_follow_from_swapped_ones() -> None:
    report = make_report("LAN-160", "LAN-141")
    assert [(finding.code, finding.follows) for finding in report.findings] == [
        ("LAN-141", ""),
        ("LAN-160", "LAN-141"),
    ]


async def test_fast_checks_of_a_faulty_server_say_what_to_fix(autojump_clock: MockClock) -> None:
    report = await check_launched_server(launch_server(SwapsWalls))
    assert next_line(report, STEPS) == "Next: fix LAN-141 first, and check again."


def test_unreachable_server_is_to_be_started() -> None:
    with reserve_port() as port:
        done = CliRunner().invoke(main, ["check", "server", f"localhost:{port}"])
    last = done.output.splitlines()[-1]
    assert last.startswith("Next: start the server in another terminal, and check again")
    assert last.endswith(f"localhost:{port}")


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("what", "place"),
    [("server", ["{port}"]), ("qtp", []), ("client", ["{addresses}"]), ("clobber", ["{address}"])],
)
def test_program_that_fails_at_once_has_a_next_step(what: str, place: list[str]) -> None:
    words = [*PYTHON, "-c", "raise SystemExit('no board')", *place]
    done = CliRunner().invoke(main, ["check", what, "--move-time", "5", "--", *words])
    assert "no board" in done.output
    assert done.output.splitlines()[-1].startswith("Next: ")


@pytest.mark.end_to_end
def test_a_pass_of_one_finding_leads_to_all_of_them() -> None:
    engine = [*PYTHON, str(SLOPPY), "none"]
    done = CliRunner().invoke(main, ["check", "qtp", "--only", "QTP-221", "--", *engine])
    assert done.exit_code == 0
    assert done.output.splitlines()[-1] == "Next: check for all findings, without --only QTP-221."


@pytest.mark.parametrize("group", ["check", "grade"])
@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["server", "java", "-cp", "classes", "MoveServer", "{port}"], "put -- before its command"),
        (["server", "python", "bot.py", "--port", "{port}"], "put -- before its command"),
        (["server", "5858"], "write HOST:PORT, as in localhost:5858"),
        (["server", "--", "java -cp classes MoveServer {port}"], "leave them out, as in -- java -cp classes"),
        (["qtp", "./engine", "-quiet"], "put -- before its command"),
        (["qtp", "--", "./no-engine -seed 1"], "leave them out, as in -- ./no-engine -seed 1"),
    ],
)
def test_slip_on_the_command_line_is_explained(group: str, words: list[str], advice: str) -> None:
    done = CliRunner().invoke(main, [group, *words])
    assert done.exit_code == 2
    assert advice in done.output


def test_unknown_option_of_the_checker_needs_no_dashes() -> None:
    done = CliRunner().invoke(main, ["check", "server", "localhost:5858", "--quiet"])
    assert done.exit_code == 2
    assert "put --" not in done.output
