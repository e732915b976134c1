"""``quoridor tournament stop``, ``set``, ``withdraw`` and ``add``: from any terminal, at any time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.journal.errors import DamagedPageError
from quoridor_net.tournament.journal.requests import REFUSED, ask
from quoridor_net.tournament.journal.trust import trust
from quoridor_net.tournament.quoridor.commands import commands_of, from_folder

#: Seconds for which an answer is waited for. An entrant that joins has to be reached first.
PATIENCE = 60.0


@command()
@options.JOURNAL_FILE
def stop(file: Path) -> None:
    """Finish the games of FILE.db that are running, and begin no more."""
    _tell(file, partial(ask, file, "stop", "", PATIENCE))


@command()
@options.JOURNAL_FILE
@click.option("--concurrency", type=options.AT_ONCE, required=True, help="Games at the same time.")
def set_(file: Path, concurrency: int) -> None:
    """Change how the tournament in FILE.db is played."""
    _change(file, "concurrency", str(concurrency))


@command()
@options.JOURNAL_FILE
@click.argument("name")
def withdraw(file: Path, name: str) -> None:
    """Let entrant NAME play no more games.

    Those that are over count. In a round robin or gauntlet they do if they are at least half of its games:
    otherwise they are shown, and count for nobody.
    """
    _change(file, "withdraw", name)


@command()
@options.JOURNAL_FILE
@click.argument("entrant")
def add(file: Path, entrant: str) -> None:
    """Let ENTRANT, written as for "quoridor tournament run", play from the next round on.

    One that has left comes back with its games.
    """
    try:
        joining = from_folder(parse_spec(entrant), Path.cwd())
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'ENTRANT'") from None
    trust(file, commands_of([joining]))
    # The program that plays the tournament may have been started in another folder.
    address = joining.lasting_address
    _change(file, "add", f"{joining.name}={address}" if joining.name else address)


def _change(file: Path, request: str, argument: str) -> None:
    # Imported here: the other command needs no players.
    from quoridor_net.tournament.quoridor.changing import change

    _tell(file, partial(change, file, request, argument, PATIENCE))


def _tell(file: Path, ask_for_it: Callable[[], str]) -> None:
    """Ask for something and print the answer."""
    try:
        answer = ask_for_it()
    except DamagedPageError as error:
        raise click.UsageError(f"{error}. To see more: quoridor tournament verify {file}") from None
    except JournalError as error:
        raise click.UsageError(f"{error}.") from None
    refusal = answer.removeprefix(REFUSED)
    if refusal != answer:
        click.echo(f"Error: {refusal}.", err=True)
        sys.exit(ExitStatus.FAILED)
    click.echo(f"{answer}.")
