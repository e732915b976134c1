"""Play games of four between players of different kinds, and print the share that each kind wins.

    python -m benchmarks.engine_pool --blocks 2 --move-time 0.03
    python -m benchmarks.engine_pool --kinds maxn,simple,simple,simple

Each block is one opening, played in all orders of the kinds and under both jump rules. A game that is not
decided after 300 plies is lost for all.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import permutations

import click

from benchmarks.table import print_table
from quoridor_net.engine import Limits, warm_up
from quoridor_net.rules import Jumps
from training.league import KINDS, FourPlayer, opening, play
from training.options import parse_known_weights

#: Of a normal distribution: 95 % lie within so many standard deviations.
_Z = 1.96


def interval(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval (Wilson's) of the share of games won, ``won`` of ``games``."""
    share, spread = won / games, _Z * _Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / games / 4)
    return middle - half, middle + half


def _share(won: Counter[tuple[Jumps, str]], games: Counter[Jumps], name: str, rules: list[Jumps]) -> str:
    """Return how many games under ``rules`` a kind won, in per cent, with the interval."""
    count, total = sum(won[rule, name] for rule in rules), sum(games[rule] for rule in rules)
    low, high = interval(count, total)
    return f"{100 * count / total:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def check_kinds(_context: click.Context, _parameter: click.Parameter, text: str) -> list[str]:
    """Return the names of four kinds that an option has, separated by commas."""
    names = text.split(",")
    for name in names:
        if name not in KINDS:
            raise click.BadParameter(f"there is no kind called {name}, only {', '.join(KINDS)}")
    if len(names) != 4:
        raise click.BadParameter(f"four kinds play, not {len(names)}")
    return names


@click.command()
@click.option("--kinds", callback=check_kinds, default="maxn,best_reply,simple,early_walls")
@click.option("--blocks", type=click.IntRange(min=1), default=2, show_default=True, help="Openings.")
@click.option("--plies", type=click.IntRange(min=0), default=4, show_default=True, help="Of the openings.")
@click.option("--size", type=click.IntRange(3, 11), default=9, show_default=True)
@click.option("--move-time", type=click.FloatRange(min=0.0), default=0.03, show_default=True, help="Seconds.")
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes a move, instead of time.")
@click.option("--seed", default=1, show_default=True)
@click.option("--weights", callback=parse_known_weights, default="", help="Of maxn, name=value,...")
def main(
    kinds: list[str], blocks: int, plies: int, size: int, move_time: float, nodes: int | None, seed: int,
    weights: dict[str, int],
) -> None:  # fmt: skip
    """Print how many games each kind wins, with 95 % intervals."""
    warm_up()
    limits = Limits(time=None if nodes else move_time, nodes=nodes)
    made: list[FourPlayer] = [
        KINDS[name](size, limits, seed + number, weights if name == "maxn" else {})
        for number, name in enumerate(kinds)
    ]
    source = random.Random(seed)
    won: Counter[tuple[Jumps, str]] = Counter()
    games: Counter[Jumps] = Counter()
    length = 0
    for _ in range(blocks):
        opened = source.getrandbits(32)
        for jumps in Jumps:
            start = opening(random.Random(opened), size, jumps, plies)
            # Several players of one kind are one and the same.
            orders = dict.fromkeys(
                tuple(kinds.index(kinds[seat]) for seat in order) for order in permutations(range(4))
            )
            for order in orders:
                *_, last = play([made[number] for number in order], start)
                games[jumps] += 1
                length += last.ply
                winner = "nobody" if last.winner is None else kinds[order[last.order.index(last.winner)]]
                won[jumps, winner] += 1
    rows = [
        [
            name,
            *(
                _share(won, games, name, rules)
                for rules in ([Jumps.OFFICIAL], [Jumps.CLASSROOM], list(Jumps))
            ),
        ]
        for name in dict.fromkeys([*kinds, "nobody"])
    ]
    total = games.total()
    print_table(
        f"{total} games, {length / total:.0f} plies each", ["kind", "official", "classroom", "both"], rows
    )


if __name__ == "__main__":
    main()
