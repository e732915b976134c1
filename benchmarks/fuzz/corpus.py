"""The kept corpus: short inputs each of which once reached new code, a file for each target.

Each line of ``tests/data/fuzz/TARGET.inputs`` is one input as Python writes bytes, the shortest first. The
inputs were found by ``python -m benchmarks.fuzz.guided --keep`` from samples that are made up here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "fuzz"

#: Most inputs of a target, and most bytes of one: the corpus is fed to all targets in every run of the tests.
MOST_INPUTS = 60
LONGEST_INPUT = 200


def kept_inputs(target: str) -> Sequence[bytes]:
    """Return the kept inputs of a target; none if it has no file."""
    path = FOLDER / f"{target}.inputs"
    if not path.exists():
        return ()
    return [ast.literal_eval(line) for line in path.read_text("ascii").splitlines()]


def replace_inputs(target: str, inputs: Iterable[bytes], folder: Path = FOLDER) -> int:
    """Keep some of ``inputs``, of all lengths, instead of those of a target; return how many they are."""
    found = {data for data in inputs if len(data) <= LONGEST_INPUT}
    short = sorted(found, key=lambda data: (len(data), data))
    chosen = short[:: -(-len(short) // MOST_INPUTS) or 1]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{target}.inputs").write_text("".join(f"{data!r}\n" for data in chosen), "ascii")
    return len(chosen)
