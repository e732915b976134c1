"""Make the openings that tournaments play with ``--openings balanced``.

    python -m benchmarks.balanced_openings > quoridor_net/tournament/balanced.txt

Two players on 9x9: a few steps forward and walls near the pawns, drawn at random and kept where the engine
thinks that neither side is better. Takes some ten minutes.
"""

from __future__ import annotations

import random

import click

from benchmarks.engine_match import BALANCED, JUDGED_NODES, balanced_opening
from quoridor_net.engine import Searcher, warm_up
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import STANDARD_SIZE


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--count", type=click.IntRange(1), default=250, show_default=True, help="Number of openings.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same openings.")
def main(count: int, seed: int) -> None:
    """Print openings, one in each line."""
    warm_up()
    source, judge = random.Random(seed), Searcher(STANDARD_SIZE, 2, seed=seed)
    click.echo(f"# {count} openings, after which {JUDGED_NODES:,} nodes find no side better by more than")
    command = f"python -m benchmarks.balanced_openings --count {count} --seed {seed}"
    click.echo(f"# {BALANCED / 100:g} steps. Made by: {command}")
    found: set[str] = set()
    while len(found) < count:
        position = balanced_opening(source, STANDARD_SIZE, None, judge)
        moves = " ".join(format_move(ply.move) for ply in position.history if ply.move is not None)
        if moves not in found:
            found.add(moves)
            click.echo(moves)


if __name__ == "__main__":
    main()
