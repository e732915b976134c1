"""Displays of a running tournament: live on a terminal, as lines, as JSON, or the final tables only.

They work for any game: the function that draws its boards is an argument.
"""

from __future__ import annotations

import enum
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, TextIO, cast

import trio
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from quoridor_net.match import GameEnded, GameStarted, MoveMade
from quoridor_net.output import Output, ignore, is_behind
from quoridor_net.text import count_things
from quoridor_net.tournament.columns import Section, format_points
from quoridor_net.tournament.encoding import as_object
from quoridor_net.tournament.events import (
    EntrantAway,
    EntrantBack,
    EntrantJoined,
    EntrantRenewed,
    EntrantReturned,
    EntrantWithdrawn,
    Event,
    GameEvent,
    Listener,
    RoundPaired,
    SettingChanged,
    TournamentEnded,
    TournamentResumed,
    TournamentStopping,
)
from quoridor_net.tournament.quoridor.plan import format_of, openings_of
from quoridor_net.tournament.results import Results, explain_byes, games_in_all, rate_entrants
from quoridor_net.tournament.standings import points_of
from quoridor_net.tournament.state import TournamentState
from quoridor_net.ui.theme import PipedConsole
from quoridor_net.ui.tournament_tables import (
    LISTED,
    NAME_WIDTH,
    draw_openings,
    draw_sheet,
    final_sheets,
    lists_of_open_games,
)
from quoridor_net.ui.wording import format_duration

#: Time between refreshes of the live display, in seconds.
_REFRESH = 0.25

#: Number of last results in the live display.
_LAST = 4

#: Maximum columns of a table in a file or a pipe.
_WIDEST = 10_000

#: Pace above which fractions are omitted, in games per minute.
_EXACT = 100

#: Message about a tournament that was asked to stop.
_STOPPING = "Stopping after the running games. No new games start."


class FieldDisplay(enum.Enum):
    """The displays of a tournament."""

    LIVE = "live"
    PLAIN = "plain"
    JSON = "json"
    QUIET = "quiet"


#: Draws a position of the game.
DrawBoard = Callable[[Any], RenderableType]


@asynccontextmanager
async def open_display(
    kind: FieldDisplay, state: TournamentState, draw_board: DrawBoard, console: Console | None = None
) -> AsyncIterator[Listener]:
    """Show a tournament until the context ends.

    Args:
        kind: the display.
        state: state of the tournament; includes an event before the display is called with it.
        draw_board: draws the boards of the live display.
        console: the output; default standard output.
    """
    console = PipedConsole(highlight=False) if console is None else console
    if kind is FieldDisplay.LIVE:
        live = _LiveDisplay(state, draw_board, console)
        with Live(live, console=console, auto_refresh=False, transient=True) as shown_live:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_refresh, shown_live)
                yield live.listen
                nursery.cancel_scope.cancel()
        return
    # The tournament continues even if the reader of the output goes away.
    write_line = Output(cast("TextIO", console.file)).write_line
    yield {
        FieldDisplay.PLAIN: lambda event: _write_plainly(event, state, write_line),
        FieldDisplay.JSON: lambda event: write_line(json.dumps(as_object(event, datetime.now(UTC)))),
        FieldDisplay.QUIET: ignore,
    }[kind]


def print_tables(
    state: TournamentState, console: Console | None = None, *, with_details: bool = False
) -> None:
    """Print the crosstable, the standings and the facts of a match; with details, all other results too."""
    console = PipedConsole(highlight=False) if console is None else console
    name_width = NAME_WIDTH if console.is_terminal else None
    has_ratings = with_details and state.played > 0
    results = Results.of(
        state,
        format_of(state),
        ratings=rate_entrants(state) if has_ratings else None,
        opening_of=openings_of(state) if with_details else None,
    )
    if results.title:
        console.print(Text(f"{results.title}\n", "bold"), soft_wrap=True)
    for sheet in final_sheets(results, console.width):
        print_wide(console, draw_sheet(sheet, name_width))
        console.print()
    if with_details:
        for line in (_progress(state), *_last_games(state), *lists_of_open_games(results), ""):
            console.print(Text(line), soft_wrap=True)
    for section in (Section.PLAY, Section.STRENGTH) if has_ratings else ():
        print_wide(console, draw_sheet(results.sheet(section), name_width))
        console.print()
    if results.openings:
        print_wide(console, draw_openings(results.openings, LISTED))
        if len(results.openings) > LISTED:
            console.print(Text(f"and {count_things(len(results.openings) - LISTED, 'opening')} more"))
        console.print()
    for line in results.facts if with_details else results.match_facts:
        console.print(Text(line), soft_wrap=True)


