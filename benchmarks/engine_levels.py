"""Play each level of the engine against the one below, and print the difference in Elo.

    python -m benchmarks.engine_levels --pairs 60 --processes 2

The simple player meets the levels near it. All pairings use the same balanced openings and play each twice,
with sides exchanged. All levels, also the strongest, are limited by nodes, so that a seed determines the
games.
"""

from __future__ import annotations

import random
from collections import Counter
from multiprocessing import get_context

import click
from attrs import frozen

from benchmarks.table import print_table
from quoridor_net.engine import Engine, Limits, warm_up
from quoridor_net.engine.limits import STRONGEST
from quoridor_net.players import Player
from quoridor_net.players.engine import EnginePlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position
from quoridor_net.tournament.ratings import Score
from training import league
from training.openings import find_balanced_opening

SIMPLE = 0
#: The pairings; the table shows the result of the first side.
PAIRINGS = [
    *((level, level - 1) for level in range(2, STRONGEST + 1)),
    *((SIMPLE, level) for level in (1, 2, 3, 4)),
]
_TABLE_MB = 16


@frozen
class Pair:
    """Two games from one opening.

    Attributes:
        sides: the two levels; SIMPLE for the simple player.
        start: the position after the opening, as a line.
        nodes: nodes per move of the strongest level.
        seed: seed of the errors of levels.
    """

    sides: tuple[int, int]
    start: str
    nodes: int
    seed: int


def player_of(level: int, pair: Pair) -> Player[Position, Move]:
    """Return a player of a level, or the simple player."""
    if level == SIMPLE:
        return SimplePlayer(pair.seed)
    limits = Limits(nodes=pair.nodes) if level == STRONGEST else Limits(level=level)
    return EnginePlayer(pair.seed, limits, _TABLE_MB)


def play(pair: Pair) -> tuple[int, int]:
    """Play both games; return the numbers of wins of the first side and of draws."""
    won = drawn = 0
    for seat, sides in ((1, pair.sides), (2, pair.sides[::-1])):
        players = [player_of(level, pair) for level in sides]
        *_, last = league.play(players, Position.from_line(pair.start))
        won += last.winner == seat
        drawn += last.winner is None
    return won, drawn


def name_of(level: int) -> str:
    """Return the name of a side in the table."""
    return "simple" if level == SIMPLE else f"level {level}"


@click.command()
@click.option(
    "--pairs", type=click.IntRange(min=1), default=60, show_default=True, help="Number of openings."
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    help="Nodes per move of level 10.",
)
@click.option("--size", type=click.IntRange(3, 11), default=9, show_default=True, help="Size of the board.")
@click.option("--seed", default=1, show_default=True, help="Random seed of openings and errors.")
@click.option(
    "--processes", type=click.IntRange(min=1), default=1, show_default=True, help="Number of processes."
)
def main(pairs: int, nodes: int, size: int, seed: int, processes: int) -> None:
    """Print the strength of each level over the one below, with 95 % intervals."""
    warm_up()
    source = random.Random(seed)
    # PVS, because the averages of a best-first search are too close to zero to show an advantage.
    judge = Engine(table_mb=_TABLE_MB, weights={"tree": 0})
    starts = [find_balanced_opening(source, size, None, judge).to_line() for _ in range(pairs)]
    asked = [Pair(sides, start, nodes, source.getrandbits(32)) for start in starts for sides in PAIRINGS]
    won: Counter[tuple[int, int]] = Counter()
    drawn: Counter[tuple[int, int]] = Counter()
    with get_context("spawn").Pool(processes) as pool:
        for pair, found in zip(asked, pool.imap(play, asked), strict=True):
            won[pair.sides] += found[0]
            drawn[pair.sides] += found[1]
    rows = []
    for sides in PAIRINGS:
        score = Score(won[sides], drawn[sides], 2 * pairs - won[sides] - drawn[sides])
        side, other = map(name_of, sides)
        elo = score.elo
        numbers = [str(number) for number in (score.won, score.drawn, score.lost)]
        interval = f"[{elo.low:+.0f}, {elo.high:+.0f}]"
        rows.append([f"{side} over {other}", *numbers, f"{elo.value:+.0f}", interval])
    print_table(f"{2 * pairs} games each on {size}x{size}", ["", "won", "drawn", "lost", "Elo", "95 %"], rows)


if __name__ == "__main__":
    main()
