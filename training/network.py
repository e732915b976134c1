"""The network is trained: its value and its policy, from games of the engine against itself.

Half of the positions are mirrored. The value learns a mixture of the result and of what the search thought,
the policy, from positions that were searched longer, how often the search looked at each move. A tenth of the
games is held out, and judged before and after each pass over the others. What is written are integers, see
``quoridor_net.engine.evaluation.network``. On two cores a pass over a million positions takes about twenty
seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
import numpy as np
from attrs import asdict
from numpy.typing import NDArray

from quoridor_net.engine.evaluation import network as shipped
from quoridor_net.engine.evaluation.network import SCALE, THREATS
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE, WALL_NUMBERS
from quoridor_net.engine.mcts.tree import CERTAIN
from training import options
from training.examples import SLOTS, WALLS, Examples, Extractor
from training.model import NetworkModule
from training.pytorch import Tensor, functional, torch
from training.samples import Samples, arrays_in, held_out, mirrored, read
from training.shipped import NETWORK

#: How much the loss of the policy counts beside that of the value.
POLICY_SHARE = 0.3
#: The highest rates of learning: from nothing, and with a network that larger steps would lead away first.
RATE, RATE_TO_GO_ON = 8e-3, 8e-4
#: The schedule of the rate is made for so many steps at least: it cannot rise in less than one.
_LEAST_STEPS = 20
#: Of the positions held out so many are judged, and so many at once.
_MOST_HELD_OUT, _AT_ONCE = 200_000, 8192


def judge(network: NetworkModule, seen: dict[str, Tensor], trust: float) -> dict[str, Tensor]:
    """Return the mean losses of the value, as to results alone, and of the policy, and its share of hits.

    The last two are missing for examples without what the policy learns from.
    """
    value, policy = network(seen)
    won = seen["won"]
    aim = trust * won + (1 - trust) * (0.5 + 0.5 * seen["value"] / CERTAIN).clamp(0, 1)
    found = {
        "value": functional.binary_cross_entropy_with_logits(value, aim),
        "result": functional.binary_cross_entropy_with_logits(value, won),
    }
    if policy is not None:
        chances = functional.log_softmax(policy, 1).gather(1, seen["moves"])
        found["policy"] = -(chances * seen["shares"]).sum(1).mean()
        found["hits"] = (policy.argmax(1) == seen["moves"][:, 0]).float().mean()
    return found


def losses(network: NetworkModule, extractor: Extractor, samples: Samples, trust: float) -> str:
    """Return what :func:`judge` finds for ``samples``, the policy for those with visits, as text."""
    totals: dict[str, list[tuple[float, int]]] = {}
    searched = is_searched(samples)
    with torch.no_grad():
        for part, names in ((samples, ("value", "result")), (samples[searched], ("policy", "hits"))):
            for chosen in np.array_split(part, len(part) // _AT_ONCE + 1) if len(part) else ():
                examples = (extractor.examples if "value" in names else extractor.policy_examples)(chosen)
                judged = judge(network, _tensors(examples), trust)
                for name in names:
                    totals.setdefault(name, []).append((judged[name].item(), len(chosen)))
    means = {
        name: sum(mean * count for mean, count in found) / sum(count for _, count in found)
        for name, found in totals.items()
    }
    return "  ".join(f"{name} {mean:.4f}" for name, mean in means.items())


def is_searched(samples: Samples) -> NDArray[np.bool_]:
    """Return which samples have the visits of more than a brief search."""
    found: NDArray[np.bool_] = samples["shares"][:, 0] > 0
    return found


def integers(network: NetworkModule) -> dict[str, NDArray[np.int16]]:
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


def begin_with(network: NetworkModule, files: Sequence[Path]) -> None:
    """Have ``network`` begin with the mean of the numbers in files that :func:`integers` filled.

    Raises:
        ValueError: a file is of no network, or of another kind of network.
    """
    shapes = {name: values.shape for name, values in integers(network).items()}
    read = []
    for file in files:
        try:
            numbers = arrays_in(file)
        except ValueError:
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
            mean = np.mean([numbers[name] for numbers in read], axis=0)
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


def _tensors(examples: Examples) -> dict[str, Tensor]:
    found = asdict(examples, recurse=False)
    return {name: torch.from_numpy(np.ascontiguousarray(values)) for name, values in found.items()}


class Batches:
    """Batches of samples in random order, none of them twice before a new order begins.

    What is left of an order and fills no batch is passed over.

    Args:
        samples: of which.
        size: of a batch; fewer samples make smaller ones.
        source: of randomness.
    """

    def __init__(self, samples: Samples, size: int, source: np.random.Generator) -> None:
        self._samples = samples
        self.size = min(size, len(samples))
        self._source = source
        self._order = np.zeros(0, np.int64)

    def take(self) -> Samples:
        """Return another batch."""
        if len(self._order) < self.size:
            self._order = self._source.permutation(len(self._samples))
        chosen, self._order = self._order[: self.size], self._order[self.size :]
        return self._samples[np.sort(chosen)]


class Feed:
    """The tensors of one step after the other, worked out while the step before is taken.

    Args:
        samples: to learn from.
        batch: how many of them each step takes for the value; a quarter as many, of those that were searched
            longer, for the policy, if there are any.
        seed: of the order.
    """

    def __init__(self, samples: Samples, batch: int, seed: int) -> None:
        source = np.random.default_rng(seed)
        self._batches = Batches(samples, batch, source)
        self.steps_in_pass = len(samples) // self._batches.size
        searched = samples[is_searched(samples)]
        self._policy_batches = Batches(searched, max(batch // 4, 1), source) if len(searched) else None
        self._extractor = Extractor()

    def _make(self, number: int) -> list[dict[str, Tensor]]:
        """Return the tensors of a step: for the value, and if there are any for the policy."""
        found = self._batches.take()
        made = [_tensors(self._extractor.examples(mirrored(found) if number % 2 else found))]
        if self._policy_batches:
            found = self._policy_batches.take()
            made.append(_tensors(self._extractor.policy_examples(mirrored(found) if number % 2 else found)))
        return made

    def steps(self, count: int) -> Iterator[list[dict[str, Tensor]]]:
        """Yield the tensors of ``count`` steps."""
        with ThreadPoolExecutor(1) as pool:
            coming = [pool.submit(self._make, 0)] if count else []
            for number in range(count):
                made = coming.pop().result()
                if number + 1 < count:
                    coming.append(pool.submit(self._make, number + 1))
                yield made


@click.command()
@options.games
@options.out(NETWORK)
@click.option("--passes", type=click.IntRange(min=0), default=2, help="Passes over all positions.")
@click.option("--batch", type=click.IntRange(min=1), default=4096, help="Positions in each step.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    help="Highest rate of learning: 0.008, or a tenth of it with --begin.",
)
@click.option(
    "--trust", type=options.SHARE, default=0.6, help="Share of the result in what the value learns."
)
@click.option(
    "--begin",
    type=options.EXISTING,
    multiple=True,
    help="The network to go on with; given several times, the mean of these.",
)
@options.seed
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
    network = NetworkModule()
    highest = rate or (RATE_TO_GO_ON if begin else RATE)
    if begin:
        try:
            begin_with(network, begin)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--begin") from None
    samples = read(games)
    is_held_out = held_out(samples["game"])
    held, used = samples[is_held_out], samples[~is_held_out]
    del samples
    held = held[np.random.default_rng(seed).permutation(len(held))[:_MOST_HELD_OUT]]
    click.echo(f"{len(used)} positions to learn from, {len(held)} held out")
    feed, extractor = Feed(used, batch, seed), Extractor()
    steps = passes * feed.steps_in_pass
    linear = [network.terms, network.counts]
    others = [values for name, values in network.named_parameters() if name not in ("terms", "counts")]
    optimizer = torch.optim.AdamW([{"params": linear}, {"params": others}], weight_decay=1e-3, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [highest / 20, highest], max(steps + 1, _LEAST_STEPS), pct_start=0.1
    )
    click.echo(f"before, held out: {losses(network, extractor, held, trust)}")
    for number, (seen, *policy) in enumerate(feed.steps(steps), 1):
        loss = judge(network, seen, trust)["value"]
        for searched in policy:
            loss = loss + POLICY_SHARE * judge(network, searched, trust)["policy"]
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        schedule.step()
        if number % feed.steps_in_pass == 0:
            judged = losses(network, extractor, held, trust)
            click.echo(f"pass {number // feed.steps_in_pass}, held out: {judged}")
            np.savez_compressed(out, allow_pickle=False, **integers(network))
    if not passes:
        np.savez_compressed(out, allow_pickle=False, **integers(network))
