"""``quoridor check server``: check a move server of the 2016 protocol."""

from __future__ import annotations

import os
import shutil
from functools import partial
from typing import Any

import click

from quoridor_net.advice import format_command
from quoridor_net.check.findings import Report
from quoridor_net.check.lan_server.run import check_launched_server, check_server
from quoridor_net.check.lan_server.server import GAP, Patience
from quoridor_net.check.launching import CONNECT_TIME, PORT, launch_server
from quoridor_net.check.repeat import write_launched_server_script, write_server_script
from quoridor_net.check.watching import FileWatch, ServerWatch
from quoridor_net.cli import options
from quoridor_net.cli.check.reporting import MOVE_TIME, Reporting, reports, run
from quoridor_net.cli.command import command
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.players.greeting import connect
from quoridor_net.programs.address import EngineAddress

#: Ports in the advice at the end: of a server that the checker starts, and of the opponent.
_OWN_PORT, _OTHER_PORT = "5858", "9685"

#: A server that runs already, or the command that starts it.
Program = Endpoint | tuple[str, ...]


def _server(_context: click.Context, _argument: click.Parameter, words: tuple[str, ...]) -> Program:
    is_command = len(words) > 1 or os.sep in words[0] or shutil.which(words[0]) is not None
    if is_command:
        return options.program_at("COMMAND", EngineAddress(words), is_limited=False).command
    try:
        return parse_endpoint(words[0])
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


@command()
@click.argument("program", nargs=-1, required=True, metavar="HOST:PORT | COMMAND...", callback=_server)
@options.port(
    f"Port of the started server, if COMMAND does not contain {PORT}; 0 reads it from its output.", default=0
)
@click.option(
    "--move-time",
    type=options.SECONDS,
    default=MOVE_TIME,
    show_default=True,
    help="Time limit for the server's name and for each move, in seconds.",
)
@options.gap(GAP)
@reports("lan_server")
def server(program: Program, port: int, move_time: float, gap: float, reporting: Reporting) -> None:
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
        running = ServerWatch(partial(connect, program, 0.0), partial(connect, program, CONNECT_TIME))
        run(
            f"Checking the move server at {program} against the document of 2016:",
            partial(check_server, running.connect, f"move server {program}", settings, *common),
            reporting,
            running,
            lambda finding: write_server_script(finding, str(program), move_time),
            f"{opponent} {_format_display(str(program))}",
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
        f"start it on port {port or _OWN_PORT}; {opponent} {_format_display(own)}",
    )


def _format_display(address: str) -> str:
    """Return the command for a game between the server at ``address`` and the opponent."""
    return format_command("display", address, f"localhost:{_OTHER_PORT}", "--move-time", "30")