def print_wide(console: Console, table: Table) -> None:
    """Print a table, as wide as necessary in a file or a pipe."""
    width = console.width
    if not console.is_terminal:
        # Tables take only the width that they need.
        console.width = _WIDEST
    console.print(table)
    console.width = width


async def _refresh(live: Live) -> None:
    while True:
        # Skip refreshes while the output is behind, so that they do not pile up.
        if not is_behind(live.console.file):
            live.refresh()
        await trio.sleep(_REFRESH)


def _progress(state: TournamentState) -> str:
    """Return a sentence about the progress of a tournament."""
    if state.is_over:
        return f"The tournament is over: {count_things(state.played, 'game')}."
    return f"The tournament is not over: {_count_played(state)} so far."


def _count_played(state: TournamentState) -> str:
    """Return the number of games played: ``3 of 12 games``, or ``3 games`` if the total is unknown."""
    played, most = state.played, games_in_all(state, format_of(state))
    return count_things(played, "game") if most is None else f"{played} of {count_things(most, 'game')}"


def _last_games(state: TournamentState) -> list[str]:
    """Return a heading and a line for each of the last games."""
    lines = []
    for game, result in [*state.decided.items()][-LISTED:]:
        points = "-".join(map(format_points, points_of(state.pairing(game), result)))
        plies = count_things(result.plies, "ply")
        lines.append(f"{game}. {_names(state, game)}: {points}, {result.termination}, {plies}")
    return ["The last games:", *lines] if lines else []


def _change_told(event: Event, state: TournamentState) -> str:
    """Return a sentence about a change made from outside; empty for other events."""
    match event:
        case RoundPaired(number):
            return explain_byes(state, number)
        case EntrantAway(entrant, sentence):
            return f"{state.entrants[entrant - 1]} is away: {sentence.rstrip('.')}."
        case EntrantBack(entrant):
            return f"{state.entrants[entrant - 1]} answers again."
        case EntrantRenewed(entrant, version):
            return f"{state.entrants[entrant - 1]} plays as version {version}."
        case EntrantJoined(name):
            return f"{name} has joined."
        case EntrantWithdrawn(entrant):
            return f"{state.entrants[entrant - 1]} has left."
        case EntrantReturned(entrant):
            return f"{state.entrants[entrant - 1]} is back."
        case SettingChanged("concurrency", int(value)):
            return f"{count_things(value, 'game')} at once from now on."
    return ""


def _names(state: TournamentState, game: int) -> str:
    return " - ".join(state.entrants[seat - 1] for seat in state.pairing(game).seats)


def _write_plainly(event: Event, state: TournamentState, write_line: Callable[[str], None]) -> None:
    """Write one line for every game that starts or ends, and for every change from outside."""
    if change := _change_told(event, state):
        write_line(change)
    match event:
        case TournamentResumed():
            write_line(f"Resuming after {_count_played(state)}.")
        case TournamentStopping():
            write_line(_STOPPING)
        case GameEvent(game, GameStarted()):
            write_line(f"game {game}: {_names(state, game)}")
        case GameEvent(game, GameEnded(result=result)):
            points = "-".join(format_points(points) for points in points_of(state.pairing(game), result))
            write_line(
                f"game {game}: {points} after {count_things(result.plies, 'ply')}, {result.termination}."
                f" {result.sentence} ({_count_played(state)})"
            )


def _cut(line: str) -> Text:
    """Return a line that ends in an ellipsis where the terminal is too narrow for it."""
    return Text(line, no_wrap=True, overflow="ellipsis")


