"""The command line of the Clobber tournament server: ``python -m server.clobber --port 5860``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

import click
import trio
from attrs import frozen
from click.core import ParameterSource

from quoridor_net.advice import format_command
from quoridor_net.cli import options, unexpected
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import LogFolder, overwrite_option
from quoridor_net.clobber import MAX_SIZE, STANDARD_SIZE
from quoridor_net.clobber.diagram import draw
from quoridor_net.net import clock
from quoridor_net.net.accepting import serve_connections
from quoridor_net.net.errors import first_error
from quoridor_net.net.listening import cannot_listen, listen, port_of, ready
from quoridor_net.net.networks import Networks
from quoridor_net.net.signals import until_signal
from quoridor_net.net.stdio import open_input
from quoridor_net.output import Output, background_output, ignore
from quoridor_net.protocols.common.transcript import no_transcript
from quoridor_net.rules.diagram import glyphs_for
from quoridor_net.tournament import Journal, JournalError, TournamentState, read_journal
from quoridor_net.ui.theme import colour_lines
from quoridor_net.ui.tournament_view import FieldDisplay, open_display, print_tables

from .lobby import MAX_ENTRANTS, Lobby
from .tournament import Terms, play_clobber

DEFAULT_MOVE_TIME = 30.0

_BOARD = re.compile(r"([0-9]{1,2})\s*[xX]\s*([0-9]{1,2})", re.ASCII)

#: Options that a resumed tournament takes from its journal.
_JOURNALED = ("entrants", "rounds", "board", "move_time", "rows_first", "journal")


@frozen
class Job:
    """The tournament of the command line; :attr:`state` is empty in a new one."""

    terms: Terms
    games: int
    lobby: Lobby
    report: Callable[[str], None]
    display: FieldDisplay
    journal: Journal
    state: TournamentState
    networks: Networks
    port: int


def _board(_context: click.Context, _option: click.Parameter, text: str) -> tuple[int, int]:
    match = _BOARD.fullmatch(text)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (1 <= columns <= MAX_SIZE and 1 <= rows <= MAX_SIZE):
        raise click.BadParameter(
            f"{text!r} is not a board: expected COLUMNSxROWS, each from 1 to {MAX_SIZE}, as in 10x10."
        )
    return columns, rows


@command()
@options.port(required=True)
@options.host()
@options.ALLOW
@click.option(
    "--entrants",
    type=options.Integer(2, MAX_ENTRANTS),
    help="Number of clients to wait for. Press Enter to begin earlier or without this option.",
)
@click.option(
    "--rounds",
    type=options.Integer(1),
    default=2,
    show_default=True,
    help="Number of games per pair, with alternating colours.",
)
@click.option(
    "--board",
    callback=_board,
    default=f"{STANDARD_SIZE}x{STANDARD_SIZE}",
    show_default=True,
    metavar="COLUMNSxROWS",
    help="Board size.",
)
@options.move_time(default=DEFAULT_MOVE_TIME)
@click.option("--rows-first", is_flag=True, help="Announce board sizes as rows, columns.")
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="SQLite file that records the tournament. [default: clobber-DATE-TIME.db]",
)
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Journal of a tournament to resume.",
)
@options.LOG_FOLDER
@overwrite_option
@options.quiet("the ready line, errors and the final tables")
@options.JSON
@click.pass_context
@background_output()
def main(
    context: click.Context,
    port: int,
    host: str | None,
    networks: Networks,
    entrants: int | None,
    rounds: int,
    board: tuple[int, int],
    move_time: float,
    rows_first: bool,
    journal: Path | None,
    resume: Path | None,
    log: LogFolder | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run a Clobber tournament over the protocol of the 2006 Computer Olympiad.

    Every client is a player: quoridor clobber play HOST:PORT --name NAME. Every pair plays, all pairs at the
    same time. The exit status is 0 when all games were played, 2 for wrong usage, 3 when the port is not
    available, 4 when the tournament was interrupted; then --resume continues it.
    """
    if quiet and as_json:
        raise click.UsageError("--quiet and --json exclude each other.")
    if entrants is None and resume is None and not _has_terminal():
        raise click.UsageError(
            "The input is not a terminal, so nobody can press Enter."
            " Give the number of clients to wait for with --entrants."
        )
    display = _display_kind(quiet, as_json)
    try:
        if resume is None:
            terms, state = Terms(*board, move_time, rows_first), TournamentState()
            usual = Path(f"clobber-{datetime.now():%Y%m%d-%H%M%S}.db")
            opened = Journal.create(journal) if journal else Journal.create_beside(usual)
        else:
            _refuse_journaled(context)
            # Check the file before opening it for writing.
            terms = Terms.of(read_journal(resume))
            opened, state = Journal.resume(resume)
    except (JournalError, ValueError) as error:
        raise click.UsageError(f"{error}.") from None
    report = _report(display)
    expected = state.entrants if state.has_started else None
    open_transcript = log.open if log else no_transcript
    lobby = Lobby(terms, entrants, expected, report=report, open_transcript=open_transcript)
    with opened:
        job = Job(terms, rounds, lobby, report, display, opened, state, networks, port)
        is_played = state.is_over or (state.has_started and not state.pending)
        status = 0 if is_played else clock.run(_run, job, host)
    if status == 0 and display is not FieldDisplay.JSON:
        print_tables(state)
    sys.exit(status)


