"""Training of the network for four players, which predicts the winner of games of a mixed league.

Columns are combinations of a few functions of their quantity, the *basis*, so that a rare distance is valued
like its neighbours. The strength of each kind of player, and the worth of walls to it, are learned too but
left out of the file: a weak player wins little with its walls in hand, which says nothing about walls.
"""

from __future__ import annotations

import math
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.maxn import network as shipped
from quoridor_net.engine.maxn.network import ONE, UNITS
from training import options
from training.adam import Adam
from training.samples import hold_out, save_arrays
from training.seat_games import KIND_NAMES, Ints, Seen, play_games
from training.shipped import SEAT_NETWORK

Floats = NDArray[np.float32]

_BATCH = 1024
_RATE, _WARM_UP, _LAST_RATE = 3e-3, 100, 1e-5
_DECAY = 1e-4
#: Number of rivals' walls that halves the worth of a lead.
_WALLS_AGAINST_LEADER = 3.0
#: Batch size for evaluation.
_AT_ONCE = 8192
_LEAST_CHANCE = 1e-9


def _of_distance(distance: int) -> list[float]:
    """Return the functions of a distance; OUT means that the player is out."""
    near = min(distance, shipped.LONGEST)
    return [
        near / 8, 4 / (1 + near), near <= 1, min(near, 4) / 4, min(near, 9) / 9, distance == shipped.OUT,
    ]  # fmt: skip


def _of_walls(walls: int) -> list[float]:
    return [math.sqrt(walls), walls > 0, min(walls, 3) / 2]


def _of_lead(lead: int, walls: int) -> list[float]:
    """Return the functions of a lead and of the walls left to rivals."""
    ahead, behind = max(lead, 0) / 3, min(lead, 0) / 3
    share = walls / (walls + _WALLS_AGAINST_LEADER)
    is_race = walls == 0
    return [
        *(ahead, behind, ahead * share, behind * share, is_race * ahead, is_race * behind),
        *(math.sqrt(walls), not is_race, lead == 0, lead == 1, lead == -1, is_race and lead == 0),
    ]


def _of_gain(gain: int) -> list[float]:
    return [gain / 4, gain > 0, min(gain, 3) / 2, gain > 1]


def basis() -> Floats:
    """Return the basis, of shape (columns, functions)."""
    distances = np.array([_of_distance(distance) for distance in range(shipped.LONGEST + 2)])
    walls = np.array([_of_walls(count) for count in range(shipped.MOST_WALLS + 1)])
    gains = np.array([_of_gain(gain) for gain in range(shipped.MOST_GAIN + 1)])
    leads = np.array(
        [
            _of_lead(lead, count)
            for lead in range(-shipped.MOST_LEAD, shipped.MOST_LEAD + 1)
            for count in range(shipped.MOST_RIVAL_WALLS + 1)
        ]
    )
    # In the order of the columns.
    parts = [*[distances] * SEATS, *[walls] * SEATS, np.eye(SEATS), leads, np.eye(SEATS), *[gains] * SEATS]
    found = np.zeros((shipped.COLUMNS, sum(part.shape[1] for part in parts)), np.float32)
    row = column = 0
    for part in parts:
        found[row : row + len(part), column : column + part.shape[1]] = part
        row, column = row + len(part), column + part.shape[1]
    return found


