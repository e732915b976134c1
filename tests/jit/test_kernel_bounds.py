"""No kernel of either game reads or writes beyond the end of an array."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("package", ["engine", "clobber"])
def test_no_kernel_leaves_its_arrays(package: str, tmp_path: Path) -> None:
    # A folder of its own, because numba would take code without checks from another one.
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.support.kernel_workout", package]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
