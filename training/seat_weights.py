"""The weights of the evaluation for four players are fitted to the results of games of a mixed league.

Players of different kinds play one another (``training.league``), so that the evaluation learns what a lead
is worth against those that run, that build, and that search. What is fitted is a softmax over the seats. How
strong a kind is, and what its walls are worth to it, is fitted beside it and left out of the result: who
plays badly wins little with its walls in hand, which says nothing about walls.
"""

from __future__ import annotations

import random

import click
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from quoridor_net.engine import Limits
from quoridor_net.engine.board.convert import load_position, new_state
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.evaluation.weights import SEAT_TERM_COUNT, SEAT_TERM_VALUES, SEAT_WEIGHT_UNITS
from quoridor_net.engine.maxn.evaluate import measure_seats
from quoridor_net.engine.maxn.tree import Tree
from quoridor_net.jit.records import new_record
from quoridor_net.rules import Jumps
from training.games import held_out
from training.league import KINDS, opening, play

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The sizes of the boards, and of the kinds of players, with how often each is drawn.
_SIZES, _SIZE_SHARES = (7, 9, 11), (1, 4, 1)
_KINDS, _KIND_SHARES = tuple(KINDS), (3, 3, 1, 1, 1)
_MOST_OPENING_PLIES = 12
_NEWTON_STEPS = 30
_RIDGE = 1e-4
_WALLS = list(SEAT_TERM_VALUES).index("seat_walls")


@frozen
class Seen:
    """The positions of games that somebody won.

    Attributes:
        terms: of each seat, of the shape (positions, seats, terms); 0 where a pawn is out of the game.
        kinds: the number of the kind of player in each seat, of the shape (positions, seats).
        winners: the seat that won.
        games: the number of the game.
    """

    terms: Floats
    kinds: Ints
    winners: Ints
    games: Ints


def positions_of_games(games: int, nodes: int, seed: int) -> Seen:
    """Play so many games of the league, the engines with so many nodes each move."""
    source = random.Random(seed)
    boards = {size: (new_state(size, SEATS), new_record(Tree)) for size in _SIZES}
    limits = Limits(nodes=nodes)
    players = {(kind, size): KINDS[kind](size, limits, seed, {}) for kind in _KINDS for size in _SIZES}
    terms: list[Floats] = []
    rows: list[list[int]] = []
    for number in range(games):
        (size,) = source.choices(_SIZES, _SIZE_SHARES)
        state, tree = boards[size]
        kinds = source.choices(range(len(_KINDS)), _KIND_SHARES, k=SEATS)
        start = opening(source, size, source.choice(list(Jumps)), source.randrange(_MOST_OPENING_PLIES))
        seen: list[Floats] = []
        for position in play([players[_KINDS[kind], size] for kind in kinds], start):
            if position.turn is not None:
                load_position(state, position)
                flood_all(state, 0)
                measure_seats(state, tree, 0)
                seen.append(np.array(tree.terms, dtype=np.float64))
        if position.winner is not None:
            terms += seen
            rows += [[number, position.order.index(position.winner), *kinds]] * len(seen)
    table = np.array(rows, dtype=np.int64).reshape(-1, SEATS + 2)
    shaped = np.array(terms).reshape(-1, SEATS, SEAT_TERM_COUNT)
    return Seen(shaped, table[:, 2:], table[:, 1], table[:, 0])


def inputs_of(terms: Floats, kinds: Ints) -> Floats:
    """Return the terms, whether a seat is of each kind but the first, and that times its term of walls."""
    is_of_kind = kinds[:, :, None] == np.arange(1, len(_KINDS))
    return np.concatenate([terms, is_of_kind, is_of_kind * terms[:, :, _WALLS, None]], axis=2)


def chances(inputs: Floats, weights: Floats) -> Floats:
    """Return the chance of each seat, of the shape (positions, seats)."""
    utilities = inputs @ weights
    shares = np.exp(utilities - utilities.max(axis=1, keepdims=True))
    found: Floats = shares / shares.sum(axis=1, keepdims=True)
    return found


def fit(inputs: Floats, winners: Ints) -> Floats:
    """Return the weights that predict the winners best, by Newton's method."""
    weights = np.zeros(inputs.shape[2])
    pull = _RIDGE * len(inputs) * (inputs.var(axis=(0, 1)) + 1e-9)
    won = np.eye(SEATS)[winners]
    for _ in range(_NEWTON_STEPS):
        share = chances(inputs, weights)
        gradient = np.einsum("ps,pst->t", won - share, inputs) - pull * weights
        centred = inputs - np.einsum("ps,pst->pt", share, inputs)[:, None, :]
        hessian = np.einsum("ps,pst,psu->tu", share, centred, centred, optimize=True) + np.diag(pull)
        weights += np.linalg.solve(hessian, gradient)
    return weights


def log_loss(inputs: Floats, winners: Ints, weights: Floats) -> float:
    """Return the mean log-loss of what ``weights`` predict."""
    share = chances(inputs, weights)[np.arange(len(winners)), winners]
    return -float(np.mean(np.log(np.maximum(share, 1e-9))))


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--nodes", type=click.IntRange(min=1), default=200, show_default=True, help="Of max-n, a move.")
@click.option("--seed", type=int, default=1, show_default=True)
def main(games: int, nodes: int, seed: int) -> None:
    """Print the weights that predict the winners of games of a mixed league best.

    They stand in SEAT_TERM_VALUES of quoridor_net/engine/evaluation/weights.py. Every tenth game is held out.
    """
    seen = positions_of_games(games, nodes, seed)
    held = held_out(seen.games)
    inputs = inputs_of(seen.terms, seen.kinds)
    weights = fit(inputs[~held], seen.winners[~held])
    losses = [log_loss(inputs[part], seen.winners[part], weights) for part in (~held, held)]
    click.echo(f"{len(inputs)} positions, log-loss {losses[0]:.4f}, held out {losses[1]:.4f}")
    values = np.rint(SEAT_WEIGHT_UNITS * weights[:SEAT_TERM_COUNT]).astype(int).tolist()
    click.echo(",".join(f"{name}={value}" for name, value in zip(SEAT_TERM_VALUES, values, strict=True)))


if __name__ == "__main__":
    main()
