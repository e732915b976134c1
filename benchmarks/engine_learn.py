"""Learn the value and the move prior of two players on 9x9 from games of the engine against itself.

    python -m benchmarks.engine_positions games.npz --games 2000
    python -m benchmarks.engine_learn games.npz [more.npz ...] --out quoridor_net/engine/network.npz

Needs PyTorch (``pip install -e '.[learn]'``). Half of the positions are mirrored. The value learns a mixture
of the result and of what the search thought, the prior learns how often the search looked at each move. A
tenth of the games is held out, and judged before and after each pass over the others. What is written are
integers, see ``quoridor_net.engine.network``. On one core a pass over 500,000 positions takes about twenty
seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

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

from benchmarks.engine_examples import SLOTS, WALLS, Examples, Ints, read
from quoridor_net.engine import network as shipped
from quoridor_net.engine.network import (
    APART,
    CELLS,
    DISTANCES,
    FAR,
    FLAGS,
    GAINS,
    LEADS,
    LEFT_KINDS,
    LEFTS,
    MOST_LEAD,
    NEAR_WALLS,
    SCALE,
    SIDE,
    SOME_LEFT,
    STEPS,
    THREATS,
    UNITS,
    WORTHS,
)
from quoridor_net.engine.weights import TERM_VALUES, WALL_VALUES

#: A move that cannot be played has this logit.
IMPOSSIBLE = -30.0
#: How much the loss of the prior counts beside that of the value.
PRIOR_SHARE = 0.3
#: The highest rates of learning: from nothing, and with a network that larger steps would lead away first.
RATE, RATE_TO_GO_ON = 8e-3, 8e-4
#: How far from 0 numbers begin. What the units add up begins smaller: many of its columns are met with
#: rarely, and what they began with would stay in the sums.
SPREAD, SPREAD_OF_UNITS = 0.1, 0.01

_SLOT = torch.arange(WALLS)
_WAY, _ROW, _COLUMN = _SLOT // (SLOTS * SLOTS), _SLOT // SLOTS % SLOTS, _SLOT % SLOTS
_SQUARE = torch.arange(CELLS)


def seen_from(pawn: Tensor) -> Tensor:
    """Return for each pawn and wall the number of where the wall lies as seen from the pawn."""
    row, column = pawn[:, None] // SIDE, pawn[:, None] % SIDE
    return _WAY * FAR * FAR + (_ROW - row + SLOTS) * FAR + _COLUMN - column + SLOTS


def value_kind(seen: dict[str, Tensor]) -> Tensor:
    """Return the number of the column that weighs the units for the value."""
    some = torch.tensor(SOME_LEFT)
    left, other_left = ((seen[name][:, None] >= some).sum(1) for name in ("left", "other_left"))
    lead = (seen["rival"] - seen["near"]).clamp(-MOST_LEAD, MOST_LEAD) + MOST_LEAD
    return LEADS * (LEFT_KINDS * left + other_left) + lead


def offset_of(own: Tensor, other: Tensor) -> Tensor:
    """Return the number of where the square ``other`` lies as seen from ``own``."""
    down, on = other // SIDE - own // SIDE, other % SIDE - own % SIDE
    return (down + SIDE - 1) * APART + on + SIDE - 1


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

        def table(count: int, spread: float = SPREAD) -> nn.Parameter:
            return nn.Parameter(torch.randn(count, UNITS) * spread)

        def inward(count: int) -> nn.Parameter:
            return table(count, SPREAD_OF_UNITS)

        def biases(count: int) -> nn.Parameter:
            return nn.Parameter(torch.zeros(count))

        self.walls, self.by_own, self.by_other = inward(WALLS), inward(NEAR_WALLS), inward(NEAR_WALLS)
        self.own, self.other, self.apart = inward(CELLS), inward(CELLS), inward(APART * APART)
        # What is rarely met with together learns from what is met with alone.
        self.near, self.rival, self.ways = inward(DISTANCES), inward(DISTANCES), inward(DISTANCES**2)
        self.left, self.other_left, self.lefts = inward(LEFTS), inward(LEFTS), inward(LEFTS**2)
        for name in THREATS:
            self.register_parameter(name, inward(WORTHS))
        self.bias = nn.Parameter(torch.full((UNITS,), 0.3))
        self.value = nn.Parameter((torch.randn(UNITS) * SPREAD).repeat(LEFT_KINDS * LEFT_KINDS * LEADS, 1))
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
        left, other_left = seen["left"].clamp(max=LEFTS - 1), seen["other_left"].clamp(max=LEFTS - 1)
        units = units + self.own[seen["own"]] + self.other[seen["other"]]
        units = units + self.apart[offset_of(seen["own"], seen["other"])]
        units = units + self._ways()[DISTANCES * seen["near"] + seen["rival"]]
        units = units + self._lefts()[LEFTS * left + other_left]
        for name, threat in zip(THREATS, seen["threats"].T, strict=True):
            units = units + getattr(self, name)[threat]
        units = units.clamp(0, 1)
        value = (units * self.value[value_kind(seen)]).sum(1) + seen["terms"].float() @ self.terms
        value = value + self.counts[left] - self.counts[other_left]
        return value, torch.cat([self._walls(seen, units, by_own, by_other), self._steps(seen, units)], 1)

    def _ways(self) -> Tensor:
        return (self.near[:, None] + self.rival + self.ways.view(DISTANCES, DISTANCES, UNITS)).flatten(0, 1)

    def _lefts(self) -> Tensor:
        return (self.left[:, None] + self.other_left + self.lefts.view(LEFTS, LEFTS, UNITS)).flatten(0, 1)

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """Return all numbers by the names they have in the file."""
        found = dict(self.named_parameters())
        found |= {"ways": self._ways(), "lefts": self._lefts() + found.pop("bias")}
        alone = ("near", "rival", "left", "other_left")
        return {name: values.detach().double().numpy() for name, values in found.items() if name not in alone}

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


def losses(network: Network, data: Examples, rows: Ints, trust: float) -> str:
    """Return what :func:`judge` finds for these rows of ``data``, as text."""
    totals: dict[str, float] = {}
    with torch.no_grad():
        for chosen in np.array_split(rows, len(rows) // 8192 + 1):
            for name, mean in judge(network, _tensors(data.part(chosen)), trust).items():
                totals[name] = totals.get(name, 0.0) + mean.item() * len(chosen) / len(rows)
    return "  ".join(f"{name} {total:.4f}" for name, total in totals.items())


def integers(network: Network) -> dict[str, NDArray[np.int16]]:
    """Return the numbers of the network by the names and in the form that the engine reads.

    Raises:
        ValueError: one is too large for its place.
    """
    found = {}
    for name, values in network.columns().items():
        numbers = np.rint(values * _one(name))
        if abs(numbers).max() >= 1 << 15:
            raise ValueError(f"the numbers of {name} are too large")
        if name in _BY_WALL:
            spread = np.zeros((shipped.WALL_NUMBERS, *numbers.shape[1:]))
            spread[_WALL_NUMBERS] = numbers
            numbers = spread
        found[name] = numbers.astype(np.int16)
    return found


def begin_with(network: Network, files: Sequence[Path]) -> None:
    """Have ``network`` begin with the mean of the numbers in files that :func:`integers` filled.

    Raises:
        ValueError: a file is of no network, or of another kind of network.
    """
    shapes = {name: values.shape for name, values in integers(network).items()}
    read = []
    for file in files:
        try:
            numbers = dict(np.load(file))
        except (OSError, ValueError, TypeError, BadZipFile):
            raise ValueError(f"there is no network in {file}") from None
        if {name: values.shape for name, values in numbers.items()} != shapes:
            raise ValueError(f"the network in {file} is of another kind")
        read.append(numbers)
    with torch.no_grad():
        for name, values in network.named_parameters():
            # The files have only the sums of these and of what is met with together.
            if name not in shapes:
                values.zero_()
                continue
            mean = sum(numbers[name].astype(float) for numbers in read) / len(read)
            values.copy_(torch.from_numpy((mean[_WALL_NUMBERS] if name in _BY_WALL else mean) / _one(name)))


_SUMMED = {"walls", "by_own", "by_other", "own", "other", "apart", "ways", "lefts", *THREATS}
_BY_WALL = {"walls", "wall_moves", "wall_bias"}
#: The numbers that 128 walls have as moves.
_WALL_NUMBERS = [wall // 64 * 128 + wall % 64 // SLOTS * SIDE + wall % SLOTS for wall in range(WALLS)]
_SCALES = {"value": SCALE, "terms": 16 * SCALE, "counts": SCALE}


def _one(name: str) -> float:
    """Return what 1 is in the file."""
    usual = shipped.ONE if name in _SUMMED else shipped.PRIOR_ONE
    return _SCALES.get(name, shipped.LOGIT if name.endswith("bias") else usual)


def _tensors(data: Examples) -> dict[str, Tensor]:
    return {name: torch.from_numpy(np.ascontiguousarray(values)) for name, values in asdict(data).items()}


@click.command()
@click.argument("games", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where to write the network.")
@click.option("--passes", type=click.IntRange(min=0), default=5, help="Passes over all positions.")
@click.option("--batch", default=2048, help="Positions in each step.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    help="Highest rate of learning: 0.008, or a tenth of it with --begin.",
)
@click.option("--trust", default=0.5, help="Share of the result in what the value learns.")
@click.option(
    "--begin",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="The network to go on with; given several times, the mean of these.",
)
@click.option("--seed", default=1)
def main(
    games: tuple[Path, ...],
    out: Path,
    passes: int,
    batch: int,
    rate: float | None,
    trust: float,
    begin: tuple[Path, ...],
    seed: int,
) -> None:
    """Learn from the positions in GAMES."""
    torch.manual_seed(seed)
    network = Network()
    highest = rate or (RATE_TO_GO_ON if begin else RATE)
    if begin:
        try:
            begin_with(network, begin)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--begin") from None
    data = read(games)
    held = np.nonzero(data.game % 10 == 0)[0]
    used = np.nonzero(data.game % 10 != 0)[0]
    source = np.random.default_rng(seed)
    click.echo(f"{len(used)} positions to learn from, {len(held)} held out")
    linear = [network.terms, network.counts]
    others = [values for name, values in network.named_parameters() if name not in ("terms", "counts")]
    optimizer = torch.optim.AdamW([{"params": linear}, {"params": others}], weight_decay=1e-3, fused=True)
    steps = passes * (len(used) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [highest / 20, highest], steps + 1, pct_start=0.1
    )
    click.echo(f"before, held out: {losses(network, data, held, trust)}")
    for number in range(passes):
        order = source.permutation(used)
        for step in range(len(used) // batch):
            part = data.part(order[step * batch : (step + 1) * batch])
            judged = judge(network, _tensors(part.mirrored() if (number + step) % 2 else part), trust)
            optimizer.zero_grad()
            (judged["value"] + PRIOR_SHARE * judged["prior"]).backward()
            optimizer.step()
            schedule.step()
        click.echo(f"pass {number + 1}, held out: {losses(network, data, held, trust)}")
        np.savez_compressed(out, allow_pickle=False, **integers(network))
    if not passes:
        np.savez_compressed(out, allow_pickle=False, **integers(network))


if __name__ == "__main__":
    main()
