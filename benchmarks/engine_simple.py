"""Play the engine against the simple player, with two players or as one of four.

python -m benchmarks.engine_simple --players 4 --games 100 --move-time 0.1
"""

from __future__ import annotations

import click
import trio

from quoridor_net.engine import Engine, Limits
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Position
from training.options import parse_known_weights


async def play(engine: Engine, seat: int, position: Position, limits: Limits, seed: int) -> bool:
    """Play a game; return whether the engine wins from ``seat``, counted from 0 in turn order."""
    hero = position.order[seat]
    simple = SimplePlayer(seed)
    while position.turn is not None and position.ply < 400:
        if position.turn == hero:
            move = engine.play(position, limits).move
        else:
            move = await simple.choose(position, Clock())
        position.push(move)
    return position.winner == hero


@click.command()
@click.option("--players", default=4, type=click.Choice([2, 4]), help="Number of players.")
@click.option("--games", default=100, help="Number of games.")
@click.option("--size", default=9, help="Size of the board.")
@click.option("--move-time", type=float, help="Time limit per move, in seconds.")
@click.option("--nodes", default=5000, help="Nodes per move, without --move-time.")
@click.option("--level", default=10, help="Level of the engine.")
@click.option(
    "--weights", "changes", callback=parse_known_weights, default="", help="Weights: name=value,..."
)
@click.option(
    "--jumps", default="official", type=click.Choice([str(rule) for rule in Jumps]), help="Jump rule."
)
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
    """Print how many games the engine wins, playing each seat in turn."""
    limits = Limits(time=move_time, nodes=None if move_time else nodes, level=level)
    try:
        engine = Engine(table_mb=32, weights=changes)
        engine.prepare(size, players)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    won = 0
    for number in range(games):
        engine.clear()
        position = Position(size, players, jumps=Jumps(jumps))
        won += trio.run(play, engine, number % players, position, limits, number)
    rivals = "the simple player" if players == 2 else "three simple players"
    click.echo(f"the engine won {won} of {games} games ({won / games:.0%}) against {rivals}")


if __name__ == "__main__":
    main()