def _has_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _display_kind(quiet: bool, as_json: bool) -> FieldDisplay:
    if quiet or as_json:
        return FieldDisplay.QUIET if quiet else FieldDisplay.JSON
    return FieldDisplay.LIVE if sys.stdout.isatty() else FieldDisplay.PLAIN


def _report(display: FieldDisplay) -> Callable[[str], None]:
    if display is FieldDisplay.QUIET:
        return ignore
    if display is FieldDisplay.LIVE:
        # Looked up at every call, because the live display replaces it to print above itself.
        return lambda sentence: click.echo(sentence)  # noqa: PLW0108
    return Output(sys.stderr if display is FieldDisplay.JSON else sys.stdout).write_line


def _refuse_journaled(context: click.Context) -> None:
    for option in _JOURNALED:
        if context.get_parameter_source(option) is ParameterSource.COMMANDLINE:
            name = option.replace("_", "-")
            raise click.UsageError(
                f"--{name} cannot be combined with --resume, which takes it from the journal."
            )


async def _run(job: Job, host: str | None) -> int:
    try:
        listeners = await listen(host, job.port)
    except OSError as error:
        click.echo(f"Error: {cannot_listen(host, job.port, error)}", err=True)
        return ExitStatus.CANNOT_BEGIN
    status = await until_signal(partial(_hold, job, listeners, host))
    if status is not None:
        return status
    what_next = f". {_resume_advice(job)}" if job.state.has_started else " before the first game."
    click.echo(f"Aborted{what_next}", err=True)
    return ExitStatus.ABORTED


def _resume_advice(job: Job) -> str:
    command = format_command("clobber", "serve", "--port", str(job.port), "--resume", str(job.journal.path))
    return f"To resume: {command}"


async def _hold(job: Job, listeners: list[trio.SocketListener], host: str | None) -> int:
    """Wait for the entrants, run the tournament, and return the exit status."""
    lobby = job.lobby
    failure: ExitStatus | None = None
    try:
        async with trio.open_nursery() as connections:
            async with trio.open_nursery() as accepting:
                accepting.start_soon(
                    serve_connections, lobby.serve_connection, listeners, _warn, connections, job.networks
                )
                _announce(job, listeners[0], host)
                is_complete = await _gather(job)
                accepting.cancel_scope.cancel()
            if is_complete:
                await _play(job)
            connections.cancel_scope.cancel()
    except* JournalError as group:
        click.echo(f"Error: {first_error(group)}. {_resume_advice(job)}", err=True)
    except* Exception as group:
        failure = unexpected.report(group)
    finally:
        with trio.CancelScope(shield=True):
            await lobby.leave()
    if failure is not None:
        if job.state.has_started:
            click.echo(_resume_advice(job), err=True)
        return failure
    return ExitStatus.DONE if job.state.is_over else ExitStatus.ABORTED


def _warn(sentence: str) -> None:
    Output(sys.stderr).write_line(f"WARNING: {sentence}")


async def _play(job: Job) -> None:
    glyphs = glyphs_for(sys.stdout.encoding)
    async with open_display(
        job.display, job.state, lambda board: colour_lines(draw(board, glyphs))
    ) as display:
        entrants = job.lobby.close()
        await play_clobber(job.terms, entrants, job.games, [display], job.state, job.journal)


def _announce(job: Job, listener: trio.SocketListener, host: str | None) -> None:
    output = Output(sys.stdout)
    if job.display is FieldDisplay.JSON:
        output.write_line(f'{{"event": "ready", "port": {port_of(listener)}}}')
        return
    terms = job.terms
    output.write_line(
        f"Clobber on {terms.columns}x{terms.rows}, {terms.move_time:g} s a move, {ready(listener, host)}."
        f" Journal: {job.journal.path}. Ctrl-C ends it."
    )


async def _gather(job: Job) -> bool:
    """Wait for enough entrants or for Enter; return False if the input ends before."""
    gathered = False

    async def press_enter(nursery: trio.Nursery) -> None:
        nonlocal gathered
        typed = open_input(0)
        while data := await typed.receive_some():
            # In a resumed tournament, missing entrants forfeit.
            if b"\n" in data and len(job.lobby.present) >= (1 if job.state.has_started else 2):
                # Closed at once, so that an entrant that leaves now forfeits instead of leaving only one.
                job.lobby.close()
                gathered = True
                nursery.cancel_scope.cancel()
                return
            click.echo("Not yet: a tournament needs two entrants.", err=True)
        if job.lobby.places is None:
            click.echo(
                "Error: the input has ended, so nobody can press Enter. Give the number with --entrants.",
                err=True,
            )
            nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        if _has_terminal():
            job.report("Press Enter to begin with the clients that are connected.")
            nursery.start_soon(press_enter, nursery)
        if job.lobby.places is not None:
            await job.lobby.wait_until_full()
            gathered = True
            nursery.cancel_scope.cancel()
    return gathered


if __name__ == "__main__":
    main()
