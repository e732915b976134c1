"""The scales of winning chances are fitted to games of the engine against itself.

For each kind of game that has a scale of its own (``quoridor_net.analysis.chances``) games begin with random
moves; from then on every position gives a score and, in the end, a result. What is fitted by logistic
regression is how many hundredths of a step multiply the odds of winning by e, and with four players the odds
at a score of 0, too. Beside it stands how often the player won for each range of predicted chances.
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

#: Random plies before the engine plays, for each player.
_LEAST, _MOST = 2, 6
_WALL_SHARE = 0.35
_PLY_LIMIT = 400
_RANGES = 10


@frozen
class PositionKind:
    """Games that share a scale.

    Attributes:
        size: squares on a side.
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
    """Return the scores of all positions of so many games that are not proven, and the results."""
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
    """Return the scale, and the logarithm of the odds at a score of 0, which is 0 unless ``with_base``."""
    columns = [scores / 100, np.ones(len(scores))] if with_base else [scores / 100]
    inputs = np.stack(columns, axis=1)
    weights = regression.fit(inputs, results, 1e-6)
    return 100 / float(weights[0]), float(weights[1]) if with_base else 0.0


def report(kind: PositionKind, scores: Numbers, results: Numbers) -> None:
    """Print what fits best, and how well what is shipped predicts."""
    is_open = np.abs(scores) < DECIDED
    scale, base = fit(scores[is_open], results[is_open], kind.players > 2)
    click.echo(f"{kind}: {len(scores)} positions, scale {scale:.0f}, base {base:+.2f}")
    for name, decided in (("lost", scores <= -DECIDED), ("won", scores >= DECIDED)):
        if decided.any():
            won = 100 * results[decided].mean()
            click.echo(f"  said to be {name}  won {won:3.0f} %  of {int(decided.sum())}")
    start = Position(kind.size, kind.players)
    chances = np.array([chance_of(int(score), start) for score in scores])
    number = np.minimum((chances * _RANGES).astype(int), _RANGES - 1)
    for at in range(_RANGES):
        here = is_open & (number == at)
        if here.any():
            said, won = 100 * chances[here].mean(), 100 * results[here].mean()
            click.echo(f"  predicted {said:3.0f} %  won {won:3.0f} %  of {int(here.sum())}")


@click.command()
@click.option("--games", type=click.IntRange(1), default=200, show_default=True)
@click.option("--nodes", type=click.IntRange(1), default=1000, show_default=True)
@options.seed
@click.option("--kind", "kinds", type=click.IntRange(1, len(KINDS)), multiple=True, help="Only these.")
def main(games: int, nodes: int, seed: int, kinds: tuple[int, ...]) -> None:
    """Print a table for each kind of game.

    The scales stand in quoridor_net/analysis/chances.py.
    """
    for number, kind in enumerate(KINDS, 1):
        if not kinds or number in kinds:
            report(kind, *play(kind, games, nodes, seed))
