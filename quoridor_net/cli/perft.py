"""``quoridor perft``: count the move sequences from a position, to check and to time a move generator."""

from __future__ import annotations

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position
from quoridor_net.text import UnparsableError


@command()
@click.argument("depth", type=click.IntRange(0, 100))
@click.option(
    "--position", "line", metavar="LINE", help='Position to start from, like " /  / e1 e9 / 10 10 / 1".'
)
@options.PLAYERS
@options.SIZE
@options.WALLS
@options.JUMPS
@click.option("--divide", is_flag=True, help="Print the count of each first move too.")
def perft(
    depth: int,
    line: str | None,
    players: str | None,
    size: int | None,
    walls: int | None,
    jumps: Jumps,
    divide: bool,
) -> None:
    """Print how many sequences of exactly DEPTH plies there are.

    A game that is over has none. The start position of --players, --size and --walls is used unless
    --position gives another.
    """
    if line is None:
        position = Position(size or STANDARD_SIZE, int(players or 2), walls, jumps)
    else:
        for name, value in (("--players", players), ("--size", size), ("--walls", walls)):
            if value is not None:
                raise click.UsageError(f"{name} cannot be given with --position, which already says it.")
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
