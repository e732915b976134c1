"""The fuzzer's command line; see the package."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from pathlib import Path
from types import FrameType

import click
from attrs import Factory, define

from benchmarks.fuzz.failures import keep, target_of
from benchmarks.fuzz.inputs import LONGEST, Inputs
from benchmarks.fuzz.target import Target
from benchmarks.fuzz.targets import TARGETS
from benchmarks.table import print_table

#: Seconds of processor time for an input of up to :data:`LONGEST` bytes.
LIMIT = 0.1

#: Seconds after which an input is given up.
PATIENCE = 10.0

#: An input that took too long is tried so many times more: another program may have been the reason.
RETRIES = 3

#: Reproducers kept of each kind of failure.
KEPT = 3


class TakesTooLong(BaseException):
    """An input was given up. Not an Exception, so that no parser catches it."""


@define
class Report:
    """What one process found."""

    inputs: Counter[str] = Factory(Counter)
    seconds: defaultdict[str, float] = Factory(lambda: defaultdict(float))
    slowest: dict[str, float] = Factory(dict)
    failures: Counter[str] = Factory(Counter)

    def add(self, other: Report) -> None:
        """Add what another process found."""
        self.inputs += other.inputs
        self.failures += other.failures
        for name, seconds in other.seconds.items():
            self.seconds[name] += seconds
        for name, seconds in other.slowest.items():
            self.slowest[name] = max(seconds, self.slowest.get(name, 0.0))


def give_up(_signal: int, _frame: FrameType | None) -> None:
    """Stop the input that is being parsed."""
    raise TakesTooLong


def attempt(target: Target, data: bytes) -> tuple[float, str]:
    """Feed one input; return the seconds of processor time it took and what went wrong, empty if nothing."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    begun = time.process_time()
    try:
        target.run(data)
    except TakesTooLong:
        return time.process_time() - begun, "given up"
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return (
            time.process_time() - begun,
            f"{type(error).__name__} {Path(where.filename).name}:{where.lineno}",
        )
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
    return time.process_time() - begun, ""


def examine(target: Target, data: bytes, limit: float) -> tuple[float, str]:
    """Feed one input, again if it was slow; return the seconds it took and what went wrong."""
    seconds, wrong = attempt(target, data)
    if not wrong and seconds > limit:
        seconds = min(attempt(target, data)[0] for _ in range(RETRIES))
        if seconds > limit:
            wrong = "slow"
    return seconds, wrong


def work(
    seed: int, inputs: int, seconds: float, limit: float, names: tuple[str, ...], folder: Path
) -> Report:
    """Feed inputs in turn to the targets until either number is reached."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, give_up)
    source = random.Random(seed)
    targets = [target for target in TARGETS if not names or target.name in names]
    makers = [Inputs(source, target.samples(source), target.words) for target in targets]
    report = Report()
    end = time.monotonic() + seconds
    for number in range(inputs):
        if time.monotonic() > end:
            break
        index = number % len(targets)
        target, data = targets[index], makers[index].next()
        spent, wrong = examine(target, data, limit)
        report.inputs[target.name] += 1
        report.seconds[target.name] += spent
        report.slowest[target.name] = max(spent, report.slowest.get(target.name, 0.0))
        if wrong:
            kind = f"{target.name}: {wrong}"
            report.failures[kind] += 1
            if report.failures[kind] <= KEPT:
                print(f"{kind}: {keep(folder, target.name, data)}", flush=True)
    return report


def again(path: Path) -> int:
    """Feed one kept input again, showing what goes wrong; return the exit status."""
    target = next(target for target in TARGETS if target.name == target_of(path))
    begun = time.process_time()
    target.run(path.read_bytes())
    seconds = time.process_time() - begun
    print(f"{target.name}: no failure, {seconds * 1000:.1f} ms")
    return 1 if seconds > LIMIT else 0


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--inputs", type=click.IntRange(1), help="Inputs to feed, all processes together.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Time after which to stop.")
@click.option(
    "--limit",
    type=click.FloatRange(0, min_open=True),
    default=LIMIT,
    show_default=True,
    help="Seconds of processor time for one input; a busy machine needs more.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Makes the inputs repeatable.")
@click.option(
    "--processes", type=click.IntRange(1), default=os.cpu_count() or 1, help="[default: one per core]"
)
@click.option(
    "--target", "names", multiple=True, type=click.Choice([target.name for target in TARGETS]),
    help="Feed this parser alone; may be repeated.",
)  # fmt: skip
@click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), default=Path("fuzz-failures"),
    show_default=True, help="Folder for inputs that fail.",
)  # fmt: skip
@click.option(
    "--again", "kept", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Feed one kept input only, and show its traceback.",
)  # fmt: skip
def main(
    inputs: int | None,
    seconds: float | None,
    limit: float,
    seed: int,
    processes: int,
    names: tuple[str, ...],
    output: Path,
    kept: Path | None,
) -> None:
    """Feed all parsers of outside text; the exit status is 1 when an input fails."""
    if kept is not None:
        sys.exit(again(kept))
    if inputs is None and seconds is None:
        inputs = 100_000
    share = sys.maxsize if inputs is None else -(-inputs // processes)
    begun = time.monotonic()
    jobs = [
        (seed * 1000 + number, share, seconds or float("inf"), limit, names, output)
        for number in range(processes)
    ]
    total = Report()
    with multiprocessing.Pool(processes) as pool:
        for report in pool.starmap(work, jobs, chunksize=1):
            total.add(report)
    show(total, time.monotonic() - begun)
    sys.exit(1 if total.failures else 0)


def show(total: Report, elapsed: float) -> None:
    """Print what all processes found."""
    rows = [
        [
            name,
            f"{count:,}",
            f"{total.seconds[name] / count * 1e6:,.0f}",
            f"{total.slowest[name] * 1000:.1f}",
        ]
        for name, count in sorted(total.inputs.items())
    ]
    print_table("Inputs", ["parser", "inputs", "us each", "slowest, ms"], rows)
    count = total.inputs.total()
    print(f"\n{count:,} inputs of up to {LONGEST} bytes in {elapsed:.0f} s: {count / elapsed:,.0f} a second.")
    for kind, times in total.failures.most_common():
        print(f"FAILED {times} times: {kind}")
    if not total.failures:
        print("No failure.")


if __name__ == "__main__":
    main()
