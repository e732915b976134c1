"""``quoridor tournament run`` and ``resume``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve
from click.core import ParameterSource

from quoridor_net.advice import format_command
from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.tournament.playing import announce, display_kind, play, report_to
from quoridor_net.cli.tournament.reading import refusal_of
from quoridor_net.cli.tournament.settings import (
    WITH_ROUNDS,
    configure,
    entrant_from,
    plan_from,
    with_wishes,
)
from quoridor_net.net import clock
from quoridor_net.net.networks import Networks
from quoridor_net.net.signals import until_signal
from quoridor_net.output import background_output
from quoridor_net.players.spec import PlayerSpec, check_system, list_forms, parse_spec
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.text import visible
from quoridor_net.tournament.formats import FORMATS
from quoridor_net.tournament.journal import Journal, JournalError, is_vacant
from quoridor_net.tournament.journal.trust import find_unknown, trust
from quoridor_net.tournament.lobby import QuietHours
from quoridor_net.tournament.quoridor.cluster_address import ClusterAddress, parse_cluster
from quoridor_net.tournament.quoridor.commands import commands_of, from_folder
from quoridor_net.tournament.quoridor.forecast import Forecast, forecast
from quoridor_net.tournament.quoridor.manager import Manager
from quoridor_net.tournament.quoridor.plan import (
    MAX_RATE,
    MAX_ROUNDS,
    MAX_WINDOW,
    LeagueTerms,
    Plan,
    PlanError,
)
from quoridor_net.tournament.sprt import EloModel
from quoridor_net.tournament.state import TournamentState
from quoridor_net.ui.tournament_view import print_tables

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress


def _parse_dask(_context: click.Context, _option: click.Parameter, text: str | None) -> ClusterAddress | None:
    try:
        return None if text is None else parse_cluster(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def _parse_quiet_hours(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> QuietHours | None:
    try:
        return None if text is None else QuietHours.parse(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


START_WITHOUT: options.Decorator[Any] = click.option(
    "--start-without",
    is_flag=True,
    help="Start without missing entrants; their games come last, and they join when they come.",
)

GATHER: options.Decorator[Any] = click.option(
    "--gather",
    is_flag=True,
    help="Open the page of --web for sign-up until you start the tournament there; in a league, also later.",
)

DASK: options.Decorator[Any] = click.option(
    "--dask",
    metavar="ADDRESS|local[:N]",
    callback=_parse_dask,
    help="Play games without move servers on the Dask cluster whose scheduler is at ADDRESS, or in N"
    " processes of this machine; one game for each thread.",
)


@command()
@options.NEW_JOURNAL_FILE
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=configure,
    help="TOML file with options and entrants; the command line takes precedence.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Only show the schedule, a guess of the duration, and how many games could run at once.",
)
@click.argument("entrants", nargs=-1, metavar="ENTRANT ENTRANT...")
@click.option("--title", help="Title of the tournament. [default: the name of FILE.db]")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS]),
    default="round-robin",
    show_default=True,
    help="Format of the tournament.",
)
@click.option(
    "--rounds", type=options.Integer(1, MAX_ROUNDS), help=f"Number of rounds ({', '.join(WITH_ROUNDS)})."
)
@click.option(
    "--games",
    type=options.Integer(1, MAX_ROUNDS),
    help="Number of games of each pairing. [default: 2; with --sprt, up to 40000]",
)
@click.option(
    "--bye",
    "rests",
    multiple=True,
    metavar="NAME=ROUND[,ROUND...]",
    help="Give the entrant NAME half a point for each game of these rounds (swiss). Can be repeated.",
)
@click.option(
    "--apart",
    multiple=True,
    metavar="NAME,NAME...",
    help="Never pair these entrants with each other (swiss). Can be repeated.",
)
@click.option(
    "--pair",
    "pairs",
    multiple=True,
    metavar="NAME,NAME",
    help="Pairing of the first round (swiss); the others are paired as usual. Can be repeated.",
)
@click.option(
    "--late-half-byes",
    "helps_late",
    is_flag=True,
    help="Give late entrants half a point for each game that they missed (swiss).",
)
@click.option(
    "--check",
    "is_checked",
    is_flag=True,
    help="First make the quick checks of every move server and engine program; play only if none fails.",
)
@options.CONCURRENCY
@options.SIZE
@options.WALLS
@options.JUMPS
@options.move_time(shown="10; no limit with --clock")
@options.clock()
@options.FIRST_MOVE_TIME
@options.PLY_LIMIT
@options.REPETITION
@options.gap(0.05)
@click.option(
    "--no-show-time",
    type=options.SECONDS,
    default=30.0,
    show_default=True,
    help="Time to wait for an entrant before each game, in seconds.",
)
@options.memory_limit()
@click.option(
    "--openings",
    metavar="FILE|balanced",
    help="File of openings to play in turn, one per line; or balanced, for openings that this project's"
    " engine finds even (9x9).",
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="With two entrants: play until a test decides whether the first is ELO1 stronger, or only ELO0.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="With --sprt: maximum probability of deciding for ELO1 although ELO0 is true. [default: 0.05]",
)
@click.option(
    "--beta",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="With --sprt: maximum probability of deciding for ELO0 although ELO1 is true. [default: 0.05]",
)
@click.option(
    "--elo-model",
    type=click.Choice([model.value for model in EloModel]),
    help="With --sprt: scale of ELO0 and ELO1. [default: normalised]",
)
@click.option(
    "--rate", type=options.Integer(1, MAX_RATE), help="In a league: maximum games of an entrant per hour."
)
@click.option(
    "--quiet-hours",
    metavar="HH:MM-HH:MM",
    callback=_parse_quiet_hours,
    help="In a league: start no game in these hours of local time.",
)
@click.option(
    "--window",
    type=options.Integer(1, MAX_WINDOW),
    help="In a league: ratings rest on games that are among this many last ones of either entrant."
    f" [default: {LeagueTerms().window}]",
)
@DASK
@options.seed(
    help="Seed that makes the schedule and the games of built-in players without time limit repeatable."
)
@options.quiet("the final tables and errors")
@options.JSON
@options.web("the tournament")
@options.ALLOW
@START_WITHOUT
@GATHER
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
    start_without: bool,
    gather: bool,
    is_checked: bool,
    rests: tuple[str, ...],
    apart: tuple[str, ...],
    pairs: tuple[str, ...],
    **chosen: Any,
) -> None:
    """Play a tournament between ENTRANTs and record it in FILE.db.

    An entrant is [NAME=]ADDRESS, where ADDRESS is HOST:PORT of a move server, qtp:COMMAND for an engine of
    the Athens protocol, engine[:level=5,think=0.1], simple or random. Exit status: 0 if all games are played
    or a league was stopped, 1 if FILE.db cannot be written, 2 for wrong usage, 3 if an entrant is
    missing or the program was stopped before the first game, 4 if another tournament was stopped or games
    have no result. To continue it: "quoridor tournament resume FILE.db".
    """
    display = display_kind(quiet, as_json)
    if gather and (web is None or dry_run or is_checked):
        raise click.UsageError(
            "--gather needs --web, where entrants sign up, and excludes --dry-run and --check."
        )
    field = _field_from(entrants, is_whole=not gather)
    if not file.name:
        raise click.UsageError("FILE.db needs a name.")
    plan = with_wishes(plan_from(**chosen), field, rests, apart, pairs, is_whole=not gather)
    _check_sign_up(plan, gather)
    source = click.get_current_context().get_parameter_source("concurrency")
    is_limited = dask is None or source is not ParameterSource.DEFAULT
    if dask is not None and not is_limited and dask.workers:
        plan = evolve(plan, concurrency=dask.workers)
    if os.path.lexists(file) and not is_vacant(file):
        raise click.UsageError(
            f"{file} exists. Choose another file, or continue the tournament in it:"
            f" {format_command('tournament', 'resume', str(file))}"
        )
    foreseen: Forecast | None = None
    try:
        if not gather:
            foreseen = forecast(plan, field)
        check_system(field)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    if dry_run and foreseen is not None:
        click.echo("\n".join((foreseen.announcement(is_limited=is_limited), *foreseen.games)))
        return
    try:
        # First, because another program may be waiting for its first game with the same file.
        journal = Journal.create(file)
    except JournalError as error:
        raise refusal_of(error, file) from None
    try:
        if foreseen is not None:
            announce(foreseen, display, is_limited=is_limited)
        if is_checked:
            _check_entrants(field, plan, networks, report_to(display))
    except BaseException:
        journal.close()
        raise
    trust(file, commands_of(field))
    manager = Manager(
        journal,
        TournamentState(),
        plan,
        field,
        report_to(display),
        networks=networks,
        start_without=start_without,
    )
    play(manager, display, dask, is_limited, web, gather)


def _field_from(texts: Sequence[str], *, is_whole: bool) -> tuple[PlayerSpec, ...]:
    """Return the entrants.

    Raises:
        click.UsageError: one is malformed, or there are too few and no others will come.
    """
    if len(texts) < 2 and is_whole:
        raise click.UsageError(f"a tournament needs at least 2 entrants: {list_forms()}.")
    return tuple(map(entrant_from, texts))


def _check_entrants(
    field: Sequence[PlayerSpec], plan: Plan, networks: Networks, tell: Callable[[str], None]
) -> None:
    """Make the quick checks of the entrants, and end the program if one breaks games."""
    # Imported here, because only --check needs the checker.
    from quoridor_net.cli.tournament.checking import check_entrants

    with adopt_orphans():
        is_sound = clock.run(until_signal, partial(check_entrants, field, plan.terms, networks, tell))
    if is_sound is None:
        sys.exit(ExitStatus.ABORTED)
    if not is_sound:
        click.echo(
            "Error: not all entrants passed, so no game was played. To play anyway, omit --check.", err=True
        )
        sys.exit(ExitStatus.CANNOT_BEGIN)


@command()
@options.JOURNAL_FILE
@click.option(
    "--concurrency",
    type=options.AT_ONCE,
    help="Maximum number of games at the same time. [default: as before]",
)
@START_WITHOUT
@click.option(
    "--yes",
    is_flag=True,
    help="Run commands in FILE.db that you did not enter on this machine, without asking.",
)
@DASK
@options.quiet("the final tables and errors")
@options.JSON
@options.web("the tournament")
@options.ALLOW
@GATHER
@background_output()
def resume(
    file: Path,
    concurrency: int | None,
    start_without: bool,
    yes: bool,
    quiet: bool,
    as_json: bool,
    dask: ClusterAddress | None,
    web: WebAddress | None,
    networks: Networks,
    gather: bool,
) -> None:
    """Resume the tournament in FILE.db. Results stay; games that were running start again.

    Every entrant is tried first, as by "quoridor tournament run", which also lists the exit statuses.
    """
    display = display_kind(quiet, as_json)
    if gather and web is None:
        raise click.UsageError("--gather needs --web, where entrants sign up.")
    try:
        journal, state = Journal.resume(file)
    except JournalError as error:
        raise refusal_of(error, file) from None
    try:
        plan = Plan.of_state(state)
        if gather and not plan.format.is_open_ended:
            raise click.UsageError("--gather works only with a league after the start.")
        _check_sign_up(plan, gather)
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
        start_without=start_without,
    )
    play(manager, display, dask, concurrency is not None, web, gather)


def _check_sign_up(plan: Plan, gather: bool) -> None:
    """Refuse to ``gather`` entrants that could not play on the board."""
    if gather and not plan.terms.has_usual_board:
        raise click.UsageError(
            "Only move servers sign up, and they play on the usual board only. Leave out --gather."
        )


def _agree_to_commands(file: Path, state: TournamentState, *, is_agreed: bool) -> None:
    """Ask before running commands from a journal that another user made or that was moved.

    Raises:
        click.UsageError: the user does not agree, or an address is invalid.
    """
    try:
        entrants = [from_folder(parse_spec(address), Path.cwd()) for address in state.addresses]
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}.") from None
    commands = commands_of(entrants)
    strange = find_unknown(file, commands)
    if strange and not is_agreed:
        lines = "\n".join(f"  {visible(command)}" for command in strange)
        warning = f"{file} comes from another user or place. These commands would run here:\n{lines}"
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise click.UsageError(f"{warning}\nIf you trust them, add --yes.")
        click.echo(warning, err=True)
        if not click.confirm("Run them?", err=True):
            raise click.UsageError("no command was run.")
    trust(file, commands)
