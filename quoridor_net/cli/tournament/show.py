"""``quoridor tournament show``, ``games`` and ``verify``: what is in a journal, also while it is written."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import may_overwrite, overwrite_option, refuse_existing
from quoridor_net.replay import Format, format_game
from quoridor_net.tournament.archive import GameError, recorded_games
from quoridor_net.tournament.archive import verify as verified
from quoridor_net.tournament.journal import JournalError, read_journal
from quoridor_net.tournament.plan import Plan, PlanError
from quoridor_net.tournament.report import document, table_of
from quoridor_net.tournament.state import TournamentState
from quoridor_net.ui.tournament_view import print_tables
from quoridor_net.ui.wording import counted

_FORMATS = click.Choice(["text", "json", "csv", "markdown", "html"])


@command()
@options.JOURNAL_FILE
@click.option("--format", "form", type=_FORMATS, default="text", show_default=True, help="How to write it.")
def show(file: Path, form: str) -> None:
    """Show standings, crosstable and games of the tournament in FILE.db, also while it is played."""
    state = _state(file)
    match form:
        case "text":
            print_tables(state, with_ratings=True)
        case "json":
            click.echo(_json(document(state)))
        case "csv":
            click.echo(_csv(document(state)["games"]), nl=False)
        case "markdown":
            click.echo(_markdown(state))
        case "html":
            click.echo(_html(file, state), nl=False)


def _json(document: dict[str, Any]) -> str:
    """Return an object with a line for each element of its lists; one for each value takes much longer."""
    lines = []
    for name, value in document.items():
        if isinstance(value, list) and value:
            each = ",\n    ".join(map(json.dumps, value))
            lines.append(f"  {json.dumps(name)}: [\n    {each}\n  ]")
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}"


def _csv(games: list[dict[str, Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["number", "round", "seats", "points", "termination", "plies", "sentence"])
    for game in games:
        seats, points = (";".join(map(str, game[name])) for name in ("seats", "points"))
        others = (game[name] for name in ("termination", "plies", "sentence"))
        writer.writerow([game["number"], game["round"], seats, points, *others])
    return file.getvalue()


def _markdown(state: TournamentState) -> str:
    lines = [
        "| | Name | Points | Games | Won | Drawn | Lost | Forfeited |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in table_of(state).rows:
        name = row.name.replace("\\", "\\\\").replace("|", "\\|")
        numbers = (f"{row.points:g}", row.played, row.won, row.drawn, row.lost, row.forfeited)
        lines.append(f"| {row.rank} | {name} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


def _html(file: Path, state: TournamentState) -> str:
    from quoridor_net.web.report import html_report

    try:
        return html_report(state, file, file.stem)
    except (PlanError, JournalError, GameError) as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)


@command()
@options.JOURNAL_FILE
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder for the replay files, game-NUMBER.qtp.",
)
@overwrite_option
@click.pass_context
def games(context: click.Context, file: Path, save: Path) -> None:
    """Write the games of the tournament in FILE.db as replay files."""
    state = _state(file)
    width = len(str(state.last_game))
    try:
        plan = Plan.of(state.settings)
        save.mkdir(parents=True, exist_ok=True)
        for game in recorded_games(file, state):
            path = save / f"game-{game.pairing.number:0{width}}.qtp"
            if not may_overwrite(context):
                refuse_existing([path])
            path.write_text(format_game(game.replay(plan), Format.REPLAY), encoding="utf-8")
    except (PlanError, JournalError, GameError) as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
    except OSError as error:
        raise click.UsageError(f"{error.filename}: {error.strerror}.") from None
    click.echo(f"{counted(len(state.decided), 'game')} in {save}.")


@command()
@options.JOURNAL_FILE
def verify(file: Path) -> None:
    """Replay every move of every game in FILE.db, make all tables anew, and say what is wrong."""
    try:
        wrong = verified(file)
    except JournalError as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
    if wrong:
        click.echo("\n".join(wrong))
        sys.exit(ExitStatus.FAILED)
    click.echo(f"{len(_state(file).decided)} games, nothing wrong.")


def _state(file: Path) -> TournamentState:
    try:
        return read_journal(file)
    except JournalError as error:
        raise click.UsageError(f"{error}.") from None
