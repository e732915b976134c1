"""Training of the network for two players: its value and its policy, from self-play.

Half of the positions are mirrored. The target of the value is a mixture of the result and the value of the
search; that of the policy is the share of visits, from positions with a long search. A tenth of the games is
held out, and the losses on it are printed before and after each pass. The file contains integers, see
``quoridor_net.engine.evaluation.network``. docs/training.md says how long it takes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
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
from training.pytorch import DEVICE, Tensor, functional, torch
from training.samples import Samples, hold_out, load_arrays, mirror, read, save_arrays
from training.shipped import NETWORK

#: Weight of the policy loss, relative to the value loss.
POLICY_SHARE = 0.3
#: Highest learning rates: from scratch, and for an existing network, which larger steps would damage.
RATE, RATE_TO_CONTINUE = 8e-3, 8e-4
#: Minimum length of the rate schedule, because the rate needs at least one step to rise.
_LEAST_STEPS = 20
#: Number of held-out positions that are evaluated, and the size of a batch.
_MOST_HELD_OUT, _AT_ONCE = 200_000, 8192
#: Number of steps that are prepared at the same time.
_AHEAD = 4


def judge(network: NetworkModule, seen: dict[str, Tensor], trust: float) -> dict[str, Tensor]:
    """Return the mean losses of the value, of the result alone and of the policy, and the policy's hit rate.

    The last two are missing for examples without policy inputs.
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
    """Return the losses of :func:`judge` for ``samples`` as text; the policy's for samples with visits."""
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
    """Return which samples have visits, because their search was not brief."""
    found: NDArray[np.bool_] = samples["shares"][:, 0] > 0
    return found


def to_integers(network: NetworkModule) -> dict[str, NDArray[np.int16]]:
    """Return the weights by name, as the integers that the engine reads.

    Raises:
        ValueError: a weight does not fit into 16 bits.
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


def initialise(network: NetworkModule, files: Sequence[Path]) -> None:
    """Initialise ``network`` with the mean of the networks in ``files``.

    Raises:
        ValueError: a file has no network, or one of another architecture.
    """
    shapes = {name: values.shape for name, values in to_integers(network).items()}
    read = []
    for file in files:
        try:
            numbers = load_arrays(file)
        except ValueError:
            raise ValueError(f"{file} does not contain a network") from None
        if {name: values.shape for name, values in numbers.items()} != shapes:
            raise ValueError(f"the network in {file} has another architecture")
        read.append(numbers)
    with torch.no_grad():
        for name, values in network.named_parameters():
            # The files store only the sums of these and of their combinations.
            if name not in shapes:
                values.zero_()
                continue
            mean = np.mean([numbers[name] for numbers in read], axis=0)
            values.copy_(torch.from_numpy((mean[_WALL_NUMBERS] if name in _BY_WALL else mean) / _one(name)))


_SUMMED = {"walls", "by_own", "by_other", "own", "other", "apart", "ways", "lefts", *THREATS}
_BY_WALL = {"walls", "wall_moves", "wall_bias"}
#: Move numbers of the 128 walls.
_WALL_NUMBERS = [wall // 64 * 128 + wall % 64 // SLOTS * BOARD_SIZE + wall % SLOTS for wall in range(WALLS)]
_SCALES = {"value": SCALE, "terms": 16 * SCALE, "counts": SCALE}


def _one(name: str) -> float:
    """Return the integer that stands for 1 in the file."""
    usual = shipped.ONE if name in _SUMMED else shipped.PRIOR_ONE
    return _SCALES.get(name, shipped.LOGIT if name.endswith("bias") else usual)


def _tensors(examples: Examples) -> dict[str, Tensor]:
    found = asdict(examples, recurse=False).items()
    return {name: torch.from_numpy(np.ascontiguousarray(values)).to(DEVICE) for name, values in found}


class Batches:
    """Batches of samples in random order, without repetition within a pass.

    The samples at the end of a pass that do not fill a batch are skipped.

    Args:
        samples: all samples.
        size: size of a batch, at most the number of samples.
        source: random generator of the order.
    """

    def __init__(self, samples: Samples, size: int, source: np.random.Generator) -> None:
        self._samples = samples
        self.size = min(size, len(samples))
        self._source = source
        self._order = np.zeros(0, np.int64)

    def take(self) -> Samples:
        """Return the next batch."""
        if len(self._order) < self.size:
            self._order = self._source.permutation(len(self._samples))
        chosen, self._order = self._order[: self.size], self._order[self.size :]
        return self._samples[np.sort(chosen)]


class Feed:
    """The tensors of each training step, prepared by several threads during the steps before.

    Args:
        samples: training samples.
        batch: number of samples per step for the value; a quarter as many, of those with visits, are used
            for the policy.
        seed: seed of the order.
    """

    def __init__(self, samples: Samples, batch: int, seed: int) -> None:
        source = np.random.default_rng(seed)
        self._batches = Batches(samples, batch, source)
        self.steps_in_pass = len(samples) // self._batches.size
        searched = samples[is_searched(samples)]
        self._policy_batches = Batches(searched, max(batch // 4, 1), source) if len(searched) else None
        self._extractors = [Extractor() for _ in range(_AHEAD)]

    def _take(self) -> list[Samples]:
        """Return the samples of the next step: for the value, and those with visits for the policy."""
        return [batches.take() for batches in (self._batches, self._policy_batches) if batches]

    def _make(self, number: int, taken: list[Samples]) -> list[dict[str, Tensor]]:
        """Return the tensors of a step for its samples."""
        found, *searched = [mirror(part) for part in taken] if number % 2 else taken
        extractor = self._extractors[number % _AHEAD]
        made = [extractor.examples(found), *map(extractor.policy_examples, searched)]
        return [_tensors(examples) for examples in made]

    def steps(self, count: int) -> Iterator[list[dict[str, Tensor]]]:
        """Yield the tensors of ``count`` steps."""
        coming: deque[Future[list[dict[str, Tensor]]]] = deque()
        with ThreadPoolExecutor(_AHEAD) as pool:
            for number in range(count):
                # An extractor is free again once its step has been yielded.
                if len(coming) == _AHEAD:
                    yield coming.popleft().result()
                coming.append(pool.submit(self._make, number, self._take()))
            while coming:
                yield coming.popleft().result()


@click.command()
@options.games
@options.out(NETWORK)
@click.option("--passes", type=click.IntRange(min=0), default=2, help="Passes over all positions.")
@click.option("--batch", type=click.IntRange(min=1), default=4096, help="Positions per step.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    help="Highest learning rate [default: 0.008, or 0.0008 with --begin].",
)
@click.option(
    "--trust", type=options.SHARE, default=0.6, help="Share of the result in the target of the value."
)
@click.option(
    "--begin",
    type=options.EXISTING,
    multiple=True,
    help="Network to continue from; repeat the option to start from the mean of several.",
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
    """Train the network on the positions in GAMES, files written by ``games``."""
    torch.manual_seed(seed)
    network = NetworkModule().to(DEVICE)
    highest = rate or (RATE_TO_CONTINUE if begin else RATE)
    if begin:
        try:
            initialise(network, begin)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--begin") from None
    samples = read(games)
    is_held_out = hold_out(samples["game"])
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
            save_arrays(out, to_integers(network))
    if not passes:
        save_arrays(out, to_integers(network))
