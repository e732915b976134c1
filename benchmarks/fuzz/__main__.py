"""Command line of the fuzzer; see the package."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from multiprocessing.sharedctypes import RawArray
from pathlib import Path

import click

from benchmarks.fuzz.failures import target_of
from benchmarks.fuzz.feeding import LIMIT, SEEN_BYTES, WATCH, Feeder, Seen
from benchmarks.fuzz.report import FuzzReport, show
from benchmarks.fuzz.targets import TARGETS

#: Interval of the reports of a process, in seconds.
TURN = 30.0

_feeder: Feeder


def prepare(
    names: tuple[str, ...], seed: int, limit: float, folder: Path, seen: ctypes.Array[ctypes.c_ubyte]
) -> None:
    """Prepare a worker process."""
    global _feeder  # noqa: PLW0603 - a process of a pool has no other place for it
    targets = [target for target in TARGETS if not names or target.name in names]
    _feeder = Feeder(targets, seed, limit, folder, Seen(memoryview(seen).cast("B")))
    # Modules and samples stay, so the garbage collector need not scan them.
    gc.freeze()
    WATCH.start()


def take_turn(inputs: int, seconds: float) -> FuzzReport:
    """Feed inputs in a prepared worker process."""
    return _feeder.feed(inputs, seconds)


def feed_again(path: Path) -> int:
    """Feed one kept input again, with its traceback; return the exit status."""
    target = next(target for target in TARGETS if target.name == target_of(path))
    begun = time.process_time()
    target.run(path.read_bytes())
    seconds = time.process_time() - begun
    print(f"{target.name}: no failure, {seconds * 1000:.1f} ms")
    return 1 if seconds > LIMIT else 0


def turns(pools: list[ProcessPoolExecutor], inputs: int, seconds: float) -> Iterator[FuzzReport]:
    """Yield the report of each turn of each process, until all inputs are fed or the time is over."""
    end = time.monotonic() + seconds
    left = dict.fromkeys(pools, -(-inputs // len(pools)))
    running: dict[Future[FuzzReport], ProcessPoolExecutor] = {}

    def submit_turn(pool: ProcessPoolExecutor) -> None:
        rest = end - time.monotonic()
        if left[pool] > 0 and rest > 0:
            running[pool.submit(take_turn, left[pool], min(TURN, rest))] = pool

    for pool in pools:
        submit_turn(pool)
    while running:
        for done in wait(running, return_when=FIRST_COMPLETED).done:
            pool, report = running.pop(done), done.result()
            left[pool] -= report.inputs.total()
            yield report
            submit_turn(pool)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--inputs", type=click.IntRange(1), help="Number of inputs, for all processes together.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Duration, in seconds.")
@click.option(
    "--limit",
    type=click.FloatRange(0, min_open=True),
    default=LIMIT,
    show_default=True,
    help="Processor time limit per input, in seconds; a busy machine needs more.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of the inputs.")
@click.option(
    "--processes",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    help="Number of processes [default: one per core].",
)
@click.option(
    "--target", "names", multiple=True, type=click.Choice([target.name for target in TARGETS]),
    help="Parser to feed [default: all]; may be repeated.",
)  # fmt: skip
@click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), default=Path("fuzz-failures"),
    show_default=True, help="Folder for failing inputs.",
)  # fmt: skip
@click.option(
    "--statistics", type=click.Path(dir_okay=False, path_type=Path),
    help="JSON file that accumulates the figures, updated every half minute.",
)  # fmt: skip
@click.option(
    "--again", "kept", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Kept input to feed alone, with its traceback.",
)  # fmt: skip
def main(
    inputs: int | None,
    seconds: float | None,
    limit: float,
    seed: int,
    processes: int,
    names: tuple[str, ...],
    output: Path,
    statistics: Path | None,
    kept: Path | None,
) -> None:
    """Feed all parsers of outside text; exit with status 1 if an input fails."""
    if kept is not None:
        sys.exit(feed_again(kept))
    if inputs is None and seconds is None:
        inputs = 100_000
    begun = time.monotonic()
    total = FuzzReport()
    earlier = FuzzReport() if statistics is None else FuzzReport.read(statistics)
    with ExitStack() as stack:
        seen = RawArray(ctypes.c_ubyte, SEEN_BYTES)
        pools = [
            stack.enter_context(
                ProcessPoolExecutor(
                    1, initializer=prepare, initargs=(names, seed * 1000 + number, limit, output, seen)
                )
            )
            for number in range(processes)
        ]
        for report in turns(pools, sys.maxsize if inputs is None else inputs, seconds or float("inf")):
            total.add(report)
            if statistics is not None:
                earlier.add(report)
                earlier.write(statistics)
    show(total, time.monotonic() - begun)
    sys.exit(1 if total.failures else 0)


if __name__ == "__main__":
    main()
