"""``quoridor tournament run`` and ``resume``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve
from click.core import ParameterSource

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.tournament.playing import display_kind, play, report_to
from quoridor_net.cli.tournament.settings import configure, entrant_from, plan_from
from quoridor_net.net.networks import Networks
from quoridor_net.output import background_output
from quoridor_net.players.spec import check_system, list_forms, parse_spec
from quoridor_net.text import visible
from quoridor_net.tournament.cluster_address import ClusterAddress, parse_cluster
from quoridor_net.tournament.commands import commands_of, from_folder
from quoridor_net.tournament.forecast import forecast
from quoridor_net.tournament.formats import FORMATS
from quoridor_net.tournament.journal import Journal, JournalError, is_vacant
from quoridor_net.tournament.journal.errors import DamagedPageError
from quoridor_net.tournament.journal.trust import find_unknown, trust
from quoridor_net.tournament.manager import Manager
from quoridor_net.tournament.plan import MAX_ROUNDS, Plan, PlanError
from quoridor_net.tournament.state import TournamentState
from quoridor_net.ui.tournament_view import FieldDisplay, print_tables

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress


def _parse_dask(_context: click.Context, _option: click.Parameter, text: str | None) -> ClusterAddress | None:
    try:
        return None if text is None else parse_cluster(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


DASK: options.Decorator[Any] = click.option(
    "--dask",
    metavar="ADDRESS|local[:N]",
    callback=_parse_dask,
    help="Play the games without a move server on the Dask cluster with its scheduler at ADDRESS, or in N"
    " processes of this machine, as many at once as it has threads.",
)


@command()
@options.NEW_JOURNAL_FILE
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=configure,
    help="Take options and entrants that are not given here from this TOML file.",
)
@click.option(
    "--dry-run", is_flag=True, help="Show the schedule and the expected duration, and play nothing."
)
@click.argument("entrants", nargs=-1, metavar="ENTRANT ENTRANT...")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS]),
    default="round-robin",
    show_default=True,
    help="Who plays whom.",
)
@click.option("--rounds", type=click.IntRange(1, MAX_ROUNDS), help="Rounds, of formats that leave it open.")
@click.option(
    "--games",
    type=click.IntRange(1, MAX_ROUNDS),
    help="Games of every pairing. [default: 2; with --sprt at most 40000]",
)
@options.CONCURRENCY
@options.SIZE
@options.WALLS
@options.JUMPS
@options.move_time(default=10.0)
@options.PLY_LIMIT
@options.gap(0.05)
@click.option(
    "--no-show-time",
    type=options.SECONDS,
    default=30.0,
    show_default=True,
    help="Seconds for which an entrant is waited for before a game.",
)
@options.memory_limit()
@click.option(
    "--openings",
    metavar="FILE|balanced",
    help="Play the openings of this file in turn, or those that our engine found even (9x9).",
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="With two entrants: play pairs until a test says whether the first is ELO1 stronger or only ELO0.",
)
@DASK
@options.seed(help="Make the schedule repeatable, and the games of built-in players without a time limit.")
@options.quiet("the final tables and errors")
@options.JSON
@options.web("the tournament")
@options.ALLOW
@click.option(
    "--gather", is_flag=True, help="Let entrants sign up on the page of --web, until its holder begins."
)
@background_output()
def run(
    file: Path,
    entrants: tuple[str, ...],
    quiet: bool,
    as_json: bool,
    dry_run: bool,
    dask: ClusterAddress | None,
    web: WebAddress | None,
    networks: Networks,
    gather: bool,
    **chosen: Any,
) -> None:
    """Play a tournament between ENTRANTs and keep it in FILE.db.

    An entrant is [NAME=]ADDRESS, where ADDRESS is HOST:PORT of a move server, qtp:COMMAND for an engine of
    the Athens protocol, engine[:level=5,think=0.1], simple or random. The exit status is 0 when all games are
    played, 2 for wrong usage, 3 when an entrant does not come, 4 when the tournament was stopped or games
    have no result: then "quoridor tournament resume FILE.db" goes on with it.
    """
    display = display_kind(quiet, as_json)
    if gather and (web is None or dry_run):
        raise click.UsageError("--gather needs --web, where entrants sign up, and no --dry-run.")
    if len(entrants) < 2 and not gather:
        raise click.UsageError(f"a tournament needs at least 2 entrants: {list_forms()}.")
    field = tuple(map(entrant_from, entrants))
    if not file.name:
        raise click.UsageError("FILE.db needs a name.")
    plan = plan_from(**chosen)
    source = click.get_current_context().get_parameter_source("concurrency")
    is_limited = dask is None or source is not ParameterSource.DEFAULT
    if dask is not None and not is_limited and dask.workers:
        plan = evolve(plan, concurrency=dask.workers)
    try:
        if not gather:
            plan.check(field)
        check_system(field)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    if os.path.lexists(file) and not is_vacant(file):
        raise click.UsageError(
            f"{file} exists. Name another file, or go on with the tournament in it:"
            f" quoridor tournament resume {file}"
        )
    try:
        lines = [] if gather else forecast(plan, field)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    if dry_run:
        click.echo("\n".join(lines))
        return
    if display in {FieldDisplay.LIVE, FieldDisplay.PLAIN} and lines:
        click.echo(lines[0])
    try:
        journal = Journal.create(file)
    except JournalError as error:
        raise click.UsageError(f"{error}.") from None
    trust(file, commands_of(field))
    manager = Manager(journal, TournamentState(), plan, field, report_to(display), networks=networks)
    play(manager, display, dask, is_limited, web, gather)


@command()
@options.JOURNAL_FILE
@click.option(
    "--concurrency", type=options.AT_ONCE, help="Games at the same time. [default: as many as before]"
)
@click.option(
    "--without-missing",
    is_flag=True,
    help="Go on although entrants are missing: their games are played last.",
)
@click.option(
    "--yes", is_flag=True, help="Run the commands in FILE.db although you did not give them on this machine."
)
@DASK
@options.quiet("the final tables and errors")
@options.JSON
@options.web("the tournament")
@options.ALLOW
@background_output()
def resume(
    file: Path,
    concurrency: int | None,
    without_missing: bool,
    yes: bool,
    quiet: bool,
    as_json: bool,
    dask: ClusterAddress | None,
    web: WebAddress | None,
    networks: Networks,
) -> None:
    """Go on with the tournament in FILE.db: results stay, games that were running begin again.

    Every entrant is tried first, as by "quoridor tournament run". The exit status is 0 when all games are
    played, 2 for wrong usage, 3 when an entrant does not come, 4 when the tournament was stopped or games
    have no result.
    """
    display = display_kind(quiet, as_json)
    try:
        journal, state = Journal.resume(file)
    except DamagedPageError as error:
        raise click.UsageError(f"{error}. To see more: quoridor tournament verify {file}") from None
    except JournalError as error:
        raise click.UsageError(f"{error}.") from None
    try:
        plan = Plan.of_state(state)
        if not state.is_over:
            _agree_to_commands(file, state, is_agreed=yes)
    except PlanError as error:
        journal.close()
        raise click.UsageError(f"{file}: {error}.") from None
    except BaseException:
        journal.close()
        raise
    if state.is_over and web is None:
        journal.close()
        print_tables(state)
        return
    manager = Manager(
        journal,
        state,
        plan,
        report=report_to(display),
        concurrency=concurrency,
        networks=networks,
        without_missing=without_missing,
    )
    play(manager, display, dask, concurrency is not None, web)


def _agree_to_commands(file: Path, state: TournamentState, *, is_agreed: bool) -> None:
    """Ask before commands run from a journal that another user made, or that was moved.

    Raises:
        click.UsageError: they are not agreed to, or cannot be read.
    """
    try:
        entrants = [from_folder(parse_spec(address), Path.cwd()) for address in state.addresses]
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}.") from None
    commands = commands_of(entrants)
    strange = find_unknown(file, commands)
    if strange and not is_agreed:
        listed = "\n".join(f"  {visible(command)}" for command in strange)
        told = f"{file} was begun by somebody else or elsewhere. These commands would run here:\n{listed}"
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise click.UsageError(f"{told}\nGive --yes if you trust them.")
        click.echo(told, err=True)
        if not click.confirm("Run them?", err=True):
            raise click.UsageError("nothing was run.")
    trust(file, commands)
