"""The kept corpus: one file per target with short inputs, each of which once reached new code.

Each line of ``tests/data/fuzz/TARGET.inputs`` is one input as a Python bytes literal, the shortest first. A
coverage-guided fuzzer found them, starting from generated samples.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "fuzz"


def read_kept_inputs(target: str) -> Sequence[bytes]:
    """Read the kept inputs of a target; none if it has no file."""
    path = FOLDER / f"{target}.inputs"
    if not path.exists():
        return ()
    return [ast.literal_eval(line) for line in path.read_text("ascii").splitlines()]
