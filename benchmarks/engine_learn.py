"""Learn the value and the move prior of two players on 9x9 from games of the engine against itself.

    python -m benchmarks.engine_positions games.npz --games 2000
    python -m benchmarks.engine_learn games.npz [more.npz ...] --out quoridor_net/engine/network.npz

Needs PyTorch (``pip install -e '.[learn]'``). Half of the positions are mirrored. The value learns a mixture
of the result and of what the search thought, the prior learns how often the search looked at each move. A
tenth of the games is held out, and judged after each pass over the others. What is written are integers, see
``quoridor_net.engine.network``. On one core a pass over 500,000 positions takes about forty seconds.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from attrs import asdict
from numpy.typing import NDArray

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ModuleNotFoundError:
    raise SystemExit("Error: learning needs PyTorch: pip install -e '.[learn]'") from None

from benchmarks.engine_examples import CELLS, DISTANCES, FLAGS, SIDE, SLOTS, WALLS, Examples, read
from quoridor_net.engine import network as shipped
from quoridor_net.engine.network import FAR, GAINS, LEFTS, NEAR_WALLS, SCALE, STEPS, THREATS, UNITS, WORTHS
from quoridor_net.engine.weights import TERM_VALUES, WALL_VALUES

#: A move that cannot be played has this logit.
IMPOSSIBLE = -30.0
#: How much the loss of the prior counts beside that of the value.
PRIOR_SHARE = 0.3

_SLOT = torch.arange(WALLS)
_WAY, _ROW, _COLUMN = _SLOT // (SLOTS * SLOTS), _SLOT // SLOTS % SLOTS, _SLOT % SLOTS
_SQUARE = torch.arange(CELLS)


def seen_from(pawn: Tensor) -> Tensor:
    """Return for each pawn and wall the number of where the wall lies as seen from the pawn."""
    row, column = pawn[:, None] // SIDE, pawn[:, None] % SIDE
    return _WAY * FAR * FAR + (_ROW - row + SLOTS) * FAR + _COLUMN - column + SLOTS


def fitting(walls: Tensor) -> Tensor:
    """Return which walls fit beside those there are."""
    across, along = walls[:, 0], walls[:, 1]
    taken = across | along
    one, two = taken.clone(), taken.clone()
    one[:, :, 1:] |= across[:, :, :-1]
    one[:, :, :-1] |= across[:, :, 1:]
    two[:, 1:] |= along[:, :-1]
    two[:, :-1] |= along[:, 1:]
    return ~torch.stack([one, two], 1).view(-1, WALLS)


class Network(nn.Module):
    """A layer of units over walls, pawns, distances, walls left and threats; value and prior read it."""

    def __init__(self) -> None:
        super().__init__()

        def table(count: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(count, UNITS) * 0.1)

        def biases(count: int) -> nn.Parameter:
            return nn.Parameter(torch.zeros(count))

        self.walls, self.by_own, self.by_other = table(WALLS), table(NEAR_WALLS), table(NEAR_WALLS)
        self.own, self.other = table(CELLS), table(CELLS)
        self.near, self.rival = table(DISTANCES), table(DISTANCES)
        self.left, self.other_left = table(LEFTS), table(LEFTS)
        for name in THREATS:
            self.register_parameter(name, table(WORTHS))
        self.bias = nn.Parameter(torch.full((UNITS,), 0.3))
        self.value = nn.Parameter(torch.randn(UNITS) * 0.1)
        # The linear part begins where the evaluation without a network stands.
        self.terms = nn.Parameter(torch.tensor([term / 16 / SCALE for term in TERM_VALUES.values()]))
        self.counts = nn.Parameter(torch.tensor(WALL_VALUES[:LEFTS]) / SCALE)
        self.wall_moves, self.wall_by_own = table(WALLS), table(NEAR_WALLS)
        self.wall_by_other, self.wall_flags = table(NEAR_WALLS), table(FLAGS)
        self.wall_effects, self.wall_spoils = table(WORTHS), table(WORTHS)
        self.step_moves, self.step_gains = table(STEPS), table(GAINS)
        self.wall_bias, self.own_bias, self.other_bias = biases(WALLS), biases(NEAR_WALLS), biases(NEAR_WALLS)
        self.flag_bias, self.step_bias, self.gain_bias = biases(FLAGS), biases(STEPS), biases(GAINS)
        self.effect_bias, self.spoil_bias = biases(WORTHS), biases(WORTHS)

    def forward(self, seen: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Return the value as a logit, and a logit for each of 128 walls and 81 squares."""
        walls = seen["walls"].reshape(-1, WALLS)
        by_own, by_other = seen_from(seen["own"]), seen_from(seen["other"])
        units = self.bias + walls.float() @ self.walls
        at, wall = walls.nonzero(as_tuple=True)
        starts = torch.searchsorted(at, torch.arange(len(walls)))
        for table, numbers in ((self.by_own, by_own), (self.by_other, by_other)):
            units = units + functional.embedding_bag(numbers[at, wall], table, starts, mode="sum")
        for name in ("own", "other", "near", "rival", "left", "other_left"):
            units = units + getattr(self, name)[seen[name].clamp(max=len(getattr(self, name)) - 1)]
        for name, threat in zip(THREATS, seen["threats"].T, strict=True):
            units = units + getattr(self, name)[threat]
        units = units.clamp(0, 1)
        left, other_left = seen["left"].clamp(max=LEFTS - 1), seen["other_left"].clamp(max=LEFTS - 1)
        value = units @ self.value + seen["terms"].float() @ self.terms
        value = value + self.counts[left] - self.counts[other_left]
        return value, torch.cat([self._walls(seen, units, by_own, by_other), self._steps(seen, units)], 1)

    def _walls(self, seen: dict[str, Tensor], units: Tensor, by_own: Tensor, by_other: Tensor) -> Tensor:
        prior = units @ self.wall_moves.T + self.wall_bias
        prior = prior + (units @ self.wall_by_own.T + self.own_bias).gather(1, by_own)
        prior = prior + (units @ self.wall_by_other.T + self.other_bias).gather(1, by_other)
        flags = (units @ self.wall_flags.T + self.flag_bias)[:, :, None]
        prior = prior + (flags * seen["flags"].view(-1, FLAGS, WALLS)).sum(1)
        for index, name in enumerate(("effect", "spoil")):
            table, bias = getattr(self, f"wall_{name}s"), getattr(self, f"{name}_bias")
            effects = seen["effects"][:, index].long()
            prior = prior + (units @ table.T + bias).gather(1, effects).masked_fill(effects == 0, 0.0)
        is_possible = fitting(seen["walls"]) & (seen["left"] > 0)[:, None]
        return prior.masked_fill(~is_possible, IMPOSSIBLE)

    def _steps(self, seen: dict[str, Tensor], units: Tensor) -> Tensor:
        row = (_SQUARE // SIDE - seen["own"][:, None] // SIDE).clamp(-2, 2) + 2
        column = (_SQUARE % SIDE - seen["own"][:, None] % SIDE).clamp(-2, 2) + 2
        prior = (units @ self.step_moves.T + self.step_bias).gather(1, row * 5 + column)
        prior = prior + (units @ self.step_gains.T + self.gain_bias).gather(1, seen["gains"].long())
        return prior.masked_fill(~seen["steps"], IMPOSSIBLE)


def judge(network: Network, seen: dict[str, Tensor], trust: float) -> dict[str, Tensor]:
    """Return the mean losses of the value, as to results alone, and of the prior, and its share of hits."""
    value, prior = network(seen)
    chances = functional.log_softmax(prior, 1).gather(1, seen["moves"])
    # Positions whose moves were not counted teach the value only.
    is_counted = seen["shares"].sum(1) > 0
    counted = is_counted.sum().clamp(min=1)
    won = seen["won"].float()
    aim = trust * won + (1 - trust) * torch.sigmoid(seen["score"] / SCALE)
    return {
        "value": functional.binary_cross_entropy_with_logits(value, aim),
        "result": functional.binary_cross_entropy_with_logits(value, won),
        "prior": -(chances * seen["shares"]).sum() / counted,
        "hits": ((prior.argmax(1) == seen["moves"][:, 0]) & is_counted).sum() / counted,
    }


def integers(network: Network) -> dict[str, NDArray[np.int16]]:
    """Return the numbers of the network by the names and in the form that the engine reads.

    Raises:
        ValueError: one is too large for its place.
    """
    tables = {name: values.detach().numpy().astype(np.float64) for name, values in network.named_parameters()}
    tables["left"] += tables.pop("bias")
    scales = {"value": SCALE, "terms": 16 * SCALE, "counts": SCALE}
    found = {}
    for name, values in tables.items():
        usual = shipped.ONE if name in _SUMMED else shipped.PRIOR_ONE
        usual = shipped.LOGIT if name.endswith("bias") else usual
        numbers = np.rint(values * scales.get(name, usual))
        if abs(numbers).max() >= 1 << 15:
            raise ValueError(f"the numbers of {name} are too large")
        found[name] = _spread(numbers) if name in _BY_WALL else numbers
    return {name: numbers.astype(np.int16) for name, numbers in found.items()}


_SUMMED = {"walls", "by_own", "by_other", "own", "other", "near", "rival", "left", "other_left", *THREATS}
_BY_WALL = {"walls", "wall_moves", "wall_bias"}


def _spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give what belongs to each of 128 walls the number that the wall has as a move."""
    found = np.zeros((shipped.WALL_NUMBERS, *values.shape[1:]))
    for wall in range(WALLS):
        found[wall // 64 * 128 + wall % 64 // SLOTS * SIDE + wall % SLOTS] = values[wall]
    return found


def _tensors(data: Examples) -> dict[str, Tensor]:
    return {name: torch.from_numpy(np.ascontiguousarray(values)) for name, values in asdict(data).items()}


@click.command()
@click.argument("games", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where to write the network.")
@click.option("--passes", default=5, help="Passes over all positions.")
@click.option("--batch", default=2048, help="Positions in each step.")
@click.option("--rate", default=4e-3, help="Highest rate of learning.")
@click.option("--trust", default=0.5, help="Share of the result in what the value learns.")
@click.option("--seed", default=1)
def main(
    games: tuple[Path, ...], out: Path, passes: int, batch: int, rate: float, trust: float, seed: int
) -> None:
    """Learn from the positions in GAMES."""
    torch.manual_seed(seed)
    data = read(games)
    held = np.nonzero(data.game % 10 == 0)[0]
    used = np.nonzero(data.game % 10 != 0)[0]
    source = np.random.default_rng(seed)
    click.echo(f"{len(used)} positions to learn from, {len(held)} held out")
    network = Network()
    linear = [network.terms, network.counts]
    others = [values for name, values in network.named_parameters() if name not in ("terms", "counts")]
    optimizer = torch.optim.AdamW([{"params": linear}, {"params": others}], weight_decay=1e-3, fused=True)
    steps = passes * (len(used) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, [rate / 20, rate], steps + 1, pct_start=0.1)
    for number in range(passes):
        order = source.permutation(used)
        for step in range(len(used) // batch):
            part = data.part(order[step * batch : (step + 1) * batch])
            judged = judge(network, _tensors(part.mirrored() if (number + step) % 2 else part), trust)
            optimizer.zero_grad()
            (judged["value"] + PRIOR_SHARE * judged["prior"]).backward()
            optimizer.step()
            schedule.step()
        totals = dict.fromkeys(judged, 0.0)
        with torch.no_grad():
            for chosen in np.array_split(held, len(held) // 8192 + 1):
                for name, mean in judge(network, _tensors(data.part(chosen)), trust).items():
                    totals[name] += mean.item() * len(chosen) / len(held)
        click.echo(f"pass {number + 1}, held out: " + "  ".join(f"{k} {v:.4f}" for k, v in totals.items()))
        np.savez_compressed(out, allow_pickle=False, **integers(network))


if __name__ == "__main__":
    main()
