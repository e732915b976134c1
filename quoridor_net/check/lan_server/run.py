"""Runs all checks of a move server."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

import trio
from trio.abc import Stream

from quoridor_net.check.catalogue import catalogue, report_on
from quoridor_net.check.checklist import run_checks
from quoridor_net.check.findings import CheckOutcome, Finding, Report
from quoridor_net.check.lan_server.checks import CHECKS
from quoridor_net.check.lan_server.server import HANGS, ONE_GAME, Patience, ServerUnderTest
from quoridor_net.check.launching import Connect, ServerLaunch
from quoridor_net.check.pace import Pace
from quoridor_net.output import ignore
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import count_things

#: Situations that occur only if the server chooses them.
HOPED_FOR = (
    "horizontal walls of its own",
    "vertical walls of its own",
    "straight jumps",
    "sideways jumps",
    "being cornered",
    "having no walls left",
)

#: Number of steps that show which goal a server heads for.
ENOUGH_STEPS = 12


async def check_server(
    connect: Connect,
    subject: str = "the server",
    settings: Patience | None = None,
    progress: Callable[[CheckOutcome], None] = ignore,
    only: str | None = None,
    transcript: Transcript | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
    after_first: Callable[[Report], None] = ignore,
) -> Report:
    """Check a move server of the 2016 protocol that is already running.

    Args:
        connect: opens a connection to the server; raises OSError if it fails.
        subject: name of the server in the report.
        settings: time limits.
        progress: called with the outcome of every check.
        only: the only code to look for; None for all.
        transcript: log of all lines, in which each connection has its own server number.
        stop: cancelled to end early, with the findings so far.
        pace: time limit for all answers together.
        after_first: called with the report so far after the fast first pass.
    """
    server = ServerUnderTest(
        connect, report_on("lan_server", subject), settings or Patience(), transcript, pace or Pace()
    )
    return await _check(server, progress, only, stop, after_first)


async def check_launched_server(
    launch: ServerLaunch,
    subject: str = "the server",
    settings: Patience | None = None,
    progress: Callable[[CheckOutcome], None] = ignore,
    only: str | None = None,
    transcript: Transcript | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
    after_first: Callable[[Report], None] = ignore,
) -> Report:
    """Check a move server of the 2016 protocol, started again for every game.

    Args:
        launch: starts the server, and yields a function that connects to it.
        subject: name of the server in the report.
        settings: time limits.
        progress: called with the outcome of every check.
        only: the only code to look for; None for all.
        transcript: log of all lines, in which each connection has its own server number.
        stop: cancelled to end early, with the findings so far.
        pace: time limit for all answers together.
        after_first: called with the report so far after the fast first pass.
    """
    server = ServerUnderTest(
        _cannot_connect,
        report_on("lan_server", subject),
        settings or Patience(),
        transcript,
        pace or Pace(),
        launch,
    )
    return await _check(server, progress, only, stop, after_first)


async def _cannot_connect() -> Stream:
    raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))


async def _check(
    server: ServerUnderTest,
    progress: Callable[[CheckOutcome], None],
    only: str | None,
    stop: trio.CancelScope | None,
    after_first: Callable[[Report], None],
) -> Report:
    report = server.report
    await run_checks(CHECKS, server, report, progress, only, stop, server.pace, after_first)
    if (
        server.steps >= ENOUGH_STEPS
        and server.shortest_steps * 3 < server.steps
        and only in {None, "LAN-192"}
        and all(finding.code != "LAN-193" for finding in report.findings)
    ):
        expected = (
            f"more than {server.shortest_steps} of {count_things(server.steps, 'step')} along a shortest path"
        )
        report.add(Finding(catalogue("lan_server").rules["LAN-192"], expected))
    if any(outcome.remark in {ONE_GAME, HANGS} for outcome in report.outcomes):
        report.remarks.append(
            "The checker can start your server for every game, and make all checks: quoridor check server --"
            " COMMAND ARGS {port}"
        )
    unseen = [kind for kind in HOPED_FOR if kind not in server.seen]
    if server.moves and unseen and only is None and not report.is_interrupted:
        moves = count_things(server.moves, "move")
        report.remarks.append(f"Not seen, because they did not occur in {moves}: {', '.join(unseen)}.")
    return report if only is None else report.only(only)
