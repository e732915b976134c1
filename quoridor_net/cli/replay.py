"""``quoridor replay``: look at recorded games, check them, convert them."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import click
import trio

from quoridor_net.cli import options
from quoridor_net.cli.command import SETTINGS
from quoridor_net.cli.engines import Engines
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.new_file import NEW_FILE, NewFile, overwrite_option
from quoridor_net.cli.recorded_game import (
    FORMAT,
    WRITTEN_FORMAT,
    RecordedSource,
    name_of,
    reads_game,
    text_of,
    where,
)
from quoridor_net.cli.web import until_seen
from quoridor_net.net import clock
from quoridor_net.output import discard_unwritten
from quoridor_net.players.spec import processors
from quoridor_net.replay import (
    Fault,
    RecordFormat,
    Replay,
    ReplayError,
    format_game,
    format_of,
    parse_game,
    parse_replay,
)
from quoridor_net.rules import Jumps, Wall
from quoridor_net.text import visible

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress


@click.group(context_settings=SETTINGS)
def replay() -> None:
    """Look at recorded games, check them, convert them.

    FILE is a replay file, or where that makes sense a game in another format; - means standard input.
    """


@replay.command(context_settings=SETTINGS)
@click.argument("files", metavar="FILE...", type=click.Path(allow_dash=True), nargs=-1, required=True)
@click.option("--partial", is_flag=True, help="Accept games that are not played to their end.")
@click.option(
    "--extended", is_flag=True, help="Accept announced extensions (four players, other boards) too."
)
@click.option(
    "--from",
    "origin",
    type=FORMAT,
    default=str(RecordFormat.REPLAY),
    show_default=True,
    help="Format of the files; replay files are checked to the letter.",
)
@options.JUMPS
def check(files: tuple[str, ...], partial: bool, extended: bool, origin: str, jumps: Jumps) -> None:
    """Check replay files by the grammar and the rules, or with --from games in another format by the rules.

    A mistake is printed as FILE:LINE:COLUMN: what is wrong. The exit status is 1 when there is any.
    """
    failed = False
    for file in files:
        text = ""
        try:
            text = text_of(file)
            if origin == RecordFormat.REPLAY:
                game = parse_replay(text, strict=not extended, partial=partial, jumps=jumps)
            else:
                game = parse_game(text, RecordFormat(origin), partial=partial, jumps=jumps)
        except ReplayError as error:
            failed = True
            click.echo(f"{where(file, error)}{_advice(text, error, RecordFormat(origin))}", err=True)
        except OSError as error:
            failed = True
            click.echo(where(file, error), err=True)
        else:
            plies = len(game.plies)
            count = f"{plies} {'ply' if plies == 1 else 'plies'}"
            click.echo(f"{name_of(file)}: correct, {count}; {_outcome(game)}")
    sys.exit(ExitStatus.FAILED if failed else ExitStatus.DONE)


def _advice(text: str, error: ReplayError, origin: RecordFormat) -> str:
    """Return what to do about some mistakes of files that were read as ``origin``."""
    if error.fault is Fault.EXTENSION:
        return " (--extended accepts it)"
    if error.fault is Fault.UNFINISHED:
        return " (--partial accepts it)"
    if error.fault is Fault.SYNTAX:
        with suppress(ReplayError):
            form = format_of(text)
            if form is not origin:
                return f" (this looks like {form}: --from {form} checks it)"
    return ""


@replay.command(context_settings=SETTINGS)
@reads_game
def info(source: RecordedSource) -> None:
    """Print what is known about a game."""
    game = source.game
    position = game.position()
    walls = Counter(ply.player for ply in game.plies if isinstance(ply.move, Wall))
    placed = [f"player {player}: {walls[player]}" for player in range(1, position.players + 1)]
    rows = [
        ("Format", str(source.form)),
        *((("Reading", game.reading),) if game.reading else ()),
        *((key, visible(value)) for key, value in game.metadata),
        ("Board", f"{position.size}x{position.size}, {position.players} players, {position.jumps} jumps"),
        ("Plies", str(len(game.plies))),
        ("Walls placed", ", ".join(placed)),
        ("Outcome", _outcome(game)),
        ("Last position", position.to_line()),
    ]
    width = max(len(key) for key, _ in rows) + 1
    for key, value in rows:
        click.echo(f"{key + ':':<{width}} {value}")


@replay.command(context_settings=SETTINGS)
@click.option("--to", "target", type=WRITTEN_FORMAT, required=True, help="Format to write.")
@click.option("--output", "-o", type=NEW_FILE, help="File to write. [default: standard output]")
@overwrite_option
@click.option("--partial", is_flag=True, help="Accept a game that is not played to its end.")
@reads_game
def convert(source: RecordedSource, target: str, output: NewFile | None) -> None:
    """Write a game in another format.

    Written are replay (replay files), standard (numbered moves like e2 e8 e3h), lan (wire transcripts of the
    2016 protocol) and athens (command lists of the Athens protocol). --from names all formats that are read.
    """
    try:
        text = format_game(source.game, RecordFormat(target))
    except ReplayError as error:
        raise click.ClickException(
            f"{source.file} cannot be written as {target}: {error.sentence}."
        ) from None
    if output is None:
        # Files of all formats are UTF-8, whatever the encoding of the terminal.
        click.echo(text.encode(), nl=False)
        return
    try:
        output.write(text)
        output.flush()
    except OSError as error:
        discard_unwritten(output)
        raise click.ClickException(f"cannot write {output.name}: {error.strerror}.") from None


@replay.command(context_settings=SETTINGS)
@click.option(
    "--at", "ply", metavar="PLY", type=click.IntRange(0), help="Show the position after so many plies only."
)
@options.web("the game")
@options.ALLOW_BROWSERS
@reads_game
def show(source: RecordedSource, ply: int | None, web: WebAddress | None) -> None:
    """Step through a game in the terminal, or with --web in the browser.

    Without a terminal, print the moves and the last position.
    """
    game = source.game
    if ply is not None and ply > len(game.plies):
        raise click.UsageError(f"the game has {len(game.plies)} plies, there is no ply {ply}.")
    if web is not None:
        # What serves browsers is imported only where it is asked for.
        from quoridor_net.engine import Limits
        from quoridor_net.web.engine_lines import EngineLines
        from quoridor_net.web.sites import replay as site_of

        engines = Engines(is_silent=True)
        lines = EngineLines(engines.engine(Limits()), processors())
        clock.run(until_seen, web, site_of(game, lines), trio.sleep_forever)
        leave(ExitStatus.DONE)
    # Drawing needs rich, which takes longer to load than checking a game takes.
    from quoridor_net.ui.replay_view import print_game, print_position, step_through

    if ply is not None:
        print_position(game, ply)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        step_through(game)
    else:
        print_game(game)


def _outcome(game: Replay) -> str:
    outcome = game.outcome
    if outcome is None:
        return f"not played to its end, player {game.position().turn} to move"
    if outcome.winner is None:
        return f"drawn ({visible(outcome.termination)})"
    return f"player {outcome.winner} wins ({visible(outcome.termination)})"
