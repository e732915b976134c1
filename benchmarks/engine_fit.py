"""Fit the weights of the evaluation for two players to the results of self-play.

    python -m benchmarks.engine_fit play games.npz --games 1000 --seed 1
    python -m benchmarks.engine_fit fit games.npz [more.npz ...]

``play`` lets the engine play itself from random openings and stores what the evaluation saw of each position,
with the result. ``fit`` finds by logistic regression the weights that predict the results best, and prints
them, a step being worth 100, together with the log-loss on games held out.
"""

from __future__ import annotations

import random
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.engine_match import opening
from quoridor_net.engine import Limits, Searcher, layout
from quoridor_net.engine.evaluation import measure
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.memory import load, new_memory
from quoridor_net.engine.weights import TERM_COUNT, TERM_VALUES

WALLS = 10
COLUMNS = TERM_COUNT + WALLS


@click.group()
def main() -> None:
    """Play games to learn from, or fit weights to them."""


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--games", default=500)
@click.option("--nodes", default=1500)
@click.option("--seed", default=1)
def play(file: Path, games: int, nodes: int, seed: int) -> None:
    """Play games and store one line for each position: its game, its terms, its walls, its result."""
    source = random.Random(seed)
    searcher = Searcher(9, 2, 8)
    memory = new_memory(9, 2)
    lines: list[list[int]] = []
    for game in range(games):
        position = opening(source, 9, None)
        searcher.clear()
        seen: list[tuple[int, list[int]]] = []
        while position.turn is not None and position.ply < 200:
            load(memory, position)
            flood_all(memory, 0)
            measure(memory, 0)
            terms = [int(term) for term in memory[layout.TERMS : layout.TERMS + TERM_COUNT]]
            walls = [position.walls_left(position.turn), position.walls_left(3 - position.turn)]
            if any(walls):
                seen.append((position.turn, terms + walls))
            limits = Limits(nodes=source.randrange(nodes // 2, nodes * 3 // 2))
            position.push(searcher.choose(position, limits).move)
        if position.winner is not None:
            lines += [[game, *line, int(player == position.winner)] for player, line in seen]
        if game % 100 == 99:
            click.echo(f"{game + 1} games, {len(lines)} positions")
            np.savez_compressed(file, lines=np.array(lines, dtype=np.int32))
    np.savez_compressed(file, lines=np.array(lines, dtype=np.int32))


def _inputs(lines: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the terms and, for each number of walls, whether the player has as many minus its rival."""
    terms = lines[:, 1 : 1 + TERM_COUNT].astype(np.float64)
    own, other = lines[:, 1 + TERM_COUNT], lines[:, 2 + TERM_COUNT]
    counts = np.arange(1, WALLS + 1)
    # The weight of a count is what that wall adds to the ones before it.
    walls = (own[:, None] >= counts).astype(np.float64) - (other[:, None] >= counts)
    return np.concatenate([terms, walls], axis=1)


def _descend(inputs: NDArray[np.float64], results: NDArray[np.float64], rounds: int) -> NDArray[np.float64]:
    """Return the weights of a logistic regression by Newton's method with a little ridge."""
    weights = np.zeros(inputs.shape[1])
    ridge = 1e-4 * len(inputs) * np.diag(inputs.var(axis=0) + 1e-9)
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-(inputs @ weights)))
        slope = inputs.T @ (results - chance) - ridge @ weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + ridge
        weights += np.linalg.solve(bend, slope)
    return weights


def _loss(inputs: NDArray[np.float64], results: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    chance = np.clip(1 / (1 + np.exp(-(inputs @ weights))), 1e-6, 1 - 1e-6)
    return float(-np.mean(results * np.log(chance) + (1 - results) * np.log(1 - chance)))


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--without", default="", help="Terms to leave out, separated by commas.")
def fit(files: tuple[Path, ...], without: str) -> None:
    """Print the weights that predict the results in FILES best."""
    lines = np.concatenate([np.load(file)["lines"] for file in files])
    inputs, results = _inputs(lines), lines[:, -1].astype(np.float64)
    names = [*TERM_VALUES, *(f"wall_{count}" for count in range(1, WALLS + 1))]
    for name in without.split(","):
        if name:
            inputs[:, names.index(name)] = 0
    held = lines[:, 0] % 10 == 0
    weights = _descend(inputs[~held], results[~held], 12)
    click.echo(f"{len(lines)} positions, log-loss {_loss(inputs[~held], results[~held], weights):.4f}, "
               f"held out {_loss(inputs[held], results[held], weights):.4f}")  # fmt: skip
    scale = 100 / weights[0]
    found = {name: round(16 * scale * weight) for name, weight in zip(names, weights, strict=True)}
    total = 0.0
    for count in range(1, WALLS + 1):
        total += scale * weights[TERM_COUNT + count - 1]
        found[f"wall_{count}"] = round(total)
    click.echo(",".join(f"{name}={value}" for name, value in found.items()))
    click.echo(f"one step moves the chance of an even game by {weights[0] / 4:.3f}")


if __name__ == "__main__":
    main()
