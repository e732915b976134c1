"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from quoridor_net.engine.evaluation.weights import check_names

#: A file that is there.
EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
#: A share of all.
SHARE = click.FloatRange(0, 1)
#: What everything random comes from.
seed = click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
#: The files of games that a command reads.
games = click.argument("games", nargs=-1, required=True, type=EXISTING)


def in_a_folder(_context: click.Context, _parameter: click.Parameter, file: Path) -> Path:
    """Return the file that is to be written."""
    if not file.parent.is_dir():
        raise click.BadParameter(f"there is no folder {file.parent}")
    return file


def out(shipped: Path) -> Callable[[Any], Any]:
    """Return the option for where to write what replaces a shipped file."""
    return click.option(
        "--out",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=in_a_folder,
        default=shipped,
        help="Instead of the shipped file.",
    )


def changed_weights(_context: click.Context, _parameter: click.Parameter, text: str) -> dict[str, int]:
    """Return the changes of weights that an option names."""
    found = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        try:
            found[name] = int(value)
        except ValueError:
            raise click.BadParameter(f"{item} is not name=value with a whole number") from None
    return found


def known_weights(context: click.Context, parameter: click.Parameter, text: str) -> dict[str, int]:
    """Return the changes of weights that an option names, of which this version knows all."""
    found = changed_weights(context, parameter, text)
    try:
        check_names(found)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return found
