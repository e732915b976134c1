"""``quoridor replay``: shows, checks and converts recorded games."""

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
    game_argument,
    games_of,
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
from quoridor_net.text import count_things, visible

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress


@click.group(context_settings=SETTINGS)
def replay() -> None:
    """Show, check and convert recorded games.

    FILE is a replay file or a game in another format; - means standard input.
    """


@replay.command(context_settings=SETTINGS)
@click.argument("files", metavar="FILE...", type=click.Path(allow_dash=True), nargs=-1, required=True)
@click.option("--partial", is_flag=True, help="Accept unfinished games.")
@click.option(
    "--extended",
    is_flag=True,
    help="Accept the extensions that a file announces (four players, other boards).",
)
@click.option(
    "--from",
    "origin",
    type=FORMAT,
    default=str(RecordFormat.REPLAY),
    show_default=True,
    metavar="FORMAT",
    help=f"Format of the files: {', '.join(FORMAT.choices)}.",
)
@options.JUMPS
def check(files: tuple[str, ...], partial: bool, extended: bool, origin: str, jumps: Jumps) -> None:
    """Check games against the rules.

    Replay files are checked against their grammar, too, and all games of a file are checked. Mistakes are
    printed as FILE:LINE:COLUMN: REASON. The exit status is 1 if there is one.
    """
    failed = False
    for file in files:
        try:
            games = games_of(file)
        except (OSError, ReplayError) as error:
            failed = True
            click.echo(where(file, error), err=True)
            continue
        for name, before, text in games:
            try:
                if origin == RecordFormat.REPLAY:
                    game = parse_replay(text, strict=not extended, partial=partial, jumps=jumps)
                else:
                    game = parse_game(text, RecordFormat(origin), partial=partial, jumps=jumps)
            except ReplayError as error:
                failed = True
                error.line += before
                click.echo(f"{where(file, error)}{_advice(text, error, RecordFormat(origin))}", err=True)
            else:
                count = count_things(len(game.plies), "ply")
                click.echo(f"{name}: correct, {count}; {_outcome(game)}")
    sys.exit(ExitStatus.FAILED if failed else ExitStatus.DONE)


def _advice(text: str, error: ReplayError, origin: RecordFormat) -> str:
    """Return advice for some mistakes in files that were read as ``origin``, or an empty string."""
    if error.fault is Fault.EXTENSION:
        return " (accepted with --extended)"
    if error.fault is Fault.UNFINISHED:
        return " (accepted with --partial)"
    if error.fault is Fault.SYNTAX:
        with suppress(ReplayError):
            form = format_of(text)
            if form is not origin:
                return f" (this looks like {form}; try --from {form})"
    return ""


@replay.command(context_settings=SETTINGS)
@game_argument
def info(source: RecordedSource) -> None:
    """Print the format, players, board, length and outcome of a game."""
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
        ("Final position", position.to_line()),
    ]
    width = max(len(key) for key, _ in rows) + 1
    for key, value in rows:
        click.echo(f"{key + ':':<{width}} {value}")


@replay.command(context_settings=SETTINGS)
@click.option("--to", "target", type=WRITTEN_FORMAT, required=True, help="Format to write.")
@click.option("--output", "-o", type=NEW_FILE, help="File to write. [default: standard output]")
@overwrite_option
@click.option("--partial", is_flag=True, help="Accept an unfinished game.")
@game_argument
def convert(source: RecordedSource, target: str, output: NewFile | None) -> None:
    """Convert a game to another format.

    Formats to write are replay (replay files), standard (numbered moves such as e2 e8 e3h), lan (transcripts
    of the 2016 protocol) and athens (command lists of the Athens protocol). --from lists all formats to read.
    """
    try:
        text = format_game(source.game, RecordFormat(target))
    except ReplayError as error:
        raise click.ClickException(
            f"{source.file} cannot be written as {target}: {error.sentence}."
        ) from None
    if output is None:
        # All formats are UTF-8, whatever the encoding of the terminal.
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
    "--at",
    "ply",
    metavar="PLY",
    type=options.Integer(0),
    help="Print only the position after this many plies.",
)
@options.web("the game")
@options.ALLOW_BROWSERS
@game_argument
def show(source: RecordedSource, ply: int | None, web: WebAddress | None) -> None:
    """Step through a game in the terminal or the browser (--web).

    If input or output is not a terminal, print the moves and the final position.
    """
    game = source.game
    if ply is not None and ply > len(game.plies):
        raise click.UsageError(f"there is no ply {ply}: the game has {count_things(len(game.plies), 'ply')}.")
    if web is not None:
        # Imported here because most commands run without a web page.
        from quoridor_net.engine import Limits
        from quoridor_net.web.engine_lines import EngineLines
        from quoridor_net.web.sites import replay as site_of

        engines = Engines(is_silent=True)
        lines = EngineLines(engines.engine(Limits()), processors())
        clock.run(until_seen, web, site_of(game, lines), trio.sleep_forever)
        leave(ExitStatus.DONE)
    # Imported here because loading rich takes longer than checking a game.
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
        return f"unfinished, player {game.position().turn} to move"
    if outcome.winner is None:
        return f"drawn ({visible(outcome.termination)})"
    return f"player {outcome.winner} wins ({visible(outcome.termination)})"
