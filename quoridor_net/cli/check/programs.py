"""Command-line arguments that name the program to check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from quoridor_net.check.launching import ADDRESS, ADDRESSES
from quoridor_net.cli import options
from quoridor_net.cli.check.reporting import MOVE_TIME
from quoridor_net.programs.address import EngineAddress, NoProgramsError
from quoridor_net.programs.unix import NO_PROGRAMS


def program(*places: str) -> Callable[[Callable[..., None]], Any]:
    """Return a decorator that adds the program to check to a command, as the argument ``words``.

    Args:
        places: placeholders for addresses, one of which the words must contain.
    """

    def check(_context: click.Context, _argument: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
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
