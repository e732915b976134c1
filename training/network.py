"""The network is trained: its value and its policy, from games of the engine against itself.

Half of the positions are mirrored. The value learns a mixture
of the result and of what the search thought, the prior learns how often the search looked at each move. A
tenth of the games is held out, and judged before and after each pass over the others. What is written are
integers, see ``quoridor_net.engine.evaluation.network``. On one core a pass over 500,000 positions takes
about twenty seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import click
import numpy as np
from attrs import asdict
from numpy.typing import NDArray

from quoridor_net.engine.evaluation import network as shipped
from quoridor_net.engine.evaluation.network import SCALE, THREATS
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE, WALL_NUMBERS
from training import options
from training.examples import SLOTS, WALLS, Examples, Ints, read
from training.games import held_out
from training.model import Network
from training.pytorch import Tensor, functional, torch
from training.shipped import NETWORK

#: How much the loss of the prior counts beside that of the value.
PRIOR_SHARE = 0.3
#: The highest rates of learning: from nothing, and with a network that larger steps would lead away first.
RATE, RATE_TO_GO_ON = 8e-3, 8e-4
#: The schedule of the rate is made for so many steps at least: it cannot rise in less than one.
_LEAST_STEPS = 20


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
            spread = np.zeros((WALL_NUMBERS, *numbers.shape[1:]))
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
            with file.open("rb") as opened:
                numbers = dict(np.load(opened))
        except (OSError, EOFError, ValueError, TypeError, BadZipFile):
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
_WALL_NUMBERS = [wall // 64 * 128 + wall % 64 // SLOTS * BOARD_SIZE + wall % SLOTS for wall in range(WALLS)]
_SCALES = {"value": SCALE, "terms": 16 * SCALE, "counts": SCALE}


def _one(name: str) -> float:
    """Return what 1 is in the file."""
    usual = shipped.ONE if name in _SUMMED else shipped.PRIOR_ONE
    return _SCALES.get(name, shipped.LOGIT if name.endswith("bias") else usual)


def _tensors(data: Examples) -> dict[str, Tensor]:
    return {name: torch.from_numpy(np.ascontiguousarray(values)) for name, values in asdict(data).items()}


@click.command()
@options.games
@options.out(NETWORK)
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
    type=options.EXISTING,
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
    """Train the network from the positions in GAMES, which ``games`` has made."""
    torch.manual_seed(seed)
    network = Network()
    highest = rate or (RATE_TO_GO_ON if begin else RATE)
    if begin:
        try:
            begin_with(network, begin)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--begin") from None
    data = read(games)
    is_held_out = held_out(data.game)
    held, used = np.nonzero(is_held_out)[0], np.nonzero(~is_held_out)[0]
    source = np.random.default_rng(seed)
    click.echo(f"{len(used)} positions to learn from, {len(held)} held out")
    linear = [network.terms, network.counts]
    others = [values for name, values in network.named_parameters() if name not in ("terms", "counts")]
    optimizer = torch.optim.AdamW([{"params": linear}, {"params": others}], weight_decay=1e-3, fused=True)
    steps = passes * (len(used) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [highest / 20, highest], max(steps + 1, _LEAST_STEPS), pct_start=0.1
    )
    click.echo(f"before, held out: {losses(network, data, held, trust)}")
    for number in range(passes):
        order = source.permutation(used)
        for step in range(len(used) // batch):
            part = data.part(order[step * batch : (step + 1) * batch])
            judged = judge(network, _tensors(part.mirrored() if (number + step) % 2 else part), trust)
            optimizer.zero_grad()
            torch.autograd.backward(judged["value"] + PRIOR_SHARE * judged["prior"])
            optimizer.step()
            schedule.step()
        click.echo(f"pass {number + 1}, held out: {losses(network, data, held, trust)}")
        np.savez_compressed(out, allow_pickle=False, **integers(network))
    if not passes:
        np.savez_compressed(out, allow_pickle=False, **integers(network))
