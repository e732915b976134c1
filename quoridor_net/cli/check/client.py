"""``quoridor check client``: check a display client of the 2016 protocol."""

from __future__ import annotations

import shlex
from typing import Any

from quoridor_net.advice import format_command
from quoridor_net.check.findings import Report
from quoridor_net.check.lan_client.run import check_client
from quoridor_net.check.launching import fill_in, launch_client
from quoridor_net.check.repeat import write_client_script
from quoridor_net.check.text_report import NextSteps
from quoridor_net.check.watching import FileWatch
from quoridor_net.cli.check.programs import ANSWER_TIME, CLIENT_OF_SEVERAL
from quoridor_net.cli.check.reporting import Reporting, reports, run, run_by_hand
from quoridor_net.cli.command import command


@command()
@CLIENT_OF_SEVERAL
@ANSWER_TIME
@reports("lan_client")
def client(words: tuple[str, ...], move_time: float, reporting: Reporting) -> None:
    """Check a display client. COMMAND starts it, once for every game.

    The word {addresses} in COMMAND is replaced by the addresses of the checker's servers: two or four
    HOST:PORT pairs. Put -- before COMMAND: quoridor check client -- java Client {addresses}
    """
    files = FileWatch(words)

    async def check(**others: Any) -> Report:
        files.mark()
        return await check_client(
            launch_client(words, move_time, reporting.hear),
            f"display client {words[0]}",
            move_time,
            reporting.progress,
            reporting.only,
            reporting.transcript,
            **others,
        )

    servers = "localhost:5858", "localhost:9685"
    start = format_command("serve", "--port", "9685", "--level", "1")
    own = shlex.join(fill_in(words, servers))
    # Until the engine is compiled, a simpler player makes its moves.
    warmup = format_command("warmup")
    starts = f"{start.replace('9685', '5858')}, {start}"
    trial = f"play a game between two engines of level 1: {warmup}, {starts}, and then {own}"
    run(
        "Checking the display client against the document of 2016:",
        check,
        reporting,
        files,
        lambda finding: write_client_script(finding, list(words), move_time),
        NextSteps(trial, run_by_hand(words)),
    )
