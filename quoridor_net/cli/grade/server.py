"""``quoridor grade server``: grade a move server of the 2016 protocol."""

from __future__ import annotations

import click

from quoridor_net.check.launching import PORT
from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.grade.grading import SERVER_GAP, Grading, grades
from quoridor_net.grading.subjects import server_of
from quoridor_net.programs.address import EngineAddress


@command()
@click.argument("words", nargs=-1, required=True, metavar="HOST:PORT | COMMAND... {port}")
@SERVER_GAP
@grades
def server(words: tuple[str, ...], grading: Grading) -> None:
    """Grade the move server at HOST:PORT, or the one that COMMAND starts.

    {port} in COMMAND is replaced by the port to listen on. The server is started once, and again when it ends
    after a game. Put -- before COMMAND: quoridor grade server -- java Server --port {port}
    """
    if any(PORT in word for word in words):
        words = options.program_at("COMMAND", EngineAddress(words), is_limited=False).command
    try:
        subject = server_of(words, grading.allowance)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    grading.run(subject)
