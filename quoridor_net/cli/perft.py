"""``quoridor perft``: counts move sequences to test and time a move generator."""

from __future__ import annotations

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position
from quoridor_net.text import UnparsableError


@command()
@click.argument("depth", type=options.Integer(0, 100))
@click.option("--position", "line", metavar="LINE", help="Start position, as quoridor replay info prints it.")
@options.PLAYERS
@options.SIZE
@options.WALLS
@options.JUMPS
@click.option("--divide", is_flag=True, help="Also print the count for each first move.")
def perft(
    depth: int,
    line: str | None,
    players: str | None,
    size: int | None,
    walls: int | None,
    jumps: Jumps,
    divide: bool,
) -> None:
    """Count the move sequences of exactly DEPTH plies.

    A game that is over has none. The count begins at --position or, without it, at the start position for
    --players, --size and --walls.
    """
    if line is None:
        position = Position(size or STANDARD_SIZE, int(players or 2), walls, jumps)
    else:
        for name, value in (("--players", players), ("--size", size), ("--walls", walls)):
            if value is not None:
                raise click.UsageError(f"{name} and --position exclude each other.")
        try:
            position = Position.from_line(line, jumps)
        except UnparsableError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--position'") from None
    if divide:
        if depth == 0:
            raise click.UsageError("--divide needs a DEPTH of 1 or more.")
        counts = position.divide(depth)
        for move, count in counts.items():
            click.echo(f"{format_move(move)} {count}")
        click.echo(sum(counts.values()))
    else:
        click.echo(position.perft(depth))
