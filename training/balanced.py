"""Balanced openings for tournaments (``--openings balanced``).

Two players on 9x9: a few steps forward and walls near the pawns, drawn at random and kept if the engine
scores them about even. 250 openings take about ten minutes.
"""

from __future__ import annotations

import random
from pathlib import Path

import click

from quoridor_net.engine import Engine, warm_up
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import STANDARD_SIZE
from training import options, shipped
from training.openings import BALANCED, JUDGED_NODES, find_balanced_opening


@click.command()
@click.option("--count", type=click.IntRange(1), default=250, show_default=True, help="Number of openings.")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed; determines the openings.")
@options.out(shipped.BALANCED)
def main(count: int, seed: int, out: Path) -> None:
    """Write balanced openings, one per line."""
    warm_up()
    source, judge = random.Random(seed), Engine(seed=seed)
    found: dict[str, None] = {}
    while len(found) < count:
        position = find_balanced_opening(source, STANDARD_SIZE, None, judge)
        found[" ".join(format_move(ply.move) for ply in position.history if ply.move is not None)] = None
        click.echo(f"\r{len(found)} of {count}", nl=len(found) == count)
    head = (
        f"# {count} openings, after which {JUDGED_NODES:,} nodes find no side better by more than\n"
        f"# {BALANCED / 100:g} steps. Made by: python -m training balanced --count {count} --seed {seed}\n"
    )
    out.write_text(head + "".join(f"{moves}\n" for moves in found), "ascii")
