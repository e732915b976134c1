"""The tables of a tournament, for a terminal or a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from rich.table import Table
from rich.text import Text

from quoridor_net.tournament.ratings import Ratings, Score
from quoridor_net.tournament.report import table_of, verdict_of
from quoridor_net.tournament.sprt import Decision, Verdict
from quoridor_net.tournament.standings import DRAW, Crosstable, Standing, TieBreak
from quoridor_net.tournament.state import TournamentState

#: Most columns of a name on a terminal. Files and pipes get names in full.
NAME_WIDTH = 24

#: A pair's games are shown one by one up to this number, and as a sum beyond it.
_ONE_BY_ONE = 4

#: Columns of a name at most.
_NAME_WIDTH = 24

#: Columns that every crosstable needs besides those of the opponents, names of usual length included.
_OWN_WIDTH = 36


def shown(points: float) -> str:
    """Return points as people write them: ``3``, ``2½``, ``½``."""
    whole, half = divmod(points, 1)
    if half != DRAW:
        return f"{points:g}"
    return f"{whole:.0f}½" if whole else "½"


def signed(elo: float) -> str:
    """Return a difference in Elo in whole points, which may be infinite, with its sign; none is ``-0``."""
    return f"{round(elo):+d}" if math.isfinite(elo) else f"{elo:+}"


def _ranking(name_width: int | None = NAME_WIDTH, rows: Iterable[Standing] = ()) -> Table:
    """Return a table that has columns for ranks and names, the remarks about those of ``rows`` included.

    None as the width is for names in full.
    """
    width = None if name_width is None else name_width + _remark_width(rows)
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("Name", overflow="ellipsis", no_wrap=True, max_width=width)
    return table


def standings_columns(table: Crosstable) -> dict[str, Callable[[Standing], str]]:
    """Return what the standings say of every entrant besides rank and name, by heading.

    That is points, games, wins, losses, forfeits and what separates those with equal points; draws and byes
    when there are any.
    """
    columns: dict[str, Callable[[Standing], str]] = {
        "Points": lambda row: shown(row.points),
        "Games": lambda row: str(row.played),
        "Won": lambda row: str(row.won),
        "Drawn": lambda row: str(row.drawn),
        "Lost": lambda row: str(row.lost),
        "Forfeited": lambda row: str(row.forfeited),
        "Byes": lambda row: str(row.byes),
        "Buchholz": lambda row: shown(row.buchholz),
        "S-B": lambda row: shown(row.sonneborn_berger),
    }
    needed = {
        "Drawn": any(row.drawn for row in table.rows),
        "Byes": any(row.byes for row in table.rows),
        "Buchholz": TieBreak.BUCHHOLZ in table.tie_breaks,
    }
    return {heading: of for heading, of in columns.items() if needed.get(heading, True)}


def left_remark(row: Standing) -> str:
    """Return the remark after the name of an entrant that left; empty for the others."""
    if not row.has_left:
        return ""
    return " (left)" if row.is_counted else " (left, not counted)"


def _remark_width(rows: Iterable[Standing]) -> int:
    return max((len(left_remark(row)) for row in rows), default=0)


def _name_of(row: Standing, name_width: int | None) -> Text:
    """Return a name; one that is too long loses its end, and not the remark that it has left."""
    name = Text(row.name)
    if row.has_left and name_width is not None:
        name.truncate(name_width, overflow="ellipsis")
    return name.append(left_remark(row))


def standings_table(
    table: Crosstable, rows: Sequence[Standing] | None = None, name_width: int | None = NAME_WIDTH
) -> Table:
    """Return the standings as a table. ``rows`` are all unless given; None is for names in full."""
    drawn = _ranking(name_width, table.rows)
    columns = standings_columns(table)
    for heading in columns:
        drawn.add_column(heading, justify="right")
    for row in table.rows if rows is None else rows:
        drawn.add_row(f"{row.rank}.", _name_of(row, name_width), *(of(row) for of in columns.values()))
    return drawn


def crosstable_table(table: Crosstable, name_width: int | None = NAME_WIDTH) -> Table:
    """Return the crosstable: in a row what its entrant scored against each, ``1`` won, ``0`` lost."""
    drawn = _ranking(name_width, table.rows)
    for place in range(1, len(table.rows) + 1):
        drawn.add_column(str(place), justify="center", no_wrap=True)
    for heading in ("Points", "S-B"):
        drawn.add_column(heading, justify="right")
    for row in table.rows:
        cells = [
            "*" if other.entrant == row.entrant else cell_text(table.cell(row.entrant, other.entrant))
            for other in table.rows
        ]
        drawn.add_row(
            f"{row.rank}.", _name_of(row, name_width), *cells, shown(row.points), shown(row.sonneborn_berger)
        )
    return drawn


def cell_text(points: tuple[float, ...]) -> str:
    """Return one cell: the games of a pair one by one, ``10½``, or many as a sum, ``7½/12``."""
    if not points:
        return "·"
    if len(points) > _ONE_BY_ONE:
        return f"{shown(sum(points))}/{len(points)}"
    return "".join(map(shown, points))


def final_tables(state: TournamentState, width: int, name_width: int | None = NAME_WIDTH) -> list[Table]:
    """Return the crosstable, where ``width`` columns hold it, and the standings."""
    table = table_of(state)
    cells = max((len(cell_text(cell)) for cell in table.cells.values()), default=1)
    tables = [standings_table(table, name_width=name_width)]
    if _OWN_WIDTH + _remark_width(table.rows) + len(table.rows) * (max(cells, 2) + 1) <= width:
        tables.insert(0, crosstable_table(table, name_width))
    return tables


def ratings_table(entrants: Sequence[str], ratings: Ratings, name_width: int | None = NAME_WIDTH) -> Table:
    """Return the strengths of the entrants, best first, with their 95 % intervals."""
    table = _ranking(name_width)
    for heading in ("Elo", "95 % interval", "Games"):
        table.add_column(heading, justify="right")
    ordered = sorted(ratings.entrants, key=lambda rating: -rating.elo.value)
    for place, rating in enumerate(ordered, 1):
        elo = rating.elo
        low, high = (signed(end) if math.isfinite(end) else "open" for end in (elo.low, elo.high))
        name = Text(entrants[rating.entrant - 1])
        table.add_row(f"{place}.", name, signed(elo.value), f"{low} to {high}", str(rating.games))
    return table


def ratings_remark(ratings: Ratings) -> str:
    """Return what else the ratings say, in one sentence."""
    if len(ratings.groups) > 1:
        return "Games do not connect all entrants: compare within a group only."
    first = ratings.first_move
    return f"The first move is worth {signed(first.value)} Elo ({signed(first.low)} to {signed(first.high)})."


def match_lines(state: TournamentState) -> list[str]:
    """Return what is known of a match of two: the state of its test, if any, and the difference in Elo."""
    verdict = verdict_of(state)
    lines = [] if verdict is None else [sprt_line(state, verdict)]
    if len(state.entrants) == 2 and state.decided:
        elo = Score.of(state.results(), 1).elo
        interval = f"{signed(elo.low)} to {signed(elo.high)}"
        lines.append(f"{state.entrants[0]}: {signed(elo.value)} Elo ({interval}).")
    return lines


def sprt_line(state: TournamentState, verdict: Verdict) -> str:
    """Return the state of the test of a tournament in one line."""
    elo0, elo1 = (f"{state.settings[name]:g}" for name in ("elo0", "elo1"))
    first = state.entrants[0]
    meaning = {
        Decision.RUNNING: f"undecided between {elo0} and {elo1} normalised Elo",
        Decision.ACCEPTED: f"H1 accepted, {first} is better by {elo1} normalised Elo and not by {elo0}",
        Decision.REJECTED: f"H0 accepted, {first} is better by {elo0} normalised Elo and not by {elo1}",
    }[verdict.decision]
    return f"SPRT: LLR {verdict.ratio:.2f} ({verdict.lower:.2f} to {verdict.upper:.2f}): {meaning}."
