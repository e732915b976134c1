"""Options shared by several commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from quoridor_net.engine.evaluation.weights import check_names

#: An existing file.
EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
#: An existing folder.
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
#: A share from 0 to 1.
SHARE = click.FloatRange(0, 1)
#: The seed of all random choices.
seed = click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed.")
#: Files of games to read.
games = click.argument("games", nargs=-1, required=True, type=EXISTING)


def check_folder(_context: click.Context, _parameter: click.Parameter, file: Path) -> Path:
    """Check that the folder of an output file exists."""
    if not file.parent.is_dir():
        raise click.BadParameter(f"the folder {file.parent} does not exist")
    return file


def out(shipped: Path) -> Callable[[Any], Any]:
    """Return the option ``--out`` of a command that replaces a shipped file."""
    return click.option(
        "--out",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=check_folder,
        default=shipped,
        help="Output file, instead of the shipped one.",
    )


def parse_weights(_context: click.Context, _parameter: click.Parameter, text: str) -> dict[str, int]:
    """Parse changes of weights such as ``name=value,name=value``."""
    found = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        try:
            found[name] = int(value)
        except ValueError:
            raise click.BadParameter(f"{item} is not of the form name=value with an integer value") from None
    return found


def parse_known_weights(context: click.Context, parameter: click.Parameter, text: str) -> dict[str, int]:
    """Parse changes of weights, and reject names that this version does not have."""
    found = parse_weights(context, parameter, text)
    try:
        check_names(found)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return found
