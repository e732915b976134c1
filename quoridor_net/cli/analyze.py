"""``quoridor analyze``: the engine's view of a recorded game."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

import click
from attrs import frozen

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.engines import Engines
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.recorded_game import RecordedSource, game_argument
from quoridor_net.cli.web import until_seen
from quoridor_net.net import clock
from quoridor_net.net.errors import first_error
from quoridor_net.net.signals import until_signal
from quoridor_net.players.spec import Thinking
from quoridor_net.rules.diagram import Glyphs, Line, glyphs_for, plain
from quoridor_net.text import count_things

if TYPE_CHECKING:
    from rich.console import Console

    from quoridor_net.analysis import PlyAnalysis
    from quoridor_net.engine import Limits
    from quoridor_net.replay import Replay
    from quoridor_net.web.address import WebAddress
    from quoridor_net.web.game_analysis import GameAnalysis

_RANGE = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", re.ASCII)
_WIDTH = 80


@frozen
class _Plies:
    """The range of plies to analyse, counted from 1; without ``last`` it ends with the game."""

    first: int = 1
    last: int | None = None

    @classmethod
    def parse(cls, _context: click.Context, _option: click.Parameter, text: str | None) -> _Plies:
        """Return the range in ``text``; None stands for the whole game."""
        if text is None:
            return cls()
        found = _RANGE.fullmatch(text)
        if found is None:
            raise click.BadParameter(f"{text!r} is neither a ply (12) nor a range (12-20).")
        first = int(found[1])
        last = int(found[2] or first)
        if not 1 <= first <= last:
            raise click.BadParameter("plies count from 1, and the first of a range comes first.")
        return cls(first, last)

    def check(self, game: Replay) -> None:
        """Reject a range that goes beyond the end of the game.

        Raises:
            click.UsageError: it does.
        """
        count = len(game.plies)
        if (self.last or self.first) > count and (self.first, self.last) != (1, None):
            raise click.UsageError(
                f"there is no ply {self.last or self.first}: the game has {count_things(count, 'ply')}."
            )


@command()
@game_argument
@options.searching
@options.LINES
@click.option(
    "--ply",
    "plies",
    metavar="PLY[-PLY]",
    callback=_Plies.parse,
    help="Ply or range of plies to analyse, e.g. 12 or 12-20. [default: all]",
)
@options.JSON_DOCUMENT
@options.web("the analysis")
@options.ALLOW_BROWSERS
def analyze(
    source: RecordedSource,
    thinking: Thinking,
    lines: int,
    plies: _Plies,
    as_json: bool,
    web: WebAddress | None,
) -> None:
    """Find the mistakes in a recorded game with the engine.

    FILE is a replay file or a game in another format; - means standard input. Each ply is listed with its
    score in steps, the winning chance of its player, and the best line if another move was played. A move
    that costs its player 5, 10 or 15 percentage points of winning chance is marked ?!, ? or ??. A graph and
    the accuracy of each player follow. Ctrl-C stops the analysis and shows the results so far.

    With --nodes or --depth, and without --think and --threads, the results are the same every time. The exit
    status is 0 when the game was analysed, 1 when FILE is wrong, 2 for wrong usage, 3 when the engine is not
    available, 130 after Ctrl-C.
    """
    plies.check(source.game)
    _warm_up()
    shown = _Document(source.game) if as_json else _Table(source.game, lines)
    search = _Search(thinking.limits_for_people(), lines, plies)
    engines = Engines(is_silent=True)
    try:
        status = clock.run(_analyse, source.game, search, shown, web, engines)
    except ExceptionGroup as group:
        error = first_error(group)
        if not isinstance(error, MemoryError):
            raise error from None
        click.echo("Error: not enough memory for the engine.", err=True)
        status = ExitStatus.CANNOT_BEGIN
    leave(status)


@frozen
class _Search:
    """The settings of an analysis.

    Attributes:
        limits: those of each search.
        lines: number of best lines to find.
        plies: the plies to analyse.
    """

    limits: Limits
    lines: int
    plies: _Plies

    def count(self, game: Replay) -> int:
        """Return the number of plies to analyse in ``game``."""
        last = len(game.plies) if self.plies.last is None else self.plies.last
        return last - self.plies.first + 1

    async def analyse(self, game: Replay) -> AsyncGenerator[PlyAnalysis, None]:
        """Yield the analysis of each ply as soon as it is done; cancelling stops the search at once."""
        from quoridor_net.engine import Engine
        from quoridor_net.players.analyst import analyse_plies

        first, last = self.plies.first, self.plies.last
        with Engine() as engine:
            found = analyse_plies(game, engine, self.limits, lines=self.lines, first=first, last=last)
            async with aclosing(found):
                async for ply in found:
                    yield ply


def _warm_up() -> None:
    """Compile or load the engine; leave the program if that fails."""
    from quoridor_net.players.engine import warm_up

    def tell(step: str) -> None:
        click.echo(f"engine: {step}", err=True)

    async def work() -> int:
        await warm_up(tell)
        return ExitStatus.DONE

    try:
        status = clock.run(until_signal, work)
    except* (MemoryError, ImportError) as group:
        click.echo(f"Error: the engine is not available: {first_error(group)}.", err=True)
        status = ExitStatus.CANNOT_BEGIN
    if status != ExitStatus.DONE:
        leave(ExitStatus.INTERRUPTED if status is None else status)


class _Document:
    """Writes the analysis as one JSON document at the end."""

    console: Console | None = None

    def __init__(self, game: Replay) -> None:
        self._game = game
        self._plies: list[PlyAnalysis] = []

    def add(self, ply: PlyAnalysis) -> None:
        """Collect the analysis of the next ply."""
        self._plies.append(ply)

    def finish(self) -> None:
        """Write the document."""
        from quoridor_net.analysis.encoding import document

        click.echo(json.dumps(document(self._game, self._plies)))


class _Table:
    """Prints a row for each ply as it comes, and the graph and the summary at the end."""

    def __init__(self, game: Replay, lines: int) -> None:
        from quoridor_net.ui.theme import PipedConsole

        self._names = game.names
        self._lines = lines
        self._plies: list[PlyAnalysis] = []
        self._glyphs: Glyphs = glyphs_for(sys.stdout.encoding)
        #: The terminal if standard output is one.
        self.console: Console | None = None
        console = PipedConsole(highlight=False)
        if console.is_terminal:
            self.console = console
        self._width = console.width if self.console else _WIDTH

    def add(self, ply: PlyAnalysis) -> None:
        """Print the row of the next ply."""
        from quoridor_net.ui.analysis_view import heading, rows

        if not self._plies:
            self._print([heading()])
        self._plies.append(ply)
        self._print(rows(ply, self._names, self._width, self._glyphs, self._lines))

    def finish(self) -> None:
        """Print the graph and the summary."""
        from quoridor_net.ui.analysis_view import graphs, summary

        self._print(graphs(self._plies, self._names, self._width, self._glyphs))
        self._print(summary(self._plies, self._names, self._glyphs))

    def _print(self, lines: list[Line]) -> None:
        if self.console is None:
            for line in plain(lines):
                click.echo(line)
        elif lines:
            from quoridor_net.ui.theme import colour_lines

            self.console.print(colour_lines(lines))


async def _analyse(
    game: Replay, search: _Search, shown: _Document | _Table, web: WebAddress | None, engines: Engines
) -> int:
    """Show the analysis of each ply as it comes; return the exit status."""
    listeners: list[_Document | _Table | GameAnalysis] = [shown]
    site = None
    if web is not None:
        # Imported here because most analyses run without a web page.
        from quoridor_net.web.engine_lines import EngineLines
        from quoridor_net.web.game_analysis import GameAnalysis
        from quoridor_net.web.sites import analysis as site_of

        analysed = GameAnalysis(game)
        listeners.append(analysed)
        site = site_of(analysed, EngineLines(engines.engine(search.limits), search.limits.threads))

    async def work() -> int:
        with _progress(shown.console, search.count(game)) as advance:
            async with aclosing(search.analyse(game)) as found:
                async for ply in found:
                    for listener in listeners:
                        listener.add(ply)
                    advance()
        for listener in listeners:
            listener.finish()
        return ExitStatus.DONE

    status = await until_seen(web, site, work)
    if status is None:
        shown.finish()
        return ExitStatus.INTERRUPTED
    return status


@contextmanager
def _progress(console: Console | None, total: int) -> Iterator[Callable[[], None]]:
    """Show the progress on the terminal of standard output or error, if there is one.

    Yields:
        a function to call after each of ``total`` plies.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from quoridor_net.ui.theme import PipedConsole

    console = console or PipedConsole(stderr=True)
    if not console.is_terminal:
        # Progress(disable=True) would print an empty line with rich before 14.3.
        yield lambda: None
        return
    columns = (TextColumn("ply"), MofNCompleteColumn(), BarColumn(20), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=console, transient=True) as progress:
        yield partial(progress.advance, progress.add_task("", total=total))