class Model:
    """The network in floating point, with the weights of the kinds of players.

    Args:
        seed: seed of the initial weights.
    """

    def __init__(self, seed: int) -> None:
        source = np.random.default_rng(seed)
        self._basis = basis()
        functions = self._basis.shape[1]
        self._weights = {
            "hidden": source.normal(0, 0.5 / math.sqrt(functions), (functions, UNITS)).astype(np.float32),
            "bias": np.full(UNITS, 0.3, np.float32),
            "output": source.normal(0, 0.5, UNITS).astype(np.float32),
            "kinds": np.zeros(2 * (len(KIND_NAMES) - 1), np.float32),
        }
        self._adam = Adam(self._weights, _DECAY)

    def _forward(self, seen: Seen, rows: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        """Return inputs, kinds, sums of the hidden layer and chances, each by position and seat."""
        inputs = self._basis[seen.features[rows]].sum(axis=2)
        is_of_kind = (seen.kinds[rows, :, None] == np.arange(1, len(KIND_NAMES))).astype(np.float32)
        roots = np.sqrt(seen.walls[rows, :, None].astype(np.float32))
        kinds = np.concatenate([is_of_kind, is_of_kind * roots], axis=2)
        sums = inputs @ self._weights["hidden"] + self._weights["bias"]
        logits = np.clip(sums, 0, 1) @ self._weights["output"] + kinds @ self._weights["kinds"]
        logits = np.where(seen.alive[rows], logits, -np.inf)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return inputs, kinds, sums, shares / shares.sum(axis=1, keepdims=True)

    def loss(self, seen: Seen, rows: Ints) -> float:
        """Return the mean log-loss of the winners."""
        total = 0.0
        for part in np.array_split(rows, len(rows) // _AT_ONCE + 1):
            chances = self._forward(seen, part)[-1][np.arange(len(part)), seen.winners[part]]
            total -= float(np.log(np.maximum(chances, _LEAST_CHANCE)).sum())
        return total / len(rows)

    def step(self, seen: Seen, rows: Ints, rate: float) -> None:
        """Take a training step with these positions, by Adam with weight decay."""
        inputs, kinds, sums, chances = self._forward(seen, rows)
        won = np.eye(SEATS, dtype=np.float32)[seen.winners[rows]]
        excess = ((chances - won) / len(rows)).reshape(-1, 1)
        sums = sums.reshape(-1, UNITS)
        back = excess * self._weights["output"] * ((sums > 0) & (sums < 1))
        gradients = {
            "hidden": inputs.reshape(len(sums), -1).T @ back,
            "bias": back.sum(axis=0),
            "output": np.clip(sums, 0, 1).T @ excess[:, 0],
            "kinds": kinds.reshape(len(sums), -1).T @ excess[:, 0],
        }
        self._adam.step(gradients, rate)

    def to_integers(self) -> dict[str, NDArray[np.int16]]:
        """Return the weights by name, as the integers that the engine reads.

        Raises:
            ValueError: a weight does not fit into 16 bits.
        """
        columns = self._basis @ self._weights["hidden"]
        # Each seat has exactly one of these columns, so they can hold the bias.
        columns[shipped.TURNS : shipped.TURNS + SEATS] += self._weights["bias"]
        found = {}
        for name, values in {"columns": columns, "output": self._weights["output"]}.items():
            numbers = np.rint(values * ONE)
            if abs(numbers).max() >= 1 << 15:
                raise ValueError(f"the numbers of {name} are too large")
            found[name] = numbers.astype(np.int16)
        return found


def train(model: Model, seen: Seen, rows: Ints, passes: int, seed: int) -> None:
    """Train on these positions, at a rate that first rises and then falls."""
    source = np.random.default_rng(seed)
    batches = len(rows) // _BATCH + 1
    for number in range(passes * batches):
        if number % batches == 0:
            shuffled = source.permutation(rows)
        falling = _RATE * (1 + math.cos(math.pi * number / (passes * batches))) / 2
        rate = falling * min(1.0, (number + 1) / _WARM_UP) + _LAST_RATE
        model.step(seen, shuffled[number % batches :: batches], rate)


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=8000, show_default=True, help="Number of games.")
@click.option(
    "--nodes", type=click.IntRange(min=1), default=400, show_default=True, help="Nodes per move of max-n."
)
@click.option(
    "--passes", type=click.IntRange(min=1), default=6, show_default=True, help="Passes over all positions."
)
@options.seed
@options.out(SEAT_NETWORK)
def main(games: int, nodes: int, passes: int, seed: int, out: Path) -> None:
    """Play games of a mixed league, and train the network for four players on them.

    Every tenth game is held out.
    """
    seen = play_games(games, nodes, seed)
    held = hold_out(seen.games)
    model = Model(seed)
    train(model, seen, np.flatnonzero(~held), passes, seed)
    losses = [model.loss(seen, np.flatnonzero(part)) for part in (~held, held)]
    click.echo(f"{len(seen.games)} positions, log-loss {losses[0]:.4f}, held out {losses[1]:.4f}")
    with out.open("wb") as file:
        save_arrays(file, model.to_integers())


if __name__ == "__main__":
    main()
