"""Runs all checks of a move server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio
from trio.abc import Stream

from quoridor_net.check.catalogue import catalogue, report_on
from quoridor_net.check.checklist import run_checks
from quoridor_net.check.findings import CheckOutcome, Finding, Report
from quoridor_net.check.lan_server.checks import CHECKS
from quoridor_net.check.lan_server.server import Patience, ServerUnderTest
from quoridor_net.check.pace import Pace
from quoridor_net.output import ignore
from quoridor_net.protocols.common.transcript import Transcript

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
    connect: Callable[[], Awaitable[Stream]],
    subject: str = "the server",
    settings: Patience | None = None,
    progress: Callable[[CheckOutcome], None] = ignore,
    only: str | None = None,
    transcript: Transcript | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
) -> Report:
    """Check a move server of the 2016 protocol.

    Args:
        connect: opens a connection to the server; raises OSError if it fails.
        subject: name of the server in the report.
        settings: time limits.
        progress: called with the outcome of every check.
        only: the only code to look for; None for all.
        transcript: log of all lines, in which each connection has its own server number.
        stop: cancelled to end early, with the findings so far.
        pace: time limit for all answers together.
    """
    report = report_on("lan_server", subject)
    pace = Pace() if pace is None else pace
    server = ServerUnderTest(connect, report, settings or Patience(), transcript, pace)
    await run_checks(CHECKS, server, report, progress, only, stop, pace)
    if (
        server.steps >= ENOUGH_STEPS
        and server.shortest_steps * 3 < server.steps
        and only in {None, "LAN-192"}
    ):
        expected = f"more than {server.shortest_steps} of {server.steps} steps along a shortest path"
        report.add(Finding(catalogue("lan_server").rules["LAN-192"], expected))
    unseen = [kind for kind in HOPED_FOR if kind not in server.seen]
    if server.moves and unseen and only is None and not report.is_interrupted:
        moves = "1 move" if server.moves == 1 else f"{server.moves} moves"
        report.remarks.append(f"Not checked, because they did not occur in {moves}: {', '.join(unseen)}.")
    return report if only is None else report.only(only)
