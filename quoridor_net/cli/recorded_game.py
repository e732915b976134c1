"""A recorded game as an argument: FILE and the options that describe its format."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from attrs import frozen

from quoridor_net.cli import options
from quoridor_net.replay import WRITTEN, Fault, RecordFormat, Replay, ReplayError, format_of, parse_game
from quoridor_net.replay.collection import find_game, split_games
from quoridor_net.replay.text import read_text
from quoridor_net.rules import Jumps
from quoridor_net.text import visible
from quoridor_net.text_file import explain, standard_input, unify_line_ends

#: The formats that can be read, and those that can be written.
FORMAT = click.Choice([str(form) for form in RecordFormat])
WRITTEN_FORMAT = click.Choice([str(form) for form in WRITTEN])


@frozen
class RecordedSource:
    """A parsed game, the name of its file for messages, and its format."""

    game: Replay
    file: str
    form: RecordFormat


def game_argument(command: Callable[..., None]) -> Any:
    """Give ``command`` FILE and the options for its format, as one :class:`RecordedSource`."""

    @click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
    @click.option(
        "--from",
        "origin",
        type=FORMAT,
        metavar="FORMAT",
        help=f"Format of FILE: {', '.join(FORMAT.choices)}. [default: detected]",
    )
    @click.option(
        "--game",
        "number",
        type=options.Integer(1),
        help="Number of the game in a file with several, from 1.",
    )
    @options.ASSUMED_JUMPS
    @wraps(command)
    def parse(
        file: str,
        origin: str | None,
        number: int | None,
        jumps: Jumps | None,
        partial: bool = True,
        **others: Any,
    ) -> None:
        try:
            text = text_of(file)
            chosen = find_game(unify_line_ends(text), number)
            form = RecordFormat(origin) if origin else format_of(chosen or text)
            if number is not None and chosen is None and form is not RecordFormat.LAN:
                raise click.UsageError(f"--game needs a file with several games; {name_of(file)} has one.")
            game = parse_game(text, form, jumps=jumps, partial=partial, number=number)
        except ReplayError as error:
            found = f" (read as {error.form})" if error.form and origin is None else ""
            raise click.ClickException(where(file, error) + found) from None
        except OSError as error:
            raise click.UsageError(f"{where(file, error)}.") from None
        if game.reading:
            click.echo(f"Note: in {name_of(file)}, {game.reading}.", err=True)
        command(RecordedSource(game, name_of(file), form), **others)

    return parse


def text_of(file: str) -> str:
    """Return the text of ``file``; ``-`` is standard input.

    Raises:
        OSError: it cannot be read.
        ReplayError: it is not text, or too long.
    """
    return read_text(standard_input() if file == "-" else file)


def games_of(file: str) -> list[tuple[str, int, str]]:
    """Return the games of ``file``: a name for messages, the number of lines before it, and its text.

    Raises:
        OSError: it cannot be read.
        ReplayError: it is not text, or too long.
    """
    games = split_games(text_of(file))
    name = name_of(file)
    return [
        (name if len(games) == 1 else f"{name}, game {number}", before, text)
        for number, (before, text) in enumerate(games, 1)
    ]


def name_of(file: str) -> str:
    """Return the name of ``file`` for messages."""
    return "<stdin>" if file == "-" else visible(file)


def where(file: str, error: OSError | ReplayError) -> str:
    """Return ``FILE:LINE:COLUMN: REASON``, without line and column if the file cannot be read at all."""
    if isinstance(error, OSError):
        return explain(name_of(file), error)
    option = " with --game" if error.fault is Fault.SEVERAL else ""
    return f"{name_of(file)}:{error.line}:{error.column}: {error.sentence}{option}"
