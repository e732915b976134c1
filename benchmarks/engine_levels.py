"""Play each level of the engine against the one below, and print in Elo how much stronger it is.

    python -m benchmarks.engine_levels --pairs 60 --processes 2

The simple player meets the levels near it. All pairings begin with the same openings, that the engine thinks
even, and play each twice, each side moving first once. Levels are limited by nodes, here the strongest one,
too: the same seed plays the same games.
"""

from __future__ import annotations

import random
from functools import reduce
from multiprocessing import get_context

import click
import trio
from attrs import frozen

from benchmarks.table import print_table
from quoridor_net.engine import Limits, Searcher, warm_up
from quoridor_net.engine.limits import STRONGEST
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position
from quoridor_net.tournament.ratings import Score
from training.openings import balanced_opening

SIMPLE = 0
#: Who plays whom, the side whose strength is told first.
PAIRINGS = [
    *((level, level - 1) for level in range(2, STRONGEST + 1)),
    *((SIMPLE, level) for level in (1, 2, 3, 4)),
]
#: A game that lasts longer is drawn.
_PLY_LIMIT = 300
_TABLE_MB = 16


@frozen
class Pair:
    """Two games from one opening.

    Attributes:
        sides: the levels that play, SIMPLE for the simple player.
        start: the position after the opening, as a line.
        nodes: of the strongest level for each move.
        seed: of what levels overlook.
    """

    sides: tuple[int, int]
    start: str
    nodes: int
    seed: int


class LevelPlayer:
    """A level of the engine, or the simple player, in one game."""

    def __init__(self, level: int, size: int, nodes: int, seed: int) -> None:
        self._simple = SimplePlayer(seed) if level == SIMPLE else None
        self._searcher = Searcher(size, 2, _TABLE_MB, seed)
        self._limits = Limits(nodes=nodes) if level in {SIMPLE, STRONGEST} else Limits(level=level)

    def play(self, position: Position) -> None:
        """Make a move in ``position``."""
        if self._simple is None:
            position.push(self._searcher.choose(position, self._limits).move)
        else:
            position.push(trio.run(self._simple.choose, position, Clock()))


def play(pair: Pair) -> Score:
    """Play both games and return the score of the first side."""
    scores = []
    for first, second in ((1, 2), (2, 1)):
        position = Position.from_line(pair.start)
        players = {
            seat: LevelPlayer(level, position.size, pair.nodes, pair.seed)
            for seat, level in zip((first, second), pair.sides, strict=True)
        }
        while position.turn is not None and position.ply < _PLY_LIMIT:
            players[position.turn].play(position)
        scores.append(Score(position.winner == first, position.winner is None, position.winner == second))
    return reduce(add, scores)


def add(one: Score, other: Score) -> Score:
    """Return the score of the games of both."""
    return Score(one.won + other.won, one.drawn + other.drawn, one.lost + other.lost)


def name_of(level: int) -> str:
    """Return what a side is called in the table."""
    return "simple" if level == SIMPLE else f"level {level}"


@click.command()
@click.option("--pairs", type=click.IntRange(min=1), default=60, show_default=True, help="Openings.")
@click.option("--nodes", type=click.IntRange(min=1), default=100_000, show_default=True, help="Of level 10.")
@click.option("--size", type=click.IntRange(3, 11), default=9, show_default=True)
@click.option("--seed", default=1, show_default=True, help="Decides on openings and errors.")
@click.option("--processes", type=click.IntRange(min=1), default=1, show_default=True)
def main(pairs: int, nodes: int, size: int, seed: int, processes: int) -> None:
    """Print how much stronger each level is than the one below, with 95 % intervals."""
    warm_up()
    source = random.Random(seed)
    # Averages of a best-first search are too even to tell.
    judge = Searcher(size, 2, _TABLE_MB, weights={"tree": 0})
    starts = [balanced_opening(source, size, None, judge).to_line() for _ in range(pairs)]
    asked = [Pair(sides, start, nodes, source.getrandbits(32)) for start in starts for sides in PAIRINGS]
    scores = dict.fromkeys(PAIRINGS, Score(0, 0, 0))
    with get_context("spawn").Pool(processes) as pool:
        for pair, score in zip(asked, pool.imap(play, asked), strict=True):
            scores[pair.sides] = add(scores[pair.sides], score)
    rows = []
    for (side, other), score in scores.items():
        elo = score.elo
        numbers = [str(number) for number in (score.won, score.drawn, score.lost)]
        interval = f"[{elo.low:+.0f}, {elo.high:+.0f}]"
        rows.append([f"{name_of(side)} over {name_of(other)}", *numbers, f"{elo.value:+.0f}", interval])
    print_table(f"{2 * pairs} games each on {size}x{size}", ["", "won", "drawn", "lost", "Elo", "95 %"], rows)


if __name__ == "__main__":
    main()
