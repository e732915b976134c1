"""``quoridor tournament show``: the results of a tournament, also while it is played."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import AttrsInstance, fields

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.csv_text import csv_names, csv_text, respell
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.tournament.reading import read_state, refusal_of
from quoridor_net.text import quote
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.quoridor.leaderboard import (
    ALWAYS,
    GAME_FACTS,
    ROW_FACTS,
    VERSION_FACTS,
    Leaderboard,
    format_time,
    is_league,
)
from quoridor_net.tournament.quoridor.plan import Plan, PlanError, format_of, openings_of
from quoridor_net.tournament.quoridor.timetable import format_schedule
from quoridor_net.tournament.results import (
    ENTRANT_FACTS,
    SUMMARY_FACTS,
    Document,
    ListedBye,
    ListedGame,
    Results,
    rate_entrants,
)
from quoridor_net.tournament.standings import OpeningScore
from quoridor_net.tournament.state import TournamentState
from quoridor_net.ui.league_table import print_leaderboard
from quoridor_net.ui.theme import PipedConsole
from quoridor_net.ui.tournament_tables import markdown_of
from quoridor_net.ui.tournament_view import print_tables

_FORMATS = click.Choice(["text", "json", "csv", "markdown", "html", "schedule"])

#: The tables of the document; its other parts form another one, the summary.
_TABLES = ("games", "unfinished", "byes", "standings", "crosstable", "openings")

#: The tables of a league.
_LEAGUE_TABLES = ("standings", "games", "summary", "versions")

#: The classes of their rows, for the headings of empty ones.
_ROWS: dict[str, type[AttrsInstance]] = {
    "games": ListedGame,
    "unfinished": ListedGame,
    "byes": ListedBye,
    "openings": OpeningScore,
}


def _parse_date(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """Return a date in local time as a time in UTC."""
    if text is None:
        return None
    try:
        return format_time(dt.datetime.fromisoformat(text).astimezone())
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{quote(text)} is not a date like 2026-03-31 or 2026-03-31T18:00."
        ) from None


@command()
@options.JOURNAL_FILE
@click.option("--format", "form", type=_FORMATS, default="text", show_default=True, help="Output format.")
@click.option(
    "--table",
    type=click.Choice([*_TABLES, "summary", "versions"]),
    help="Table for --format csv. [default: games, those with a result; of a league, standings]",
)
@click.option(
    "--until",
    metavar="DATE",
    callback=_parse_date,
    help="Of a league: count only games that ended before this local time, YYYY-MM-DD[THH:MM].",
)
def show(file: Path, form: str, table: str | None, until: str | None) -> None:
    """Show standings, crosstable and games of the tournament in FILE.db, also while it is played."""
    if table is not None and form != "csv":
        raise click.UsageError("--table needs --format csv; the other formats contain all tables.")
    try:
        if is_league(file):
            _show_league(file, form, table or "standings", until)
            return
    except JournalError as error:
        raise refusal_of(error, file) from None
    if until is not None:
        raise click.UsageError("--until works only for leagues.")
    if table == "versions":
        raise click.UsageError("only leagues have versions.")
    state = read_state(file)
    if form == "text":
        print_tables(state, with_details=True)
        return
    if form == "schedule":
        click.echo("\n".join(_schedule(file, state)))
        return
    match form:
        case "json":
            click.echo(_json(_results_of(state).document()))
        case "csv":
            click.echo(_csv(_document_for_csv(state), table or "games"), nl=False)
        case "markdown":
            click.echo(markdown_of(_results_of(state)))
        case "html":
            click.echo(_html(file, _results_of(state)), nl=False)


def _results_of(state: TournamentState) -> Results:
    return Results.of(state, format_of(state), ratings=rate_entrants(state), opening_of=openings_of(state))


def _document_for_csv(state: TournamentState) -> Document:
    """Return the results with all names, also those in sentences, as they are spelled in CSV."""
    names = csv_names(state.entrants)
    state.entrants = tuple(names.values())
    document = _results_of(state).document()
    own = {spelled: name for name, spelled in names.items()}
    for game in (*document["games"], *document["unfinished"]):
        if game["sentence"]:
            game["sentence"] = respell(game["sentence"], {own[each]: each for each in game["seats"]})
    return document


def _schedule(file: Path, state: TournamentState) -> list[str]:
    try:
        plan = Plan.of_state(state)
    except PlanError as error:
        raise click.UsageError(f"{file}: {error}.") from None
    return format_schedule(state, plan, dt.datetime.now().astimezone())


def _show_league(file: Path, form: str, table: str, until: str | None) -> None:
    """Show the leaderboard of a league, or another table."""
    if form not in {"text", "json", "csv"} or table not in _LEAGUE_TABLES:
        tables = f"{', '.join(_LEAGUE_TABLES[:-1])} and {_LEAGUE_TABLES[-1]}"
        raise click.UsageError(f"a league is shown as text, json or csv, with the tables {tables}.")
    moment = until or ALWAYS
    with Leaderboard.open(file) as board:
        if form == "csv":
            for lines in _csv_of_league(board, table, moment):
                click.echo(csv_text(lines), nl=False)
            return
        rows = board.read(moment)
        if form == "text":
            print_leaderboard(board.title, rows, PipedConsole(highlight=False))
            return
        documents = [row.document() for row in rows]
        click.echo(_json({"settings": board.terms.settings(), "until": until, "entrants": documents}))


def _csv_of_league(board: Leaderboard, table: str, until: str) -> Iterator[list[Sequence[Any]]]:
    """Yield the rows of a table in groups, because there can be very many games."""
    names = csv_names(board.names())
    # All versions, so that dates do not change their spelling.
    versions = csv_names(version for _, version, *_ in board.versions())
    match table:
        case "summary":
            yield [("fact", "value"), *board.terms.settings().items()]
        case "versions":
            yield [VERSION_FACTS]
            for name, version, *facts in board.versions(until):
                yield [(names[name], versions[version], *facts)]
        case "games":
            yield [GAME_FACTS]
            for game in board.games(until):
                spelled = {name: names[name] for name in game["seats"]}
                game |= {"seats": [*spelled.values()], "sentence": respell(game["sentence"], spelled)}
                yield [[*game.values()]]
        case _:
            rows = [row.document() for row in board.read(until)]
            for row in rows:
                version = row["version"]
                row |= {"name": names[row["name"]], "version": versions.get(version, version)}
            yield _rows_of(rows, ROW_FACTS)


def _json(document: Document) -> str:
    """Return an object with a line for each list element; json's own indentation takes much longer."""
    lines = []
    for name, value in document.items():
        if isinstance(value, list) and value:
            each = ",\n    ".join(map(json.dumps, value))
            lines.append(f"  {json.dumps(name)}: [\n    {each}\n  ]")
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}"


