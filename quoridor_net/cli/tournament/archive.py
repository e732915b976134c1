"""``quoridor tournament games`` and ``verify``, which also work while the tournament is played."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import may_overwrite, overwrite_option, refuse_existing
from quoridor_net.cli.tournament.reading import read_state
from quoridor_net.replay.writer import format_replay
from quoridor_net.text import count_things
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.journal.reading import back_up
from quoridor_net.tournament.quoridor.archive import GameError, read_games
from quoridor_net.tournament.quoridor.archive import verify as find_faults
from quoridor_net.tournament.quoridor.plan import Plan, PlanError


@command()
@options.JOURNAL_FILE
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder for the replay files, game-NUMBER.qtp.",
)
@overwrite_option
@click.pass_context
def games(context: click.Context, file: Path, save: Path) -> None:
    """Write the games of the tournament in FILE.db as replay files."""
    state = read_state(file)
    width = len(str(state.last_game))
    try:
        plan = Plan.of_state(state)
        save.mkdir(parents=True, exist_ok=True)
        for game in read_games(file, state):
            path = save / f"game-{game.pairing.number:0{width}}.qtp"
            if not may_overwrite(context):
                refuse_existing([path])
            replay = game.replay(plan)
            _write(path, format_replay(replay, game.comments(replay)))
    except (PlanError, JournalError, GameError) as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
    except OSError as error:
        if error.filename is not None:
            raise click.UsageError(f"{error.filename}: {error.strerror}.") from None
        # For instance because the disk is full.
        click.echo(f"Error: {save}: {error.strerror}.", err=True)
        sys.exit(ExitStatus.FAILED)
    click.echo(f"Saved {count_things(len(state.decided), 'game')} in the folder {save}.")


def _write(path: Path, text: str) -> None:
    """Write a file, or leave none.

    Raises:
        OSError: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        # A file that cannot be opened is not ours, and stays.
        if error.filename is None:
            with suppress(OSError):
                path.unlink()
        raise


@command()
@options.JOURNAL_FILE
@click.argument("copy", type=click.Path(dir_okay=False, path_type=Path), metavar="COPY.db")
@overwrite_option
@click.pass_context
def backup(context: click.Context, file: Path, copy: Path) -> None:
    """Copy the journal FILE.db to COPY.db, also while the tournament is played.

    The copy is that of one moment, and can be shown and resumed like the journal.
    """
    if not copy.name:
        raise click.BadParameter("expected the name of a file.", param_hint="'COPY.db'")
    if not may_overwrite(context):
        refuse_existing([copy])
    try:
        back_up(file, copy)
    except JournalError as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
    except OSError as error:
        click.echo(f"Error: {copy}: {error.strerror}.", err=True)
        sys.exit(ExitStatus.FAILED)
    click.echo(f"Copied {file} to {copy}.")


@command()
@options.JOURNAL_FILE
def verify(file: Path) -> None:
    """Check the tournament in FILE.db: replay every move, rebuild every table, and list faults."""
    try:
        wrong = find_faults(file)
    except JournalError as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
    if wrong:
        click.echo("\n".join(wrong))
        sys.exit(ExitStatus.FAILED)
    state = read_state(file)
    undecided = f" {count_things(len(state.pending), 'game')} without a result." if state.pending else ""
    click.echo(f"{count_things(len(state.decided), 'game')}, no faults found.{undecided}")
