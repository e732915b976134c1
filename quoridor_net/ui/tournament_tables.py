"""The tables of a tournament, for a terminal or a file."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from quoridor_net.tournament.standings import DRAW, WIN, Crosstable, Standing, crosstable, standings
from quoridor_net.tournament.state import TournamentState

#: A pair's games are shown one by one up to this number, and as a sum beyond it.
_ONE_BY_ONE = 4

#: Columns that every crosstable needs besides those of the opponents, names of usual length included.
_OWN_WIDTH = 36


def shown(points: float) -> str:
    """Return points as people write them: ``3``, ``2½``, ``½``."""
    whole, half = divmod(points, 1)
    if half != DRAW:
        return f"{points:g}"
    return f"{whole:.0f}½" if whole else "½"


def _ranking() -> Table:
    """Return a table that has columns for ranks and names."""
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("Name", overflow="ellipsis", no_wrap=True, max_width=24)
    return table


def standings_table(rows: list[Standing]) -> Table:
    """Return the standings as a table: games, wins, draws when there are any, losses, forfeits."""
    draws = any(row.drawn for row in rows)
    table = _ranking()
    for heading in ("Points", "Games", "Won", *(("Drawn",) if draws else ()), "Lost", "Forfeited", "S-B"):
        table.add_column(heading, justify="right")
    for row in rows:
        numbers = map(str, (row.played, row.won, *((row.drawn,) if draws else ()), row.lost, row.forfeited))
        table.add_row(
            f"{row.rank}.", Text(row.name), shown(row.points), *numbers, shown(row.sonneborn_berger)
        )
    return table


def crosstable_table(table: Crosstable) -> Table:
    """Return the crosstable: in a row what its entrant scored against each, ``1`` won, ``0`` lost."""
    drawn = _ranking()
    for place in range(1, len(table.rows) + 1):
        drawn.add_column(str(place), justify="center", no_wrap=True)
    for heading in ("Points", "S-B"):
        drawn.add_column(heading, justify="right")
    for row in table.rows:
        cells = [
            "*" if other.entrant == row.entrant else cell_text(table.cell(row.entrant, other.entrant))
            for other in table.rows
        ]
        drawn.add_row(f"{row.rank}.", Text(row.name), *cells, shown(row.points), shown(row.sonneborn_berger))
    return drawn


def cell_text(points: tuple[float, ...]) -> str:
    """Return one cell: the games of a pair one by one, ``10½``, or many as a sum, ``7½/12``."""
    if not points:
        return "·"
    if len(points) > _ONE_BY_ONE:
        return f"{shown(sum(points))}/{len(points)}"
    return "".join("1" if each == WIN else shown(each) for each in points)


def final_tables(state: TournamentState, width: int) -> list[Table]:
    """Return what is shown in the end: the crosstable, where ``width`` columns hold it, and the standings."""
    results = state.results()
    table = crosstable(state.entrants, results)
    cells = max((len(cell_text(cell)) for cell in table.cells.values()), default=1)
    tables = [standings_table(standings(state.entrants, results))]
    if _OWN_WIDTH + len(table.rows) * (max(cells, 2) + 1) <= width:
        tables.insert(0, crosstable_table(table))
    return tables
