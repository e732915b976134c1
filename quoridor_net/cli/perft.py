"""``quoridor perft``: count the move sequences from a position, to check and to time a move generator."""

from __future__ import annotations

import click

from quoridor_net.notation.standard import format_move
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, STANDARD_SIZE, Jumps, Position
from quoridor_net.text import UnparsableError


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("depth", type=click.IntRange(0, 100))
@click.option(
    "--position", "line", metavar="LINE", help='Position to start from, like " /  / e1 e9 / 10 10 / 1".'
)
@click.option("--players", type=click.Choice(["2", "4"]), help="Number of players.  [default: 2]")
@click.option("--size", type=click.IntRange(MIN_SIZE, MAX_SIZE), help="Squares on a side.  [default: 9]")
@click.option(
    "--walls", type=click.IntRange(0), help="Walls of each player.  [default: 10 with two, 5 with four]"
)
@click.option(
    "--jumps",
    type=click.Choice([str(rule) for rule in Jumps]),
    default=str(Jumps.OFFICIAL),
    show_default=True,
    help="Jump rule.",
)
@click.option("--divide", is_flag=True, help="Print the count of each first move too.")
def perft(
    depth: int,
    line: str | None,
    players: str | None,
    size: int | None,
    walls: int | None,
    jumps: str,
    divide: bool,
) -> None:
    """Print how many sequences of exactly DEPTH plies there are.

    A game that is over has none. The start position of --players, --size and --walls is used unless
    --position gives another.
    """
    rule = Jumps(jumps)
    if line is None:
        position = Position(size or STANDARD_SIZE, int(players or 2), walls, rule)
    else:
        _refuse_with_position({"--players": players, "--size": size, "--walls": walls})
        try:
            position = Position.from_line(line, rule)
        except UnparsableError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--position'") from None
    if divide:
        if depth == 0:
            raise click.UsageError("--divide needs a DEPTH of 1 or more.")
        total = 0
        for move, count in position.divide(depth).items():
            click.echo(f"{format_move(move)} {count}")
            total += count
        click.echo(total)
    else:
        click.echo(position.perft(depth))


def _refuse_with_position(options: dict[str, object]) -> None:
    for name, value in options.items():
        if value is not None:
            raise click.UsageError(f"{name} cannot be given with --position, which already says it.")
