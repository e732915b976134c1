"""Programs that are checked: how they stand in the command line."""

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
    """Return a decorator that gives a command the program to check, as ``words``.

    Args:
        places: what must be among the words, one of them, so that the program knows where to connect.
    """

    def check(_context: click.Context, _argument: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
        if places and not any(place in word for place in places for word in words):
            raise click.BadParameter(f"must have {places[0]} where the addresses go.")
        try:
            # A client ends with its connections; an engine has to be limited and killed.
            return options.program_at("COMMAND", EngineAddress(words), is_limited=not places).command
        except NoProgramsError:
            # Nothing of an engine that listens can be checked here.
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
    help="Seconds for which the program may be silent when something is due.",
)
