"""Scales of winning chances, fitted to games of the engine against itself.

For each kind of game with its own scale (``quoridor_net.analysis.chances``), games begin with random moves.
Every later position gives a score and the result of its game. A logistic regression finds the score, in
hundredths of a step, that multiplies the odds of winning by e; with four players also the odds at a score
of 0. The report adds the share of wins for each range of predicted chances.
"""

from __future__ import annotations

import random

import click
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from quoridor_net.analysis.chances import chance_of
from quoridor_net.engine import Engine, Limits
from quoridor_net.engine.scores import DECIDED, PROVEN
from quoridor_net.rules import Jumps, Position, Step, Wall
from training import options, regression
from training.openings import is_near

Numbers = NDArray[np.float64]

#: Minimum and maximum number of random plies per player before the engine plays.
_LEAST, _MOST = 2, 6
_WALL_SHARE = 0.35
_PLY_LIMIT = 400
_RANGES = 10


@frozen
class PositionKind:
    """A kind of game with one scale.

    Attributes:
        size: number of rows and columns.
        players: 2 or 4.
        jumps: the jump rule.
    """

    size: int
    players: int
    jumps: Jumps = Jumps.OFFICIAL

    def __str__(self) -> str:
        return f"{self.size}x{self.size}, {self.players} players, {self.jumps} jumps"


KINDS = (
    PositionKind(9, 2),
    PositionKind(9, 2, Jumps.CLASSROOM),
    PositionKind(7, 2),
    PositionKind(11, 2),
    PositionKind(12, 2),
    PositionKind(9, 4),
    PositionKind(9, 4, Jumps.CLASSROOM),
)


def opening(source: random.Random, kind: PositionKind) -> Position:
    """Return a position after a few random steps and walls near pawns."""
    position = Position(kind.size, kind.players, None, kind.jumps)
    for _ in range(kind.players * source.randint(_LEAST, _MOST)):
        moves = position.legal_moves
        steps = [move for move in moves if isinstance(move, Step)]
        walls = [move for move in moves if isinstance(move, Wall) and is_near(position, move)]
        chosen = walls if walls and source.random() < _WALL_SHARE else steps or moves
        position.push(source.choice(chosen))
        if position.turn is None:
            return opening(source, kind)
    return position


def play(kind: PositionKind, games: int, nodes: int, seed: int) -> tuple[Numbers, Numbers]:
    """Play ``games`` games; return the scores of all unproven positions, and the results."""
    source = random.Random(f"{seed} {kind}")
    engine = Engine(seed=seed, table_mb=16)
    scores: list[int] = []
    results: list[bool] = []
    for _ in range(games):
        engine.clear()
        position = opening(source, kind)
        seen: list[tuple[int, int]] = []
        while position.turn is not None and position.ply < _PLY_LIMIT:
            found = engine.play(position, Limits(nodes=nodes))
            if abs(found.score) < PROVEN:
                seen.append((position.turn, found.score))
            position.push(found.move)
        if position.winner is not None:
            scores += [score for _, score in seen]
            results += [player == position.winner for player, _ in seen]
    return np.array(scores, dtype=np.float64), np.array(results, dtype=np.float64)


def fit(scores: Numbers, results: Numbers, with_base: bool) -> tuple[float, float]:
    """Return the scale and, if ``with_base``, the log-odds at a score of 0 (otherwise 0)."""
    columns = [scores / 100, np.ones(len(scores))] if with_base else [scores / 100]
    inputs = np.stack(columns, axis=1)
    weights = regression.fit(inputs, results, 1e-6)
    return 100 / float(weights[0]), float(weights[1]) if with_base else 0.0


def report(kind: PositionKind, scores: Numbers, results: Numbers) -> None:
    """Print the best fit, and how well the shipped scale predicts."""
    is_open = np.abs(scores) < DECIDED
    scale, base = fit(scores[is_open], results[is_open], kind.players > 2)
    click.echo(f"{kind}: {len(scores)} positions, scale {scale:.0f}, base {base:+.2f}")
    for name, decided in (("lost", scores <= -DECIDED), ("won", scores >= DECIDED)):
        if decided.any():
            won = 100 * results[decided].mean()
            click.echo(f"  called {name}  won {won:3.0f} %  of {int(decided.sum())}")
    start = Position(kind.size, kind.players)
    chances = np.array([chance_of(int(score), start) for score in scores])
    number = np.minimum((chances * _RANGES).astype(int), _RANGES - 1)
    for at in range(_RANGES):
        here = is_open & (number == at)
        if here.any():
            said, won = 100 * chances[here].mean(), 100 * results[here].mean()
            click.echo(f"  predicted {said:3.0f} %  won {won:3.0f} %  of {int(here.sum())}")


@click.command()
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="Games per kind.")
@click.option("--nodes", type=click.IntRange(1), default=1000, show_default=True, help="Nodes per move.")
@options.seed
@click.option(
    "--kind",
    "kinds",
    type=click.IntRange(1, len(KINDS)),
    multiple=True,
    help="Number of a kind [default: all].",
)
def main(games: int, nodes: int, seed: int, kinds: tuple[int, ...]) -> None:
    """Print the scale and a table of predictions for each kind of game.

    Copy the scales to quoridor_net/analysis/chances.py.
    """
    for number, kind in enumerate(KINDS, 1):
        if not kinds or number in kinds:
            report(kind, *play(kind, games, nodes, seed))
