"""Play the engine against the simple player, with two players or one engine among four.

python -m benchmarks.engine_simple --players 4 --games 100 --move-time 0.1
"""

from __future__ import annotations

import click
import trio

from quoridor_net.engine import Limits, Searcher
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Position
from training.options import parse_known_weights


async def play(searcher: Searcher, seat: int, position: Position, limits: Limits, seed: int) -> bool:
    """Return whether the engine wins from the given seat, counted from 0 in turn order."""
    hero = position.order[seat]
    simple = SimplePlayer(seed)
    while position.turn is not None and position.ply < 400:
        if position.turn == hero:
            move = searcher.choose(position, limits).move
        else:
            move = await simple.choose(position, Clock())
        position.push(move)
    return position.winner == hero


@click.command()
@click.option("--players", default=4, type=click.Choice([2, 4]))
@click.option("--games", default=100)
@click.option("--size", default=9)
@click.option("--move-time", type=float, help="Seconds a move.")
@click.option("--nodes", default=5000, help="Nodes a move, when no time is given.")
@click.option("--level", default=10)
@click.option(
    "--weights", "changes", callback=parse_known_weights, default="", help="Of the engine, name=value,..."
)
@click.option("--jumps", default="official", type=click.Choice([str(rule) for rule in Jumps]))
def main(
    players: int,
    games: int,
    size: int,
    move_time: float | None,
    nodes: int,
    level: int,
    changes: dict[str, int],
    jumps: str,
) -> None:
    """Print how many games the engine wins, from all seats in turn."""
    limits = Limits(time=move_time, nodes=None if move_time else nodes, level=level)
    try:
        searcher = Searcher(size, players, 32, weights=changes)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    won = 0
    for number in range(games):
        searcher.clear()
        position = Position(size, players, jumps=Jumps(jumps))
        won += trio.run(play, searcher, number % players, position, limits, number)
    click.echo(f"the engine wins {won} of {games} games ({won / games:.0%}) against {players - 1} simple")


if __name__ == "__main__":
    main()
