"""Command-line arguments that name the program to check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from quoridor_net.check.launching import ADDRESS, ADDRESSES, PORT, parse_server, refuse_quoted
from quoridor_net.cli import options
from quoridor_net.cli.check.reporting import MOVE_TIME
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.programs.address import EngineAddress, NoProgramsError
from quoridor_net.programs.unix import NO_PROGRAMS


def program(*places: str) -> Callable[[Callable[..., None]], Any]:
    """Return a decorator that adds the program to check to a command, as the argument ``words``.

    Args:
        places: placeholders for addresses, one of which the words must contain.
    """

    def check(_context: click.Context, _argument: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
        _refuse_quoted(words)
        if places and not any(place in word for place in places for word in words):
            raise click.BadParameter(f"COMMAND must contain {places[0]} in place of the addresses.")
        try:
            # A client ends with its connections, but an engine must be limited and killed.
            return options.program_at("COMMAND", EngineAddress(words), is_limited=not places).command
        except NoProgramsError:
            # The general message advises an engine that listens on a port, but this command cannot check one.
            raise click.BadParameter(f"{NO_PROGRAMS}.") from None

    metavar = " ".join(["COMMAND...", *places[:1]])
    return click.argument("words", nargs=-1, required=True, metavar=metavar, callback=check)


def read_server(
    _context: click.Context, _argument: click.Parameter, words: tuple[str, ...]
) -> Endpoint | tuple[str, ...]:
    """Return the address of a running server, or the command that starts one."""
    try:
        server = parse_server(words)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    if isinstance(server, Endpoint):
        return server
    return options.program_at("COMMAND", EngineAddress(server), is_limited=False).command


def _refuse_quoted(words: tuple[str, ...]) -> None:
    try:
        refuse_quoted(words)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


#: A server that runs already, or the command that starts it, as the argument ``program``.
SERVER = click.argument(
    "program", nargs=-1, required=True, metavar="HOST:PORT | COMMAND...", callback=read_server
)
SERVER_PORT = options.port(
    f"Port of the started server, if COMMAND does not contain {PORT}; 0 reads it from its output.", default=0
)

CLIENT_OF_SEVERAL = program(ADDRESSES)
CLIENT_OF_ONE = program(ADDRESS, "{port}")
ENGINE = program()

ANSWER_TIME = click.option(
    "--move-time",
    type=options.SECONDS,
    default=MOVE_TIME,
    show_default=True,
    help="Time limit for each answer of the program, in seconds.",
)
