"""Run the benchmarks that need no arguments, one after the other: ``python -m benchmarks``."""

from __future__ import annotations

import subprocess
import sys

PROGRAMS = ("perft", "startup", "lan_game")

for program in PROGRAMS:
    subprocess.run([sys.executable, "-m", f"benchmarks.{program}"], check=True)
