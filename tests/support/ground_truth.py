"""Ground truth that stays outside the repository; tests that need it are skipped where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

_SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def ground_truth(*parts: str) -> Path:
    """Return the path of a file or folder of the ground truth, or skip the test."""
    path = _SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the ground truth {'/'.join(parts)} is not beside this repository (../shared/data)")
    return path
