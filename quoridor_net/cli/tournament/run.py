"""``quoridor tournament run`` and ``resume``."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
import trio
from attrs import evolve, frozen
from click.core import ParameterSource
from rich.text import Text

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.web import tell, until_seen
from quoridor_net.net.errors import first_error
from quoridor_net.output import Output, background_output, ignore
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position
from quoridor_net.rules.diagram import draw, glyphs_for
from quoridor_net.tournament.cluster import ClusterAddress, ClusterError, open_cluster, parse_cluster
from quoridor_net.tournament.entrants import EXPECTED, Entrant, parse_entrant
from quoridor_net.tournament.events import Listener
from quoridor_net.tournament.forecast import forecast
from quoridor_net.tournament.formats import FORMATS
from quoridor_net.tournament.journal import Journal, JournalError, is_vacant
from quoridor_net.tournament.manager import Manager, NotReadyError
from quoridor_net.tournament.openings import (
    BALANCED,
    Opening,
    OpeningError,
    balanced_openings,
    parse_openings,
)
from quoridor_net.tournament.plan import Plan, PlanError
from quoridor_net.tournament.sprt import Sprt
from quoridor_net.tournament.state import TournamentState
from quoridor_net.tournament.terms import GameTerms
from quoridor_net.ui.theme import coloured
from quoridor_net.ui.tournament_view import DisplayKind, open_display, print_tables
from quoridor_net.ui.wording import counted

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress
    from quoridor_net.web.application import Site
    from quoridor_net.web.signup import Gathering
    from quoridor_net.web.tournament import TournamentView

#: Games of every pairing unless told otherwise; and of a match that ends with a test.
USUAL_GAMES = 2
MOST_GAMES = 40_000

#: Formats that leave open how many rounds there are.
WITH_ROUNDS = ("swiss", "four-player")

#: Most bytes of a file of openings or settings; the largest number of long openings takes half of that.
MAX_FILE = 1 << 22


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


def _display_kind(quiet: bool, as_json: bool) -> DisplayKind:
    if quiet and as_json:
        raise click.UsageError("--quiet and --json exclude each other.")
    if quiet or as_json:
        return DisplayKind.QUIET if quiet else DisplayKind.JSON
    return DisplayKind.LIVE if sys.stdout.isatty() else DisplayKind.PLAIN


def _configure(context: click.Context, _option: click.Parameter, path: Path | None) -> None:
    """Take what the command line does not say from a TOML file."""
    if path is None:
        return
    try:
        values = tomllib.loads(_text_of(path))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise click.BadParameter(f"{path}: {getattr(error, 'strerror', None) or error}.") from None
    # A parameter need not be called as its option is.
    names = {name.lstrip("-"): of.name for of in context.command.params for name in of.opts}
    unknown = values.keys() - (names.keys() - {"config", "help", "file"})
    if unknown:
        raise click.BadParameter(f"{path}: there is no option {min(unknown)!r}.")
    context.default_map = {names[option]: value for option, value in values.items()}


@command()
@options.JOURNAL_FILE
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=_configure,
    help="Take options and entrants that are not given here from this TOML file.",
)
@click.option(
    "--dry-run", is_flag=True, help="Show the schedule and the expected duration, and play nothing."
)
@click.argument("entrants", nargs=-1, metavar="ENTRANT ENTRANT...")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="round-robin",
    show_default=True,
    help="Who plays whom.",
)
@click.option("--rounds", type=click.IntRange(1), help="Rounds, of formats that leave it open.")
@click.option(
    "--games", type=click.IntRange(1), help="Games of every pairing. [default: 2; with --sprt at most 40000]"
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
    gather: bool,
    **chosen: Any,
) -> None:
    """Play a tournament between ENTRANTs and keep it in FILE.db.

    An entrant is [NAME=]ADDRESS, where ADDRESS is HOST:PORT of a move server, qtp:COMMAND for an engine of
    the Athens protocol, engine[:level=5,think=0.1], simple or random. The exit status is 0 when all games are
    played, 2 for wrong usage, 3 when an entrant does not come, 4 when the tournament was stopped: then
    "quoridor tournament resume FILE.db" goes on with it.
    """
    display = _display_kind(quiet, as_json)
    if gather and (web is None or dry_run):
        raise click.UsageError("--gather needs --web, where entrants sign up, and no --dry-run.")
    if len(entrants) < 2 and not gather:
        raise click.UsageError(f"a tournament needs at least 2 entrants: {EXPECTED}.")
    field = tuple(map(_entrant, entrants))
    plan = _plan(**chosen)
    source = click.get_current_context().get_parameter_source("concurrency")
    is_limited = dask is None or source is not ParameterSource.DEFAULT
    if dask is not None and not is_limited and dask.workers:
        plan = evolve(plan, concurrency=dask.workers)
    try:
        if not gather:
            plan.check(field)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    if os.path.lexists(file) and not is_vacant(file):
        raise click.UsageError(f"{file} exists. To go on with it: quoridor tournament resume {file}")
    lines = [] if gather else forecast(plan, field)
    if dry_run:
        click.echo("\n".join(lines))
        return
    if display in {DisplayKind.LIVE, DisplayKind.PLAIN} and lines:
        click.echo(lines[0])
    try:
        journal = Journal.create(file)
    except JournalError as error:
        raise click.UsageError(f"{error}.") from None
    manager = Manager(journal, TournamentState(), plan, field, _report(display))
    _play(manager, display, dask, is_limited, web, gather)


@command()
@options.JOURNAL_FILE
@click.option(
    "--concurrency", type=click.IntRange(1), help="Games at the same time. [default: as many as before]"
)
@DASK
@options.quiet("the final tables and errors")
@options.JSON
@options.web("the tournament")
@background_output()
def resume(
    file: Path,
    concurrency: int | None,
    quiet: bool,
    as_json: bool,
    dask: ClusterAddress | None,
    web: WebAddress | None,
) -> None:
    """Go on with the tournament in FILE.db: results stay, games that were running begin again."""
    display = _display_kind(quiet, as_json)
    try:
        journal, state = Journal.resume(file)
    except JournalError as error:
        raise click.UsageError(f"{error}.") from None
    try:
        plan = Plan.of(state.settings)
    except PlanError as error:
        journal.close()
        raise click.UsageError(f"{file}: {error}.") from None
    if state.is_over:
        journal.close()
        print_tables(state)
        return
    manager = Manager(journal, state, plan, report=_report(display), concurrency=concurrency)
    _play(manager, display, dask, concurrency is not None, web)


def _report(display: DisplayKind) -> Callable[[str], None]:
    return Output(sys.stderr).write_line if display in {DisplayKind.LIVE, DisplayKind.PLAIN} else ignore


def _entrant(text: str) -> Entrant:
    try:
        return parse_entrant(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'ENTRANT'") from None


def _plan(
    *,
    form: str,
    rounds: int | None,
    games: int | None,
    concurrency: int,
    size: int | None,
    walls: int | None,
    jumps: Jumps,
    move_time: float,
    ply_limit: int,
    gap: float,
    no_show_time: float,
    openings: str | None,
    sprt: tuple[float, float] | None,
    seed: int | None,
) -> Plan:
    if rounds is not None and (form not in WITH_ROUNDS or sprt is not None):
        raise click.UsageError(f"--rounds is for --format {' and '.join(WITH_ROUNDS)}.")
    players = 4 if form == "four-player" else 2
    terms = GameTerms(size or 9, players, walls, jumps, move_time, ply_limit, gap, no_show_time, (), seed)
    if openings is not None:
        terms = evolve(terms, openings=_openings(openings, terms.start()))
    games = games or (USUAL_GAMES if sprt is None else MOST_GAMES)
    plan = Plan(form, rounds, games, terms, concurrency, sprt)
    if sprt is not None:
        try:
            Sprt(*sprt)
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--sprt'") from None
    return plan


def _text_of(path: Path) -> str:
    """Return the text of a file that people write.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not text, or larger than such files are; the message says so.
    """
    with path.open("rb") as file:
        # A device or a huge file by mistake does not fill the memory.
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise ValueError(f"the file is too large: more than {MAX_FILE >> 20} MiB")
    return data.decode("utf-8-sig")


def _openings(name: str, start: Position) -> tuple[Opening, ...]:
    try:
        if name == BALANCED and (start.size, start.players) == (STANDARD_SIZE, 2):
            text = balanced_openings()
        elif name == BALANCED:
            raise OpeningError("the balanced openings are for two players on 9x9")
        else:
            text = _text_of(Path(name))
        return tuple(opening for _, opening in parse_openings(text, start))
    except UnicodeDecodeError:
        reason = f"{name} is not text (UTF-8)"
    except OSError as error:
        reason = f"{name}: {error.strerror}"
    except ValueError as error:
        reason = f"{name}: {error}"
    raise click.BadParameter(f"{reason}.", param_hint="'--openings'")


def _play(
    manager: Manager,
    display: DisplayKind,
    dask: ClusterAddress | None = None,
    is_limited: bool = False,
    web: WebAddress | None = None,
    gathers: bool = False,
) -> NoReturn:
    journal, state = manager.journal, manager.state
    path = journal.path
    seen = None if web is None else _seen(manager, web, gathers=gathers)
    with journal:
        try:
            play = partial(_run, manager, display, dask, is_limited, seen)
            status = trio.run(until_seen, web, None if seen is None else seen.site, play)
        except* (NotReadyError, ClusterError) as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.ABORTED if state.has_started else ExitStatus.CANNOT_BEGIN
        except* JournalError as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.ABORTED
    if status is None:
        status = ExitStatus.ABORTED
    if journal.has_begun and status is ExitStatus.ABORTED:
        click.echo(f"Stopped. To go on: quoridor tournament resume {path}", err=True)
    sys.exit(status)


@frozen
class _Seen:
    """What browsers see of a tournament."""

    site: Site
    view: TournamentView
    gathering: Gathering | None


def _seen(manager: Manager, web: WebAddress, *, gathers: bool) -> _Seen:
    # What serves browsers is imported only where it is asked for.
    from quoridor_net.web.signup import Gathering
    from quoridor_net.web.sites import tournament
    from quoridor_net.web.tournament import TournamentView

    gathering = Gathering(manager.plan.check, manager.entrants) if gathers else None
    path = manager.journal.path
    listed = None if gathering is None else gathering.listed
    view = TournamentView(manager.state, path, path.stem, manager.plan.form, listed)
    if gathering is not None:
        gathering.tell = lambda: view.change({"signup"})
        tell(f"Who holds this link confirms the teams and begins: {web.url}#/signup/{gathering.token}")
    return _Seen(tournament(view, gathering), view, gathering)


async def _run(
    manager: Manager,
    display: DisplayKind,
    dask: ClusterAddress | None,
    is_limited: bool,
    seen: _Seen | None,
) -> int:
    glyphs = glyphs_for(sys.stdout.encoding)

    def board(position: Position) -> Text:
        return coloured(draw(position, glyphs=glyphs))

    async with AsyncExitStack() as stack:
        if dask is not None:
            cluster = await stack.enter_async_context(open_cluster(dask, manager.report))
            page = f", dashboard {cluster.dashboard}" if cluster.dashboard else ""
            manager.report(f"The cluster plays {counted(cluster.threads, 'game')} at once{page}.")
            manager = evolve(manager, cluster=cluster)
            if not is_limited and manager.state.has_started:
                # The plan stays: a test depends on how many games it was begun with.
                manager = evolve(manager, concurrency=cluster.threads)
            elif not is_limited:
                manager = evolve(manager, plan=evolve(manager.plan, concurrency=cluster.threads))
        if seen is not None and seen.gathering is not None:
            manager = evolve(manager, entrants=await seen.gathering.wait())
        shown = await stack.enter_async_context(open_display(display, manager.state, board))
        listeners: list[Listener] = [shown] if seen is None else [shown, seen.view]
        is_over = await manager.run(listeners)
    if is_over and display is not DisplayKind.JSON:
        print_tables(manager.state)
    return ExitStatus.DONE if is_over else ExitStatus.ABORTED
