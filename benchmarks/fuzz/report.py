"""Figures of a run of the fuzzer."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

from attrs import Factory, define

from benchmarks.fuzz.inputs import LONGEST
from benchmarks.table import print_table


@define
class FuzzReport:
    """Figures by name of the target, and the count of each kind of failure.

    Attributes:
        inputs: number of inputs, distinct within a run.
        seconds: processor time of all inputs, in seconds.
        slowest: processor time of the slowest input, in seconds.
        failures: number of failures by kind.
    """

    inputs: Counter[str] = Factory(Counter)
    seconds: defaultdict[str, float] = Factory(lambda: defaultdict(float))
    slowest: dict[str, float] = Factory(dict)
    failures: Counter[str] = Factory(Counter)

    def add(self, other: FuzzReport) -> None:
        """Add the figures of another report."""
        self.inputs.update(other.inputs)
        self.failures.update(other.failures)
        for name, seconds in other.seconds.items():
            self.seconds[name] += seconds
        for name, seconds in other.slowest.items():
            self.slowest[name] = max(seconds, self.slowest.get(name, 0.0))

    def write(self, path: Path) -> None:
        """Write a file for :meth:`read`, replacing the old one atomically."""
        targets = {
            name: {"inputs": count, "seconds": self.seconds[name], "slowest": self.slowest[name]}
            for name, count in sorted(self.inputs.items())
        }
        beside = path.with_name(f"{path.name}.new")
        beside.write_text(json.dumps({"targets": targets, "failures": self.failures}, indent=1), "ascii")
        beside.replace(path)

    @classmethod
    def read(cls, path: Path) -> FuzzReport:
        """Read a report; return an empty one if the file does not exist."""
        report = cls()
        if path.exists():
            found = json.loads(path.read_text("ascii"))
            report.failures.update(found["failures"])
            for name, figures in found["targets"].items():
                report.inputs[name] = figures["inputs"]
                report.seconds[name] = figures["seconds"]
                report.slowest[name] = figures["slowest"]
        return report


def show(total: FuzzReport, elapsed: float) -> None:
    """Print the figures of a run of ``elapsed`` seconds."""
    rows = [
        [
            name,
            f"{count:,}",
            f"{total.seconds[name] / count * 1e6:,.0f}",
            f"{total.slowest[name] * 1000:.1f}",
        ]
        for name, count in sorted(total.inputs.items())
        if count
    ]
    print_table("Inputs", ["parser", "inputs", "us each", "slowest, ms"], rows)
    count = total.inputs.total()
    print(
        f"\n{count:,} inputs of up to {LONGEST} bytes in {elapsed:.0f} s: {count / elapsed:,.0f} per second."
    )
    for kind, times in total.failures.most_common():
        print(f"FAILED {times} times: {kind}")
    if not total.failures:
        print("No failure.")
