"""Play games of four between different kinds of players, and print the share that each kind wins.

    python -m benchmarks.engine_pool --blocks 2 --move-time 0.03
    python -m benchmarks.engine_pool --kinds maxn,simple,simple,simple

Each block is one opening, played in all orders of the kinds and under both jump rules. A game that is
undecided after 300 plies is lost for all.
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

#: 95 % of a normal distribution are within this many standard deviations.
_Z = 1.96


def interval(won: int, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the share of games won."""
    share, spread = won / games, _Z * _Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / games / 4)
    return middle - half, middle + half


def _share(won: Counter[tuple[Jumps, str]], games: Counter[Jumps], name: str, rules: list[Jumps]) -> str:
    """Return the share of games under ``rules`` that a kind won, in percent, with its interval."""
    count, total = sum(won[rule, name] for rule in rules), sum(games[rule] for rule in rules)
    low, high = interval(count, total)
    return f"{100 * count / total:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def parse_kinds(_context: click.Context, _parameter: click.Parameter, text: str) -> list[str]:
    """Parse the names of four kinds, separated by commas."""
    names = text.split(",")
    for name in names:
        if name not in KINDS:
            raise click.BadParameter(f"unknown kind {name}; choose from {', '.join(KINDS)}")
    if len(names) != 4:
        raise click.BadParameter(f"give four kinds, not {len(names)}")
    return names


@click.command()
@click.option(
    "--kinds",
    callback=parse_kinds,
    default="maxn,best_reply,simple,early_walls",
    show_default=True,
    help="Kinds of the four players.",
)
@click.option(
    "--blocks", type=click.IntRange(min=1), default=2, show_default=True, help="Number of openings."
)
@click.option("--plies", type=click.IntRange(min=0), default=4, show_default=True, help="Plies per opening.")
@click.option("--size", type=click.IntRange(3, 11), default=9, show_default=True, help="Size of the board.")
@click.option(
    "--move-time",
    type=click.FloatRange(min=0.0),
    default=0.03,
    show_default=True,
    help="Time limit per move, in seconds.",
)
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes per move, instead of --move-time.")
@click.option("--seed", default=1, show_default=True, help="Random seed.")
@click.option("--weights", callback=parse_known_weights, default="", help="Weights of maxn: name=value,...")
def main(
    kinds: list[str], blocks: int, plies: int, size: int, move_time: float, nodes: int | None, seed: int,
    weights: dict[str, int],
) -> None:  # fmt: skip
    """Print the share of games that each kind wins, with 95 % intervals."""
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
            # Several players of one kind are the same object.
            orders = dict.fromkeys(
                tuple(kinds.index(kinds[seat]) for seat in order) for order in permutations(range(4))
            )
            for order in orders:
                *_, last = play([made[number] for number in order], start)
                games[jumps] += 1
                length += last.ply
                winner = "none" if last.winner is None else kinds[order[last.order.index(last.winner)]]
                won[jumps, winner] += 1
    rows = [
        [
            name,
            *(
                _share(won, games, name, rules)
                for rules in ([Jumps.OFFICIAL], [Jumps.CLASSROOM], list(Jumps))
            ),
        ]
        for name in dict.fromkeys([*kinds, "none"])
    ]
    total = games.total()
    print_table(
        f"{total} games, {length / total:.0f} plies each", ["kind", "official", "classroom", "both"], rows
    )


if __name__ == "__main__":
    main()