class _LiveDisplay:
    """A live display of progress, standings, boards and last results."""

    def __init__(self, state: TournamentState, draw_board: DrawBoard, console: Console) -> None:
        self._state = state
        self._draw_board = draw_board
        self._console = console
        self._last: list[str] = []
        self._is_stopping = False
        # Of the running games, by number.
        self._positions: dict[int, Any] = {}
        # None after any event but a move.
        self._results: Results | None = None
        # Start time of this display, and number of results at that time.
        self._since = trio.current_time()
        self._before = state.played

    def listen(self, event: Event) -> None:
        if change := _change_told(event, self._state):
            self._tell(change)
        if not (isinstance(event, GameEvent) and isinstance(event.event, MoveMade)):
            self._results = None
        match event:
            case TournamentResumed():
                self._before = self._state.played
                self._positions.clear()
            case TournamentStopping():
                self._is_stopping = True
            case GameEvent(game, GameStarted() | MoveMade() as inner):
                self._positions[game] = inner.position
            case GameEvent(game, GameEnded(result=result)):
                self._positions.pop(game, None)
                self._tell(f"{game}. {result.sentence}")
            case TournamentEnded():
                self._positions.clear()

    def _tell(self, sentence: str) -> None:
        self._last = [*self._last, sentence][-_LAST:]

    def __rich__(self) -> RenderableType:
        state = self._state
        if not state.has_started:
            return Text()
        progress = Table.grid(padding=(0, 1))
        self._results = results = self._results or Results.of(state, format_of(state))
        played, most = state.played, results.games_in_all
        if most is None:
            progress.add_row(count_things(played, "game"), self._pace(None))
        else:
            bar = ProgressBar(total=most, completed=played, width=20)
            progress.add_row(f"{played} of {count_things(most, 'game')}", bar, self._pace(most - played))
        rows, match = results.table.rows, results.match_facts
        # Reserve lines for the parts below the standings.
        told = _LAST + self._is_stopping
        most_rows = max(3, self._console.height - told - len(self._positions) - 7)
        standings = draw_sheet(results.sheet(Section.STANDINGS), rows=most_rows)
        stopping = [_cut(_STOPPING)] if self._is_stopping else []
        parts: list[RenderableType] = [progress, *stopping, Text(), standings]
        if most_rows < len(rows):
            parts.append(Text(f"and {len(rows) - most_rows} more"))
        parts += [*map(_cut, match), Text()]
        room = self._console.height - len(self._console.render_lines(Group(*parts)))
        # One line at least is about the running games.
        last = self._last[-max(room - 1, 1) :]
        parts += self._boards(room - len(last)) or self._names_of_games(room - len(last))
        return Group(*parts, *map(_cut, last))

    def _names_of_games(self, room: int) -> list[RenderableType]:
        """Return as many lines about running games as fit into ``room`` lines."""
        lines = [
            f"{game}. {_names(self._state, game)}: {count_things(position.ply, 'ply')} so far"
            for game, position in sorted(self._positions.items())
        ]
        if len(lines) > room:
            shown = max(room - 1, 0)
            lines[shown:] = [f"and {count_things(len(lines) - shown, 'running game')} more"][:room]
        return [*map(_cut, lines)]

    def _pace(self, left: int | None) -> str:
        """Return the pace of the games, and the expected time for the remaining ones."""
        played = self._state.played - self._before
        seconds = trio.current_time() - self._since
        if not played or not seconds:
            return ""
        pace = 60 * played / seconds
        rate = f"{pace:.3g} per minute" if pace < _EXACT else f"{pace:.0f} per minute"
        return rate if left is None else f"{rate}, {format_duration(seconds / played * left)} left"

    def _boards(self, room: int) -> list[RenderableType]:
        """Return the boards that fit into ``room`` lines of the terminal."""
        panels = []
        for game, position in sorted(self._positions.items()):
            title = Text(_names(self._state, game), overflow="ellipsis")
            panels.append(Panel.fit(self._draw_board(position), title=title, subtitle=str(game)))
        if not panels:
            return []
        height = max(len(self._console.render_lines(panel)) for panel in panels)
        width = max(self._console.measure(panel).maximum for panel in panels)
        beside = max(self._console.width // (width + 1), 1)
        fit = panels[: beside * max(room // height, 0)]
        return [Columns(fit, padding=(0, 1))] if fit else []
