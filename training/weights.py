"""Weights of the linear evaluation for two players, fitted to the results of games."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine.evaluation.weights import TERM_VALUES
from training import options
from training.examples import Extractor, Ints
from training.regression import Floats, fit, log_loss
from training.samples import Samples, hold_out, read

#: More walls than this add no worth.
WALLS = 10
#: Batch size.
_AT_ONCE = 100_000


def combine_inputs(terms: Floats, own: Ints, other: Ints) -> Floats:
    """Return the terms, and for each count of walls whether the player has it minus whether the rival has."""
    counts = np.arange(1, WALLS + 1)
    # The weight of a count is the worth that this wall adds to the ones before it.
    walls = (own[:, None] >= counts).astype(np.float64) - (other[:, None] >= counts)
    return np.concatenate([terms, walls], axis=1)


def find_inputs(samples: Samples) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return inputs and results of the positions, and which are held out.

    Positions without walls left are skipped, because the engine searches such races to the end.
    """
    extractor = Extractor()
    inputs, results, games = [], [], []
    for first in range(0, len(samples), _AT_ONCE):
        part = samples[first : first + _AT_ONCE]
        part = part[part["walls_left"].sum(axis=1) > 0]
        found = extractor.examples(part)
        inputs.append(combine_inputs(found.terms.astype(np.float64), *found.left.T))
        results.append(found.won.astype(np.float64))
        games.append(part["game"])
    return np.concatenate(inputs), np.concatenate(results), hold_out(np.concatenate(games))


@click.command()
@options.games
@click.option("--without", default="", help="Terms to leave out, separated by commas.")
def main(games: tuple[Path, ...], without: str) -> None:
    """Print the weights that best predict the results of GAMES, files written by ``games``.

    Copy them to TERM_VALUES and WALL_VALUES in quoridor_net/engine/evaluation/weights.py. Every tenth game is
    held out.
    """
    names = [*TERM_VALUES, *(f"wall_{count}" for count in range(1, WALLS + 1))]
    dropped = [name for name in without.split(",") if name]
    for name in dropped:
        if name not in names:
            raise click.BadParameter(f"unknown term: {name}", param_hint="--without")
    inputs, results, held = find_inputs(read(games))
    inputs[:, [names.index(name) for name in dropped]] = 0
    used, known = inputs[~held], results[~held]
    weights = fit(used, known, 1e-4 * len(used) * (used.var(axis=0) + 1e-9))
    click.echo(
        f"{len(inputs)} positions, log-loss {log_loss(used, known, weights):.4f}, "
        f"held out {log_loss(inputs[held], results[held], weights):.4f}"
    )
    scale = 100 / weights[0]
    fitted = {name: round(16 * scale * weight) for name, weight in zip(TERM_VALUES, weights, strict=False)}
    values = np.rint(scale * np.cumsum(weights[len(TERM_VALUES) :])).astype(int)
    fitted |= {f"wall_{count}": value for count, value in enumerate(values.tolist(), 1)}
    click.echo(",".join(f"{name}={value}" for name, value in fitted.items()))
    click.echo(f"one step moves the chance of an even game by {weights[0] / 4:.3f}")
