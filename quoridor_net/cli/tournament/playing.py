"""Plays a tournament, shows it and ends the program: what ``run`` and ``resume`` share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, nullcontext
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click
from attrs import evolve, frozen
from rich.text import Text

from quoridor_net.cli import unexpected
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.web import tell, until_seen
from quoridor_net.net import clock
from quoridor_net.net.errors import first_error
from quoridor_net.output import Output, ignore
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.rules import Position
from quoridor_net.rules.diagram import draw, glyphs_for
from quoridor_net.tournament.cluster import ClusterError, open_cluster
from quoridor_net.tournament.cluster_address import ClusterAddress
from quoridor_net.tournament.events import Listener
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.manager import Manager, MissingError, NotReadyError, UndecidedError
from quoridor_net.ui.theme import colour_lines
from quoridor_net.ui.tournament_view import FieldDisplay, open_display, print_tables
from quoridor_net.ui.wording import count_things

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress
    from quoridor_net.web.application import Site
    from quoridor_net.web.signup import Gathering
    from quoridor_net.web.tournament import TournamentFeed


def display_kind(quiet: bool, as_json: bool) -> FieldDisplay:
    """Return how the tournament is shown.

    Raises:
        click.UsageError: both were asked for.
    """
    if quiet and as_json:
        raise click.UsageError("--quiet and --json exclude each other.")
    if quiet or as_json:
        return FieldDisplay.QUIET if quiet else FieldDisplay.JSON
    return FieldDisplay.LIVE if sys.stdout.isatty() else FieldDisplay.PLAIN


def report_to(display: FieldDisplay) -> Callable[[str], None]:
    """Return what tells people how the tournament is prepared; programs are told nothing."""
    return Output(sys.stderr).write_line if display in {FieldDisplay.LIVE, FieldDisplay.PLAIN} else ignore


def play(
    manager: Manager,
    display: FieldDisplay,
    dask: ClusterAddress | None = None,
    is_limited: bool = False,
    web: WebAddress | None = None,
    gathers: bool = False,
) -> NoReturn:
    """Play the tournament to its end, or until it is stopped, and end the program.

    Args:
        manager: of the tournament; its journal is closed.
        display: how it is shown.
        dask: the cluster that plays games of built-in players and engines.
        is_limited: whether the number of games at once was asked for; otherwise it is what the cluster holds.
        web: where browsers see the tournament.
        gathers: whether entrants sign up there first.
    """
    journal, state = manager.journal, manager.state
    path = journal.path
    seen = None if web is None else _seen(manager, web, gathers=gathers)
    with journal:
        try:
            run = partial(_run, manager, display, dask, is_limited, seen)
            # Engines on a cluster are looked after by its workers, whose orphans are not ours to end.
            with adopt_orphans() if dask is None else nullcontext():
                status = clock.run(until_seen, web, None if seen is None else seen.site, run)
        except* MissingError as group:
            click.echo(
                f"Error: {first_error(group)}. Nothing was played. To play the games of the others first:"
                f" quoridor tournament resume {path} --without-missing",
                err=True,
            )
            status = ExitStatus.CANNOT_BEGIN
        except* NotReadyError as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.CANNOT_BEGIN
        except* ClusterError as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.ABORTED if state.has_started else ExitStatus.CANNOT_BEGIN
        except* (JournalError, UndecidedError) as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.ABORTED
        except* Exception as group:
            # The journal is sound whatever happened, so the line that says how to resume follows.
            unexpected.report(group)
            status = ExitStatus.ABORTED
    if status is None:
        # Without an event the file goes away, and there is nothing to resume.
        status = ExitStatus.ABORTED if journal.has_begun else ExitStatus.CANNOT_BEGIN
    if journal.has_begun and status is ExitStatus.ABORTED:
        click.echo(f"Stopped. To go on: quoridor tournament resume {path}", err=True)
    leave(status)


@frozen
class _Seen:
    """What browsers see of a tournament."""

    site: Site
    view: TournamentFeed
    gathering: Gathering | None


def _seen(manager: Manager, web: WebAddress, *, gathers: bool) -> _Seen:
    # What serves browsers is imported only where it is asked for.
    from quoridor_net.web.signup import Gathering, try_server
    from quoridor_net.web.sites import tournament
    from quoridor_net.web.tournament import TournamentFeed

    trial = partial(try_server, networks=manager.networks)
    gathering = Gathering(manager.plan.check, manager.entrants, trial) if gathers else None
    path = manager.journal.path
    listed = None if gathering is None else gathering.list_teams
    view = TournamentFeed(manager.state, path, path.stem, manager.plan.form, listed)
    if gathering is not None:
        gathering.tell = lambda: view.change({"signup"})
        tell(f"Who holds this link confirms the teams and begins: {web.url}#/signup/{gathering.token}")
    return _Seen(tournament(view, gathering), view, gathering)


async def _run(
    manager: Manager,
    display: FieldDisplay,
    dask: ClusterAddress | None,
    is_limited: bool,
    seen: _Seen | None,
) -> int:
    if manager.state.is_over:
        # Nothing is left to play, but browsers can look at it.
        print_tables(manager.state)
        return ExitStatus.DONE
    glyphs = glyphs_for(sys.stdout.encoding)

    def board(position: Position) -> Text:
        return colour_lines(draw(position, glyphs=glyphs))

    async with AsyncExitStack() as stack:
        if dask is not None:
            cluster = await stack.enter_async_context(open_cluster(dask, manager.report))
            page = f", dashboard {cluster.dashboard}" if cluster.dashboard else ""
            manager.report(f"The cluster plays {count_things(cluster.threads, 'game')} at once{page}.")
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
    if is_over and display is not FieldDisplay.JSON:
        print_tables(manager.state)
    return ExitStatus.DONE if is_over else ExitStatus.ABORTED
