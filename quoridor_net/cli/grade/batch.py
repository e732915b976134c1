"""``quoridor grade batch``: grade the programs of a class, one after another."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.csv_text import csv_text
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.grade.grading import SERVER_GAP, Grading, grades_batch, html_of
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.new_file import may_overwrite, refuse_existing
from quoridor_net.grading.encoding import as_object
from quoridor_net.grading.grade import Ending, Grade
from quoridor_net.grading.rubric import Award
from quoridor_net.grading.teams import MAX_TEAMS, Team, TeamsError, headings, parse_teams, row_of
from quoridor_net.grading.text_report import page
from quoridor_net.text import visible
from quoridor_net.text_file import TextFileError, explain, read_text


def _read_teams(_context: click.Context, _argument: click.Parameter, name: str) -> list[Team]:
    try:
        return parse_teams(read_text(name, MAX_TEAMS))
    except (OSError, TextFileError) as error:
        raise click.BadParameter(f"{explain(name, error)}.") from None
    except TeamsError as error:
        faults = "\n".join(f"{visible(name)}: {fault}." for fault in error.faults)
        raise click.BadParameter(faults) from None


@command()
@click.argument("teams", metavar="TEAMS.toml", callback=_read_teams)
@click.option(
    "--csv",
    "table",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="File for the grades, one row for each team; written after each team.",
)
@click.option(
    "--resume", is_flag=True, help="Keep the complete grades in FILE, and add those that are missing."
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the pages and a JSON document of each team: TEAM.txt, TEAM.html and TEAM.json.",
)
@SERVER_GAP
@options.memory_limit()
@grades_batch
def batch(teams: list[Team], table: Path, resume: bool, folder: Path | None, grading: Grading) -> None:
    """Grade all teams of a class with the same openings, opponents and rubric, one after another.

    TEAMS.toml has a [[team]] table for each team, with its name and either server, HOST:PORT or a command
    with {port}, or qtp, a command. Exit status 0: all graded. 1: some grades are partial. 4: interrupted.
    """
    rows = _Table(table, headings(grading.rubric.parts), grading.settings.seed)
    rows.begin(keeps=resume)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    partial = False
    for team in teams:
        if rows.has(team.name):
            click.echo(f"{team.name}: graded before")
            continue
        grade = grading.grade(team.subject(grading.allowance), f"{team.name}: ")
        award = grading.rubric.award(grade)
        rows.add(row_of(team, grade, award))
        if folder is not None:
            _write_pages(folder, team.name, grade, award)
        click.echo(_summary(team.name, grade, award))
        partial |= grade.is_partial
        if grade.ending is Ending.INTERRUPTED:
            leave(ExitStatus.ABORTED)
    leave(ExitStatus.FAILED if partial else ExitStatus.DONE)


class _Table:
    """The table of grades, in a file that is complete after every row.

    Args:
        path: the file.
        columns: its headings.
        seed: the seed of all grades.
    """

    def __init__(self, path: Path, columns: list[str], seed: int) -> None:
        self._path = path
        self._columns = columns
        self._seed = seed
        self._rows: list[list[Any]] = []

    def begin(self, *, keeps: bool) -> None:
        """Read the complete grades if ``keeps``; otherwise refuse to overwrite a file without --overwrite.

        Raises:
            click.UsageError: the file has other columns, or grades with another seed.
            click.BadParameter: it cannot be read or must not be overwritten.
        """
        try:
            if keeps and self._path.exists():
                self._read(read_text(self._path, MAX_TEAMS))
            elif not may_overwrite(click.get_current_context()):
                refuse_existing([self._path])
            self._write()
        except TextFileError as error:
            raise click.BadParameter(f"{explain(str(self._path), error)}.") from None
        except OSError as error:
            raise click.BadParameter(f"cannot write {self._path}: {error.strerror}.") from None

    def _read(self, text: str) -> None:
        first, *rows = csv.reader(io.StringIO(text)) if text else [self._columns]
        if first != self._columns:
            raise click.UsageError(
                f"{self._path} has other columns. Use the rubric that it was begun with, or another file."
            )
        for row in rows:
            cells = dict(zip(first, row, strict=False))
            if cells.get("seed") != str(self._seed):
                raise click.UsageError(
                    f"{self._path} has grades with seed {cells.get('seed')}. Give the same --seed."
                )
            if cells.get("partial") == "no":
                self._rows.append(row)

    def has(self, team: str) -> bool:
        """Return whether the table has a complete grade of a team."""
        return any(row[0] == team for row in self._rows)

    def add(self, row: list[Any]) -> None:
        """Add a row.

        Raises:
            click.ClickException: the file cannot be written.
        """
        self._rows.append(row)
        try:
            self._write()
        except OSError as error:
            raise click.ClickException(f"cannot write {self._path}: {error.strerror}.") from None

    def _write(self) -> None:
        # Replaced at once, so that an interruption leaves the old or the new table.
        beside = self._path.with_name(f".{self._path.name}.new")
        beside.write_text(csv_text([self._columns, *self._rows]), encoding="utf-8", newline="\n")
        beside.replace(self._path)


def _write_pages(folder: Path, name: str, grade: Grade, award: Award) -> None:
    text = click.unstyle("\n".join(page(grade, award))) + "\n"
    document = json.dumps(as_object(grade, award), indent=2) + "\n"
    for suffix, content in ((".txt", text), (".html", html_of(grade, award)), (".json", document)):
        try:
            (folder / f"{name}{suffix}").write_text(content, encoding="utf-8", newline="\n")
        except OSError as error:
            click.echo(f"cannot write {folder / name}{suffix}: {error.strerror}", err=True)


def _summary(name: str, grade: Grade, award: Award) -> str:
    """Return a line about a team."""
    placement = grade.placement
    level = (
        "no level"
        if placement is None
        else f"level {placement.level:.1f} ({placement.low:.1f} to {placement.high:.1f})"
    )
    partial = f"; partial: {grade.ending}" if grade.is_partial else ""
    faults = len(grade.faults)
    lost = "1 game lost by a fault" if faults == 1 else f"{faults} games lost by faults"
    return f"{name}: {award.points:g} of {award.maximum:g}, {level}, {lost}{partial}"
