"""``quoridor grade server``: grade a move server of the 2016 protocol."""

from __future__ import annotations

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.grade.grading import SERVER_GAP, Grading, grades
from quoridor_net.grading.subjects import PORT, RunningServer, StartedServer, Subject
from quoridor_net.net.endpoint import parse_endpoint
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
    grading.run(_subject_of(words, grading))


def _subject_of(words: tuple[str, ...], grading: Grading) -> Subject:
    """Return the server that the words name.

    Raises:
        click.UsageError: they are neither an address nor a command with a port.
        CannotBeginError: the program is missing or not executable.
    """
    if any(PORT in word for word in words):
        program = options.program_at("COMMAND", EngineAddress(words), is_limited=False)
        return StartedServer(program.command, grading.allowance)
    if len(words) > 1:
        raise click.UsageError(f"COMMAND must contain {PORT} in place of the port to listen on.")
    try:
        return RunningServer(parse_endpoint(words[0]), grading.allowance)
    except ValueError as error:
        raise click.UsageError(f"{error}, or a command with {PORT}.") from None
