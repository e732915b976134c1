"""The kept corpus: short inputs each of which once reached new code, a file for each target.

Each line of ``tests/data/fuzz/TARGET.inputs`` is one input as Python writes bytes, the shortest first. A
coverage-guided fuzzer found them, starting from samples that are made up here.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "fuzz"


def kept_inputs(target: str) -> Sequence[bytes]:
    """Return the kept inputs of a target; none if it has no file."""
    path = FOLDER / f"{target}.inputs"
    if not path.exists():
        return ()
    return [ast.literal_eval(line) for line in path.read_text("ascii").splitlines()]
