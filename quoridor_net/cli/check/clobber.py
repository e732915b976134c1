"""``quoridor check clobber``: check a client of the 2006 Clobber protocol."""

from __future__ import annotations

import shlex
from typing import Any

from quoridor_net.advice import format_command
from quoridor_net.check.findings import Report
from quoridor_net.check.launching import fill_in, launch_client
from quoridor_net.check.olympiad.run import check_clobber
from quoridor_net.check.repeat import write_client_script
from quoridor_net.check.text_report import NextSteps
from quoridor_net.check.watching import FileWatch
from quoridor_net.cli.check.programs import ANSWER_TIME, CLIENT_OF_ONE
from quoridor_net.cli.check.reporting import Reporting, reports, run, run_by_hand
from quoridor_net.cli.command import command


@command()
@CLIENT_OF_ONE
@ANSWER_TIME
@reports("olympiad")
def clobber(words: tuple[str, ...], move_time: float, reporting: Reporting) -> None:
    """Check a Clobber client. COMMAND starts it, once for every check.

    {address} in COMMAND is replaced by the HOST:PORT of the checker's server, {host} and {port} by its
    parts. Put -- before COMMAND: quoridor check clobber -- ./client {host} {port}
    """
    files = FileWatch(words)

    async def check(**others: Any) -> Report:
        files.mark()
        return await check_clobber(
            launch_client(words, move_time, reporting.hear),
            f"Clobber client {words[0]}",
            move_time,
            reporting.progress,
            reporting.only,
            reporting.transcript,
            **others,
        )

    address = "localhost:5858"
    start = format_command("clobber", "serve", "--port", "5858")
    trial = f"play in a tournament: {start}, and then {shlex.join(fill_in(words, [address]))}"
    run(
        "Checking the Clobber client against the document of 2006:",
        check,
        reporting,
        files,
        lambda finding: write_client_script(finding, list(words), move_time),
        NextSteps(trial, run_by_hand(words)),
    )
