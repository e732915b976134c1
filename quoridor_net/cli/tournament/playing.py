"""The common part of ``run`` and ``resume``: play a tournament, display it and end the program."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, nullcontext
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click
import trio
from attrs import evolve, frozen
from rich.text import Text

from quoridor_net.advice import format_command
from quoridor_net.cli import unexpected
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.web import tell, until_seen
from quoridor_net.net import clock
from quoridor_net.net.errors import first_error
from quoridor_net.output import Output, catch_up, ignore
from quoridor_net.players.spec import parse_spec
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.rules import Position
from quoridor_net.rules.diagram import draw, glyphs_for
from quoridor_net.text import count_things
from quoridor_net.tournament.events import Listener
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.journal.errors import GoneError
from quoridor_net.tournament.journal.requests import ask
from quoridor_net.tournament.quoridor.cluster import ClusterError, open_cluster
from quoridor_net.tournament.quoridor.cluster_address import ClusterAddress
from quoridor_net.tournament.quoridor.forecast import Forecast, forecast
from quoridor_net.tournament.quoridor.manager import Manager, MissingError, NotReadyError, UndecidedError
from quoridor_net.ui.theme import colour_lines
from quoridor_net.ui.tournament_view import FieldDisplay, open_display, print_tables

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress
    from quoridor_net.web.application import Site
    from quoridor_net.web.signup import Gathering
    from quoridor_net.web.tournament import TournamentFeed


#: Timeout for the answer to a request from the page, in seconds; long enough to reach an entrant that joins.
ANSWER_TIME = 60.0


def display_kind(quiet: bool, as_json: bool) -> FieldDisplay:
    """Return the display for these options.

    Raises:
        click.UsageError: both are given.
    """
    if quiet and as_json:
        raise click.UsageError("--quiet and --json exclude each other.")
    if quiet or as_json:
        return FieldDisplay.QUIET if quiet else FieldDisplay.JSON
    return FieldDisplay.LIVE if sys.stdout.isatty() else FieldDisplay.PLAIN


def report_to(display: FieldDisplay) -> Callable[[str], None]:
    """Return a function that prints remarks on standard error, or ignores them for --json and --quiet."""
    if display in {FieldDisplay.QUIET, FieldDisplay.JSON}:
        return ignore

    def report(line: str) -> None:
        # The live display replaces sys.stderr, so that lines appear above it.
        Output(sys.stderr).write_line(line)

    return report


def announce(foreseen: Forecast, display: FieldDisplay, *, is_limited: bool) -> None:
    """Print what to expect of a tournament, unless ``display`` shows no more than its events or results."""
    if display in {FieldDisplay.LIVE, FieldDisplay.PLAIN}:
        click.echo(foreseen.announcement(is_limited=is_limited))


def play(
    manager: Manager,
    display: FieldDisplay,
    dask: ClusterAddress | None = None,
    is_limited: bool = False,
    web: WebAddress | None = None,
    gathers: bool = False,
) -> NoReturn:
    """Play the tournament until it is over or stopped, and end the program.

    Args:
        manager: of the tournament; its journal is closed at the end.
        display: the display to use.
        dask: the cluster for games of built-in players and engines.
        is_limited: whether --concurrency is given; otherwise the capacity of the cluster applies.
        web: the address of the web page; None for none.
        gathers: whether entrants sign up on the page first.
    """
    journal, state = manager.journal, manager.state
    path, is_there = journal.path, True
    seen = None if web is None else _make_site(manager, web, gathers=gathers)
    with journal:
        try:
            run = partial(_run, manager, display, dask, is_limited, seen)
            # On a cluster, workers look after engines, and orphans of local workers must not be killed.
            with adopt_orphans() if dask is None else nullcontext():
                status = _run_to_end(partial(until_seen, web, None if seen is None else seen.site, run))
            journal.check_presence()
        except* MissingError as group:
            click.echo(f"Error: {first_error(group)}. {_advise_on_missing(manager)}", err=True)
            status = ExitStatus.CANNOT_BEGIN
        except* NotReadyError as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.CANNOT_BEGIN
        except* ClusterError as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.ABORTED if state.has_started else ExitStatus.CANNOT_BEGIN
        except* GoneError as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status, is_there = ExitStatus.FAILED, False
        except* JournalError as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.FAILED
        except* UndecidedError as group:
            click.echo(f"Error: {first_error(group)}.", err=True)
            status = ExitStatus.ABORTED
        except* Exception as group:
            # The journal is intact after any error, so the advice to resume follows.
            unexpected.report(group)
            status = ExitStatus.ABORTED
    is_over = status is ExitStatus.DONE
    if status is None:
        # A league has no other end. A journal without events is removed, so it cannot be resumed.
        stopped = ExitStatus.DONE if manager.plan.format.is_open_ended else ExitStatus.ABORTED
        status = stopped if journal.has_begun else ExitStatus.CANNOT_BEGIN
        if not journal.has_begun:
            click.echo("Stopped before the first game.", err=True)
    if is_there and journal.has_begun and not is_over and status is not ExitStatus.CANNOT_BEGIN:
        click.echo(f"Stopped. To continue: {format_command('tournament', 'resume', str(path))}", err=True)
    leave(status)


def _run_to_end(work: Callable[[], Awaitable[int | None]]) -> int | None:
    """Run ``work``, and wait for its output, so that later lines on standard error follow it."""
    try:
        return clock.run(work)
    finally:
        catch_up(sys.stdout)


def _advise_on_missing(manager: Manager) -> str:
    """Return what to do when entrants are missing."""
    if manager.start_without:
        return "No game was played, because too few others are there."
    if not manager.state.has_started:
        return "No game was played. To begin without, add --start-without."
    command = format_command("tournament", "resume", str(manager.journal.path), "--start-without")
    return f"No further game was played. To play the games of the others first: {command}"


@frozen
class _Seen:
    """The web site of a tournament."""

    site: Site
    view: TournamentFeed
    gathering: Gathering | None


def _make_site(manager: Manager, web: WebAddress, *, gathers: bool) -> _Seen:
    # Imported here, because only --web needs it.
    from quoridor_net.web.signup import Gathering, try_server
    from quoridor_net.web.sites import tournament
    from quoridor_net.web.tournament import TournamentFeed

    trial = partial(try_server, networks=manager.networks)
    path = manager.journal.path

    async def ask_player(request: str, argument: str) -> str:
        # Through the journal, as other programs do.
        return await trio.to_thread.run_sync(ask, path, request, argument, ANSWER_TIME)

    gathering = None
    if gathers:
        ask_league = ask_player if manager.plan.format.is_open_ended else None
        others = manager.entrants or tuple(map(parse_spec, manager.state.addresses))
        gathering = Gathering(partial(forecast, manager.plan), others, trial, ask=ask_league)
        if manager.state.has_started:
            gathering.begin()
    listed = None if gathering is None else gathering.list_teams
    title = manager.plan.title or path.stem
    view = TournamentFeed(manager.state, path, title, manager.plan.form, listed)
    if gathering is not None:
        gathering.tell = lambda: view.change({"signup"})
        does = "Confirm teams" if manager.state.has_started else "Confirm teams and start the tournament"
        tell(f"{does} here: {web.url}#/signup/{gathering.token}")
    return _Seen(tournament(view, gathering), view, gathering)


async def _run(
    manager: Manager,
    display: FieldDisplay,
    dask: ClusterAddress | None,
    is_limited: bool,
    seen: _Seen | None,
) -> int | None:
    """Play the tournament; return the exit status, None if it was stopped."""
    if manager.state.is_over:
        # All games are played, but browsers can still show it.
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
                # The plan stays, because a test depends on its original concurrency.
                manager = evolve(manager, concurrency=cluster.threads)
            elif not is_limited:
                manager = evolve(manager, plan=evolve(manager.plan, concurrency=cluster.threads))
        if seen is not None and seen.gathering is not None and not manager.state.has_started:
            manager = evolve(manager, entrants=await seen.gathering.wait())
            announce(forecast(manager.plan, manager.entrants), display, is_limited=is_limited)
        shown = await stack.enter_async_context(open_display(display, manager.state, board))
        listeners: list[Listener] = [shown]
        if seen is not None:
            listeners.append(seen.view)
            manager = evolve(manager, tell_awaited=seen.view.note_awaited)
        is_over = await manager.run(listeners)
    if is_over and display is not FieldDisplay.JSON:
        print_tables(manager.state)
    return ExitStatus.DONE if is_over else None
