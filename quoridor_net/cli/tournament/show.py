"""``quoridor tournament show``: what a tournament has come to, also while it is played."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.tournament.recorded import recorded_state
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.plan import PlanError
from quoridor_net.tournament.report import document, table_of
from quoridor_net.tournament.state import TournamentState
from quoridor_net.ui.tournament_tables import left_remark, standings_columns
from quoridor_net.ui.tournament_view import print_tables

#: What Markdown would take for a table's edge, a picture, a tag or stress.
_MARKUP = re.compile(r"[\\`*_\[\]<>|~]")

_FORMATS = click.Choice(["text", "json", "csv", "markdown", "html"])


@command()
@options.JOURNAL_FILE
@click.option("--format", "form", type=_FORMATS, default="text", show_default=True, help="How to write it.")
def show(file: Path, form: str) -> None:
    """Show standings, crosstable and games of the tournament in FILE.db, also while it is played."""
    state = recorded_state(file)
    match form:
        case "text":
            print_tables(state, with_details=True)
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
    writer.writerow(
        ["number", "round", "seats", "points", "termination", "plies", "sentence", "counted", "left"]
    )
    for game in games:
        seats, points = (";".join(map(str, game[name])) for name in ("seats", "points"))
        row = [game["number"], game["round"], _no_formula(seats), points, game["termination"], game["plies"]]
        left = _no_formula(";".join(game["left"]))
        writer.writerow([*row, _no_formula(game["sentence"]), "yes" if game["counted"] else "no", left])
    return file.getvalue()


def _no_formula(text: str) -> str:
    """Return a text that no spreadsheet computes: entrants choose their names themselves."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _markdown(state: TournamentState) -> str:
    table = table_of(state)
    columns = standings_columns(table)
    rows = [["", "Name", *columns], ["---"] * (2 + len(columns))]
    for row in table.rows:
        name = _MARKUP.sub(r"\\\g<0>", row.name)
        rows.append([str(row.rank), name + left_remark(row), *(of(row) for of in columns.values())])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _html(file: Path, state: TournamentState) -> str:
    # Replays and pages are imported only where they are asked for.
    from quoridor_net.tournament.archive import GameError
    from quoridor_net.web.report import html_report

    try:
        return html_report(state, file, file.stem)
    except (PlanError, JournalError, GameError) as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
