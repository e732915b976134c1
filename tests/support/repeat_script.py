"""The stand-alone scripts that repeat a fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.patience import PATIENCE


def run_script(script: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the checker, without the modules of this project."""
    return subprocess.run(
        [sys.executable, "-I", str(script), *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
