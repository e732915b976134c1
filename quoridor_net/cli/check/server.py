"""``quoridor check server``: check a move server of the 2016 protocol."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from quoridor_net.advice import format_command
from quoridor_net.check.findings import Report
from quoridor_net.check.lan_server.run import check_launched_server, check_server
from quoridor_net.check.lan_server.server import GAP, Patience
from quoridor_net.check.launching import CONNECT_TIME, PORT, launch_server
from quoridor_net.check.repeat import write_launched_server_script, write_server_script
from quoridor_net.check.text_report import NextSteps
from quoridor_net.check.watching import FileWatch, ServerWatch
from quoridor_net.cli import options
from quoridor_net.cli.check.programs import SERVER, SERVER_PORT
from quoridor_net.cli.check.reporting import MOVE_TIME, Reporting, reports, run, run_by_hand
from quoridor_net.cli.command import command
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.players.greeting import connect

#: Ports in the advice at the end: of a server that the checker starts, and of the opponent.
_OWN_PORT, _OTHER_PORT = "5858", "9685"


@command()
@SERVER
@SERVER_PORT
@click.option(
    "--move-time",
    type=options.SECONDS,
    default=MOVE_TIME,
    show_default=True,
    help="Time limit for the server's name and for each move, in seconds.",
)
@options.gap(GAP)
@reports("lan_server")
def server(
    program: Endpoint | tuple[str, ...], port: int, move_time: float, gap: float, reporting: Reporting
) -> None:
    """Check a move server: the one at HOST:PORT, or the one that COMMAND starts.

    COMMAND starts the server for every game, so that servers that end after a game are checked completely.
    {port} in COMMAND is replaced by a free port. Put -- before COMMAND: quoridor check server -- ./server
    {port}

    In games of two and four, the checker is the client and all other players. It opens one connection at a
    time.
    """
    settings = Patience(move_time, gap)
    start = format_command("serve", "--port", _OTHER_PORT, "--level", "1")
    # Until the engine is compiled, a simpler player makes its moves.
    opponent = f"play it against level 1: {format_command('warmup')}, {start}, and then"
    common = reporting.progress, reporting.only, reporting.transcript
    if isinstance(program, Endpoint):
        if port:
            raise click.UsageError("--port needs a COMMAND; HOST:PORT names the port itself.")
        by_command = f"{format_command('check', 'server')} -- COMMAND ARGUMENTS {PORT}"
        running = ServerWatch(partial(connect, program, 0.0), partial(connect, program, CONNECT_TIME))
        run(
            f"Checking the move server at {program} against the document of 2016:",
            partial(check_server, running.connect, f"move server {program}", settings, *common),
            reporting,
            running,
            lambda finding: write_server_script(finding, str(program), move_time),
            NextSteps(
                f"{opponent} {_format_display(str(program))}",
                f"start the server in another terminal, and check again: it must listen at {program}",
                f"let the checker start your server for every game: {by_command}",
            ),
        )
        return
    words = list(program)
    own = f"localhost:{port or _OWN_PORT}"
    files = FileWatch(words)

    async def check(**others: Any) -> Report:
        files.mark()
        launch = launch_server(words, move_time, reporting.hear, port or None)
        return await check_launched_server(launch, f"move server {words[0]}", settings, *common, **others)

    run(
        f"Checking the move server {words[0]} against the document of 2016:",
        check,
        reporting,
        files,
        lambda finding: write_launched_server_script(finding, words, port or None, move_time),
        NextSteps(
            f"start it on port {port or _OWN_PORT}; {opponent} {_format_display(own)}",
            run_by_hand([word.replace(PORT, own.rpartition(":")[2]) for word in words]),
        ),
    )


def _format_display(address: str) -> str:
    """Return the command for a game between the server at ``address`` and the opponent."""
    return format_command("display", address, f"localhost:{_OTHER_PORT}", "--move-time", "30")
