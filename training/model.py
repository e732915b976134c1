"""The PyTorch model of the network that ``quoridor_net.engine.evaluation`` computes with integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine.evaluation.network import (
    DISTANCES,
    FLAGS,
    GAINS,
    LEADS,
    MOST_LEAD,
    SCALE,
    THREAT_VALUES,
    THREATS,
    UNITS,
    WALL_BUCKET_STARTS,
    WALL_BUCKETS,
    WALL_COUNTS,
)
from quoridor_net.engine.evaluation.resizing import (
    BOARD_SIZE,
    BOARD_SQUARES,
    PAWN_OFFSETS,
    RELATIVE_WALLS,
    STEP_OFFSETS,
    STEPS,
    WALL_OFFSETS,
)
from quoridor_net.engine.evaluation.weights import TERM_VALUES, WALL_VALUES
from training.examples import SLOTS, WALLS
from training.pytorch import DEVICE, Tensor, functional, nn, torch

#: Logit of an impossible move.
IMPOSSIBLE = -30.0
#: Standard deviation of initial weights. Those of the first layer start smaller, because many of its columns
#: are rare and would keep their initial values in the sums.
SPREAD, SPREAD_OF_UNITS = 0.1, 0.01

_SLOT = torch.arange(WALLS, device=DEVICE)
_ORIENTATION, _ROW, _COLUMN = _SLOT // (SLOTS * SLOTS), _SLOT // SLOTS % SLOTS, _SLOT % SLOTS
_SQUARE = torch.arange(BOARD_SQUARES, device=DEVICE)


def wall_offset(pawn: Tensor) -> Tensor:
    """Return the number of the offset from each pawn to each wall."""
    row, column = pawn[:, None] // BOARD_SIZE, pawn[:, None] % BOARD_SIZE
    return (
        _ORIENTATION * WALL_OFFSETS * WALL_OFFSETS
        + (_ROW - row + SLOTS) * WALL_OFFSETS
        + _COLUMN
        - column
        + SLOTS
    )


def value_bucket(seen: dict[str, Tensor]) -> Tensor:
    """Return the number of the output column, by walls left and lead."""
    some = torch.tensor(WALL_BUCKET_STARTS, device=DEVICE)
    left, other_left = (seen["left"][:, :, None] >= some).sum(2).unbind(1)
    near, rival = seen["far"].unbind(1)
    lead = (rival - near).clamp(-MOST_LEAD, MOST_LEAD) + MOST_LEAD
    return LEADS * (WALL_BUCKETS * left + other_left) + lead


def pawn_offset(own: Tensor, other: Tensor) -> Tensor:
    """Return the number of the offset from square ``own`` to square ``other``."""
    down, on = other // BOARD_SIZE - own // BOARD_SIZE, other % BOARD_SIZE - own % BOARD_SIZE
    return (down + BOARD_SIZE - 1) * PAWN_OFFSETS + on + BOARD_SIZE - 1


def find_fitting_walls(walls: Tensor) -> Tensor:
    """Return which walls do not overlap or cross the placed ones."""
    across, along = walls[:, 0], walls[:, 1]
    taken = across | along
    one, two = taken.clone(), taken.clone()
    one[:, :, 1:] |= across[:, :, :-1]
    one[:, :, :-1] |= across[:, :, 1:]
    two[:, 1:] |= along[:, :-1]
    two[:, :-1] |= along[:, 1:]
    return ~torch.stack([one, two], 1).view(-1, WALLS)


class NetworkModule(nn.Module):
    """A hidden layer over walls, pawns, distances, walls left and threats; outputs for value and policy."""

    def __init__(self) -> None:
        super().__init__()

        def table(count: int, spread: float = SPREAD) -> nn.Parameter:
            return nn.Parameter(torch.randn(count, UNITS) * spread)

        def inward(count: int) -> nn.Parameter:
            return table(count, SPREAD_OF_UNITS)

        def biases(count: int) -> nn.Parameter:
            return nn.Parameter(torch.zeros(count))

        self.walls, self.by_own, self.by_other = inward(WALLS), inward(RELATIVE_WALLS), inward(RELATIVE_WALLS)
        self.own, self.other, self.apart = (
            inward(BOARD_SQUARES),
            inward(BOARD_SQUARES),
            inward(PAWN_OFFSETS * PAWN_OFFSETS),
        )
        # Rare combinations share the weights of their single features.
        self.near, self.rival, self.ways = inward(DISTANCES), inward(DISTANCES), inward(DISTANCES**2)
        self.left, self.other_left, self.lefts = (
            inward(WALL_COUNTS),
            inward(WALL_COUNTS),
            inward(WALL_COUNTS**2),
        )
        for name in THREATS:
            self.register_parameter(name, inward(THREAT_VALUES))
        self.bias = nn.Parameter(torch.full((UNITS,), 0.3))
        self.value = nn.Parameter(
            (torch.randn(UNITS) * SPREAD).repeat(WALL_BUCKETS * WALL_BUCKETS * LEADS, 1)
        )
        # The linear part starts with the weights of the linear evaluation.
        self.terms = nn.Parameter(torch.tensor([term / 16 / SCALE for term in TERM_VALUES.values()]))
        self.counts = nn.Parameter(torch.tensor(WALL_VALUES[:WALL_COUNTS]) / SCALE)
        self.wall_moves, self.wall_by_own = table(WALLS), table(RELATIVE_WALLS)
        self.wall_by_other, self.wall_flags = table(RELATIVE_WALLS), table(FLAGS)
        self.wall_effects, self.wall_spoils = table(THREAT_VALUES), table(THREAT_VALUES)
        self.step_moves, self.step_gains = table(STEPS), table(GAINS)
        self.wall_bias, self.own_bias, self.other_bias = (
            biases(WALLS),
            biases(RELATIVE_WALLS),
            biases(RELATIVE_WALLS),
        )
        self.flag_bias, self.step_bias, self.gain_bias = biases(FLAGS), biases(STEPS), biases(GAINS)
        self.effect_bias, self.spoil_bias = biases(THREAT_VALUES), biases(THREAT_VALUES)

    def forward(self, seen: dict[str, Tensor]) -> tuple[Tensor, Tensor | None]:
        """Return the value as a logit, and a logit for each of 128 walls and 81 squares.

        The latter is None for examples without policy inputs.
        """
        walls = seen["walls"].reshape(-1, WALLS)
        own, other = seen["pawns"].unbind(1)
        by_own, by_other = wall_offset(own), wall_offset(other)
        units = self.bias + walls.float() @ self.walls
        at, wall = walls.nonzero(as_tuple=True)
        starts = torch.searchsorted(at, torch.arange(len(walls), device=DEVICE))
        for table, numbers in ((self.by_own, by_own), (self.by_other, by_other)):
            units = units + functional.embedding_bag(numbers[at, wall], table, starts, mode="sum")
        left, other_left = seen["left"].unbind(1)
        near, rival = seen["far"].unbind(1)
        columns = [
            (own, self.own),
            (other, self.other),
            (pawn_offset(own, other), self.apart),
            (DISTANCES * near + rival, self._ways()),
            (WALL_COUNTS * left + other_left, self._lefts()),
            *((threat, getattr(self, name)) for name, threat in zip(THREATS, seen["threats"].T, strict=True)),
        ]
        for numbers, table in columns:
            units = units + functional.embedding(numbers, table)
        units = units.clamp(0, 1)
        value = (units * functional.embedding(value_bucket(seen), self.value)).sum(1) + seen[
            "terms"
        ] @ self.terms
        value = value + self.counts[left] - self.counts[other_left]
        if "moves" not in seen:
            return value, None
        return value, torch.cat([self._walls(seen, units, by_own, by_other), self._steps(seen, units)], 1)

    def _ways(self) -> Tensor:
        return (self.near[:, None] + self.rival + self.ways.view(DISTANCES, DISTANCES, UNITS)).flatten(0, 1)

    def _lefts(self) -> Tensor:
        return (
            self.left[:, None] + self.other_left + self.lefts.view(WALL_COUNTS, WALL_COUNTS, UNITS)
        ).flatten(0, 1)

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """Return all weights by their names in the file."""
        found: dict[str, Tensor] = dict(self.named_parameters())
        found |= {"ways": self._ways(), "lefts": self._lefts() + found.pop("bias")}
        alone = ("near", "rival", "left", "other_left")
        return {
            name: values.detach().double().cpu().numpy()
            for name, values in found.items()
            if name not in alone
        }

    def _walls(self, seen: dict[str, Tensor], units: Tensor, by_own: Tensor, by_other: Tensor) -> Tensor:
        prior = units @ self.wall_moves.T + self.wall_bias
        prior = prior + (units @ self.wall_by_own.T + self.own_bias).gather(1, by_own)
        prior = prior + (units @ self.wall_by_other.T + self.other_bias).gather(1, by_other)
        flags = (units @ self.wall_flags.T + self.flag_bias)[:, :, None]
        prior = prior + (flags * seen["flags"]).sum(1)
        for index, name in enumerate(("effect", "spoil")):
            table, bias = getattr(self, f"wall_{name}s"), getattr(self, f"{name}_bias")
            effects = seen["effects"][:, index]
            prior = prior + (units @ table.T + bias).gather(1, effects).masked_fill(effects == 0, 0.0)
        is_possible = find_fitting_walls(seen["walls"]) & (seen["left"][:, :1] > 0)
        return prior.masked_fill(~is_possible, IMPOSSIBLE)

    def _steps(self, seen: dict[str, Tensor], units: Tensor) -> Tensor:
        own = seen["pawns"][:, :1]
        row = (_SQUARE // BOARD_SIZE - own // BOARD_SIZE).clamp(-2, 2) + 2
        column = (_SQUARE % BOARD_SIZE - own % BOARD_SIZE).clamp(-2, 2) + 2
        prior = (units @ self.step_moves.T + self.step_bias).gather(1, row * STEP_OFFSETS + column)
        prior = prior + (units @ self.step_gains.T + self.gain_bias).gather(1, seen["gains"])
        return prior.masked_fill(~seen["steps"], IMPOSSIBLE)