def _csv(document: Document, table: str) -> str:
    """Return a table of the document, with a column for each field of an object in a row."""
    lines: list[Sequence[Any]]
    match table:
        case "crosstable":
            names, cells = document[table]["names"], document[table]["cells"]
            lines = [["", *names], *([name, *row] for name, row in zip(names, cells, strict=True))]
        case "summary":
            told = dict(_fields_of(document))
            lines = [("fact", "value"), *((name, _cell(told, name)) for name in SUMMARY_FACTS)]
        case "standings":
            lines = _rows_of(document["entrants"], ENTRANT_FACTS)
        case _:
            lines = _rows_of(document[table], [each.name for each in fields(_ROWS[table])])
    return csv_text(lines)


def _rows_of(documents: Iterable[Document], headings: Sequence[str]) -> list[Sequence[Any]]:
    """Return headings and rows with a column for each field, whether or not any row has a value there."""
    rows = (dict(_fields_of(each)) for each in documents)
    return [headings, *([_cell(row, name) for name in headings] for row in rows)]


def _cell(row: Document, name: str) -> Any:
    """Return the value of a field; objects that count games leave out those with none."""
    return row.get(name, 0 if name.startswith(("terminations.", "faults.")) else None)


def _fields_of(document: Document, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the fields of an object and of nested ones, named like ``elo.low``."""
    for key, value in document.items():
        if isinstance(value, dict):
            yield from _fields_of(value, f"{name}{key}.")
        elif value is not None:
            yield name + key, value


def _html(file: Path, results: Results) -> str:
    # Imported here, because only --format html needs replays and pages.
    from quoridor_net.tournament.quoridor.archive import GameError
    from quoridor_net.web.report import html_report

    try:
        return html_report(results, file, results.title or file.stem)
    except (PlanError, JournalError, GameError) as error:
        click.echo(f"Error: {error}.", err=True)
        sys.exit(ExitStatus.FAILED)
