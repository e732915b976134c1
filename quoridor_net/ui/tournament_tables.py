"""The results of a tournament as tables and sentences, for a terminal, a file or Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from quoridor_net.text import count_things
from quoridor_net.tournament.columns import Section, Sheet, format_points
from quoridor_net.tournament.results import GameStatus, ListedGame, Results
from quoridor_net.tournament.standings import OpeningScore, Standing

#: Maximum columns of a name on a terminal. Files and pipes get full names.
NAME_WIDTH = 24

#: Maximum number of games listed in sentences.
LISTED = 12

#: Maximum number of games of a pair that a cell shows one by one; beyond it, the cell shows the sum.
_ONE_BY_ONE = 4

#: Columns of a crosstable besides those of the opponents, with names of average length.
_OWN_WIDTH = 36

#: Headings of the table of openings.
_OPENING_HEADINGS = ("Opening", "Games", "First mover")

#: Names of the columns to the right of the cells of a crosstable.
_BESIDE_CROSSTABLE = ("points", "sonneborn_berger")

#: Characters with a meaning in Markdown.
_MARKUP = re.compile(r"[\\`*_\[\]<>|~]")


def draw_sheet(sheet: Sheet, name_width: int | None = NAME_WIDTH, rows: int | None = None) -> Table:
    """Return a table for a terminal, with at most ``rows`` rows; names are full if ``name_width`` is None."""
    width = None if name_width is None else name_width + _remark_width(row for _, row, _ in sheet.rows)
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("Name", overflow="ellipsis", no_wrap=True, max_width=width)
    for column, heading in enumerate(sheet.headings):
        is_centred = column < sheet.centred
        name = heading.partition(":")[0]
        table.add_column(name, justify="center" if is_centred else "right", no_wrap=is_centred)
    for place, row, cells in sheet.rows[:rows]:
        table.add_row(f"{place}.", _name_of(row, name_width), *map(Text, cells))
    return table


def draw_openings(openings: Sequence[OpeningScore], rows: int) -> Table:
    """Return the scores of openings for a terminal, with at most ``rows`` rows."""
    table = Table(box=None, pad_edge=False)
    for number, heading in enumerate(_OPENING_HEADINGS):
        table.add_column(heading, justify="right" if number else "left", no_wrap=not number)
    for cells in _opening_cells(openings)[:rows]:
        table.add_row(*cells)
    return table


def _opening_cells(openings: Iterable[OpeningScore]) -> list[list[str]]:
    return [
        [score.opening, str(score.played), f"{format_points(score.first)}/{score.played}"]
        for score in openings
    ]


def _markdown(sheet: Sheet) -> str:
    """Return a table in Markdown."""
    headings = [heading.partition(":")[0] for heading in sheet.headings]
    rows = [["", "Name", *headings], ["---"] * (2 + len(headings))]
    for place, row, cells in sheet.rows:
        rows.append([str(place), _plain(row.name) + format_departure(row), *map(_plain, cells)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def crosstable_sheet(results: Results) -> Sheet:
    """Return the crosstable; a row holds the points of its entrant against each opponent."""
    table = results.table
    columns = [column for column in results.columns if column.name in _BESIDE_CROSSTABLE]
    rows = []
    for row in table.rows:
        cells = [
            "*" if other.entrant == row.entrant else cell_text(table.cell(row.entrant, other.entrant))
            for other in table.rows
        ]
        rows.append((row.rank, row, [*cells, *(column.text(row) for column in columns)]))
    headings = [*map(str, range(1, len(rows) + 1)), *(column.heading for column in columns)]
    return Sheet("Crosstable", headings, rows, centred=len(rows))


def cell_text(points: tuple[float, ...]) -> str:
    """Return a cell: the points of each game, ``10½``, or the sum of many games, ``7½/12``."""
    if not points:
        return "·"
    if len(points) > _ONE_BY_ONE:
        return f"{format_points(sum(points))}/{len(points)}"
    return "".join(map(format_points, points))


def final_sheets(results: Results, width: int) -> list[Sheet]:
    """Return the crosstable if it fits into ``width`` columns, and the standings."""
    table = results.table
    cells = max((len(cell_text(cell)) for cell in table.cells.values()), default=1)
    sheets = [results.sheet(Section.STANDINGS)]
    if _OWN_WIDTH + _remark_width(table.rows) + len(table.rows) * (max(cells, 2) + 1) <= width:
        sheets.insert(0, crosstable_sheet(results))
    return sheets


def format_departure(row: Standing) -> str:
    """Return the remark after the name of an entrant that left; empty for others."""
    if not row.has_left:
        return ""
    return " (left)" if row.is_counted else " (left, not counted)"


def _remark_width(rows: Iterable[Standing]) -> int:
    return max((len(format_departure(row)) for row in rows), default=0)


def _name_of(row: Standing, name_width: int | None) -> Text:
    """Return a name, cut if it is too long, with the full remark if the entrant has left."""
    name = Text(row.name)
    if row.has_left and name_width is not None:
        name.truncate(name_width, overflow="ellipsis")
    return name.append(format_departure(row))


def _plain(text: str) -> str:
    """Escape a text for Markdown."""
    return _MARKUP.sub(r"\\\g<0>", text)


def lists_of_open_games(results: Results) -> list[str]:
    """Return the games that will not be played and the void games without a later result, with reasons."""
    games = [*results.open]
    lines = []
    for heading, status in (
        ("Games that will not be played, because an entrant left:", GameStatus.UNPLAYED),
        ("Void games without a later result:", GameStatus.VOID),
    ):
        listed = [_describe(game) for game in games if game.status is status]
        if len(listed) > LISTED:
            listed[LISTED:] = [f"and {count_things(len(listed) - LISTED, 'game')} more"]
        lines += [heading, *listed] if listed else []
    return lines


def _describe(game: ListedGame) -> str:
    reason = "" if game.sentence is None else f": {game.sentence}"
    return f"{game.number}. {' - '.join(game.seats)}{reason}"


def markdown_of(results: Results) -> str:
    """Return the results in Markdown: the standings, then all other tables with headings."""
    standings, *others = map(results.sheet, Section)
    parts = [f"# {_plain(results.title)}"] if results.title else []
    parts.append(_markdown(standings))
    parts += [f"## {sheet.title}\n\n{_markdown(sheet)}" for sheet in (crosstable_sheet(results), *others)]
    if results.openings:
        rows = [[*_OPENING_HEADINGS], ["---"] * 3, *_opening_cells(results.openings)]
        lines = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
        parts.append(f"## Openings\n\n{lines}")
    facts = [f"- {_plain(line)}" for line in (*results.facts, *lists_of_open_games(results))]
    return "\n\n".join([*parts, "## Games\n\n" + "\n".join(facts)] if facts else parts)
