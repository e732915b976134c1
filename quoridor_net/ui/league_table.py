"""The leaderboard of a league on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quoridor_net.tournament.quoridor.leaderboard import Presence, Row
from quoridor_net.ui.tournament_tables import NAME_WIDTH
from quoridor_net.ui.tournament_view import print_wide


def print_leaderboard(title: str, rows: Sequence[Row], console: Console) -> None:
    """Print the title and the leaderboard, with the reason for each absence."""
    if title:
        console.print(Text(f"{title}\n", "bold"), soft_wrap=True)
    has_levels = any(row.level is not None for row in rows)
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("Name", overflow="ellipsis", no_wrap=True, max_width=NAME_WIDTH)
    for heading in (*["Level"] * has_levels, "Elo", "Day", "Games", "Won", "Lost", "Faults", ""):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for row in rows:
        table.add_row("" if row.rank is None else f"{row.rank}.", *map(Text, _cells(row, has_levels)))
    print_wide(console, table)
    console.print()
    for row in rows:
        if row.presence == Presence.AWAY:
            console.print(Text(f"{row.name} is away: {row.reason.rstrip('.')}."), soft_wrap=True)


def _cells(row: Row, has_levels: bool) -> list[str]:
    name = f"{row.name} {row.version}" if row.version else row.name
    half = (row.elo.high - row.elo.low) / 2
    level = f"{row.level_value} ± {row.level_error}" if row.level is not None else ""
    if row.is_reference:
        level, elo, note = level.partition(" ")[0], f"{round(row.elo.value)}", "fixed"
    else:
        elo, note = f"{round(row.elo.value)} ± {half:.0f}", ""
    here = "" if row.presence == Presence.HERE else row.presence
    moved = "" if not row.movement else f"{row.movement:+d}"
    numbers = [str(number) for number in (row.played, row.won, row.lost, row.forfeited)]
    return [name, *[level] * has_levels, elo, moved, *numbers, here or note]
