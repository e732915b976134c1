"""``quoridor grade server``: grade a move server of the 2016 protocol."""

from __future__ import annotations

import click

from quoridor_net.cli.check.programs import SERVER, SERVER_PORT
from quoridor_net.cli.command import command
from quoridor_net.cli.grade.grading import SERVER_GAP, Grading, grades
from quoridor_net.grading.subjects import RunningServer, StartedServer
from quoridor_net.net.endpoint import Endpoint


@command()
@SERVER
@SERVER_PORT
@SERVER_GAP
@grades
def server(program: Endpoint | tuple[str, ...], port: int, grading: Grading) -> None:
    """Grade the move server at HOST:PORT, or the one that COMMAND starts.

    {port} in COMMAND is replaced by the port to listen on. The server is started once, and again when it ends
    after a game. Put -- before COMMAND: quoridor grade server -- java Server --port {port}
    """
    if not isinstance(program, Endpoint):
        grading.run(StartedServer(program, grading.allowance, port or None))
        return
    if port:
        raise click.UsageError("--port needs a COMMAND; HOST:PORT names the port itself.")
    grading.run(RunningServer(program, grading.allowance))
