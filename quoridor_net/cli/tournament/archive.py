"""``quoridor tournament games`` and ``verify``, which also work while the tournament is played."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import NEW_FILE, NewFile, may_overwrite, overwrite_option, refuse_existing
from quoridor_net.cli.recorded_game import WRITTEN_FORMAT
from quoridor_net.cli.tournament.reading import read_state, refusal_of
from quoridor_net.replay import RecordFormat, ReplayError, format_game
from quoridor_net.replay.collection import join_games
from quoridor_net.replay.writer import format_replay
from quoridor_net.text import count_things
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.journal.errors import NotBegunError
from quoridor_net.tournament.journal.reading import back_up
from quoridor_net.tournament.quoridor.archive import GameError, read_games
from quoridor_net.tournament.quoridor.archive import verify as find_faults
from quoridor_net.tournament.quoridor.plan import Plan, PlanError
from quoridor_net.tournament.state import TournamentState

#: Errors that say nothing about the name of a file: full and read-only disks.
_UNWRITABLE = {errno.ENOSPC, errno.EROFS}


@command()
@options.JOURNAL_FILE
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for files of one game each, game-NUMBER.qtp.",
)
@click.option("--output", "-o", type=NEW_FILE, help="File for all games, one after another; - prints them.")
@click.option(
    "--to",
    "target",
    type=WRITTEN_FORMAT,
    default=str(RecordFormat.REPLAY),
    show_default=True,
    help="Format to write.",
)
@overwrite_option
@click.pass_context
def games(context: click.Context, file: Path, save: Path | None, output: NewFile | None, target: str) -> None:
    """Write the games of the tournament in FILE.db, as replay files or in another format.

    --game of "quoridor replay" chooses one of several games in a file.
    """
    if (save is None) is (output is None):
        raise click.UsageError("expected --save DIR or --output FILE.")
    state = read_state(file)
    width = len(str(state.last_game))
    form = RecordFormat(target)
    suffix = "qtp" if form is RecordFormat.REPLAY else "txt"
    try:
        texts = _format_games(file, state, form)
        if output is not None:
            _write_all(output, join_games(text for _, text in texts))
        else:
            assert save is not None
            save.mkdir(parents=True, exist_ok=True)
            for number, text in texts:
                path = save / f"game-{number:0{width}}.{suffix}"
                if not may_overwrite(context):
                    refuse_existing([path])
                _write(path, text)
    except (PlanError, JournalError, GameError) as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
    except BrokenPipeError:
        # Every command ends alike when its reader is gone.
        raise
    except OSError as error:
        if error.filename is not None and error.errno not in _UNWRITABLE:
            raise click.UsageError(f"{error.filename}: {error.strerror}.") from None
        # For instance because the disk is full.
        click.echo(f"Error: {output.name if output is not None else save}: {error.strerror}.", err=True)
        sys.exit(ExitStatus.FAILED)
    saved = count_things(state.played, "game")
    if save is not None:
        click.echo(f"Saved {saved} in the folder {save}.")
    elif output is not None and output.name != "-":
        click.echo(f"Saved {saved} in the file {output.name}.")


def _format_games(file: Path, state: TournamentState, form: RecordFormat) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each game.

    Raises:
        GameError: a game is damaged, or the format cannot express it.
    """
    plan = Plan.of_state(state)
    for game in read_games(file, state):
        replay, number = game.replay(plan), game.pairing.number
        if form is RecordFormat.REPLAY:
            yield number, format_replay(replay, game.comments(replay))
            continue
        try:
            yield number, format_game(replay, form)
        except ReplayError as error:
            raise GameError(f"game {number} cannot be written as {form}: {error.sentence}") from None


def _write_all(output: NewFile, texts: Iterable[str]) -> None:
    """Write a file, or leave none.

    Raises:
        OSError: it cannot be written.
    """
    is_complete = False
    try:
        output.write("")
        for text in texts:
            output.write(text)
        output.flush()
        is_complete = True
    finally:
        if not is_complete:
            output.discard()


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
    try:
        if not may_overwrite(context):
            refuse_existing([copy])
        back_up(file, copy)
    except NotBegunError as error:
        raise refusal_of(error, file) from None
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
    except NotBegunError as error:
        raise refusal_of(error, file) from None
    except JournalError as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
    if wrong:
        click.echo("\n".join(wrong))
        sys.exit(ExitStatus.FAILED)
    state = read_state(file)
    undecided = f" {count_things(len(state.pending), 'game')} without a result." if state.pending else ""
    click.echo(f"{count_things(state.played, 'game')}, no faults found.{undecided}")
