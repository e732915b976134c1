"""``quoridor tournament stop``, ``set``, ``withdraw``, ``add`` and ``renew``, from any terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
from attrs import evolve

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.tournament.reading import read_state, refusal_of
from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.journal.requests import REFUSED, ask
from quoridor_net.tournament.journal.trust import trust
from quoridor_net.tournament.quoridor.commands import commands_of, from_folder
from quoridor_net.tournament.schedule import find_entrant

#: Timeout for an answer, in seconds; long enough to reach an entrant that joins.
PATIENCE = 60.0

#: Maximum length of the name of a version, in characters.
MAX_VERSION = 40


@command()
@options.JOURNAL_FILE
def stop(file: Path) -> None:
    """Finish the running games of FILE.db, and start no more."""
    _request(file, partial(ask, file, "stop", "", PATIENCE))


@command()
@options.JOURNAL_FILE
@click.option(
    "--concurrency", type=options.AT_ONCE, required=True, help="Maximum number of games at the same time."
)
def set_(file: Path, concurrency: int) -> None:
    """Change a setting of the tournament in FILE.db."""
    _change(file, "concurrency", str(concurrency))


@command()
@options.JOURNAL_FILE
@click.argument("name")
def withdraw(file: Path, name: str) -> None:
    """Withdraw the entrant NAME from the tournament in FILE.db; the beginning of a name is enough.

    Its finished games count. In a round robin or gauntlet, they count only if it has played at least half of
    its games; otherwise they are shown, but count for no entrant.
    """
    _change(file, "withdraw", name)


@command()
@options.JOURNAL_FILE
@click.argument("pairs", nargs=-1, required=True, metavar="NAME,NAME...")
def pair(file: Path, pairs: tuple[str, ...]) -> None:
    """Choose pairings of the next round of a Swiss tournament; the first of two names moves first.

    The other entrants are paired as usual.
    """
    _change(file, "pair", " ".join(pairs))


@command()
@options.JOURNAL_FILE
@click.argument("game", type=options.Integer(1))
@click.argument("name")
def award(file: Path, game: int, name: str) -> None:
    """Award GAME, which has not started, to its entrant NAME."""
    _change(file, "award", f"{game} {name}")


@command()
@options.JOURNAL_FILE
@click.argument("entrant")
def add(file: Path, entrant: str) -> None:
    """Add ENTRANT, written as for "quoridor tournament run", to play from the next round on.

    An entrant that has left comes back with its games; its name is enough.
    """
    try:
        joining = from_folder(_find_left(file, entrant) or parse_spec(entrant), Path.cwd())
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'ENTRANT'") from None
    trust(file, commands_of([joining]))
    # Lasting, because the program that plays the tournament may run in another folder.
    address = joining.lasting_address
    # A built-in player may be named like its address, which cannot stand before "=".
    _change(file, "add", f"{joining.name}={address}" if joining.name not in {"", address} else address)


def _find_left(file: Path, text: str) -> PlayerSpec | None:
    """Return the entrant that left whose name is, or alone begins with, ``text``; None if there is none."""
    state = read_state(file)
    left = [number for number in range(1, len(state.entrants) + 1) if state.is_withdrawn(number)]
    try:
        found = left[find_entrant([state.entrants[number - 1] for number in left], text) - 1]
    except ValueError:
        return None
    return evolve(parse_spec(state.addresses[found - 1]), name=state.entrants[found - 1])


@command()
@options.JOURNAL_FILE
@click.argument("name")
@click.argument("version")
@click.argument("address", required=False)
def renew(file: Path, name: str, version: str, address: str | None) -> None:
    """Announce VERSION of the entrant NAME of the league in FILE.db, at ADDRESS if that is new.

    It starts with the rating of the version before it, which becomes uncertain, and keeps its games.
    """
    if not version.isprintable() or not 1 <= len(version) <= MAX_VERSION:
        raise click.BadParameter(f"expected 1 to {MAX_VERSION} visible characters.", param_hint="'VERSION'")
    try:
        entrant = None if address is None else from_folder(parse_spec(address), Path.cwd())
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'ADDRESS'") from None
    lasting = "" if entrant is None else entrant.lasting_address
    if entrant is not None:
        trust(file, commands_of([entrant]))
    _change(file, "renew", json.dumps([name, version, lasting]))


def _change(file: Path, request: str, argument: str) -> None:
    # Imported here, because "stop" needs no players.
    from quoridor_net.tournament.quoridor.changing import change

    _request(file, partial(change, file, request, argument, PATIENCE))


def _request(file: Path, ask_for_it: Callable[[], str]) -> None:
    """Send a request and print the answer."""
    try:
        answer = ask_for_it()
    except JournalError as error:
        raise refusal_of(error, file) from None
    refusal = answer.removeprefix(REFUSED)
    if refusal != answer:
        click.echo(f"Error: {refusal}.", err=True)
        sys.exit(ExitStatus.FAILED)
    click.echo(f"{answer}.")
