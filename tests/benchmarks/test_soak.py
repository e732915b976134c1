"""The soak test plays, injects faults and measures; its slopes are right."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.soak import slope
from tests.support.patience import PATIENCE


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], 0.0),
        ([(1.0, 5.0)], 0.0),
        ([(1.0, 5.0), (1.0, 7.0)], 0.0),
        ([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)], 2.0),
        ([(0.0, 3.0), (1.0, 3.0), (4.0, 3.0)], 0.0),
    ],
)
def test_slope_fits_by_least_squares(points: list[tuple[float, float]], expected: float) -> None:
    assert slope(points) == pytest.approx(expected)


@pytest.mark.end_to_end
def test_a_short_soak_with_faults_succeeds(tmp_path: Path) -> None:
    path = tmp_path / "soak.csv"
    words = ("--minutes", "0.04", "--faults", "--output", str(path))
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.soak", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counted = re.match(r"([\d,]+) games in 0.04 minutes, ([\d,]+) faults", done.stdout)
    assert counted is not None
    # A busy machine may finish no game in this time.
    assert (counted[1], counted[2]) != ("0", "0")
    assert "0 of them about internal errors" in done.stdout
    with path.open(encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    assert {row["program"] for row in rows} == {"server 1", "server 2", "clients"}
    assert all(float(row["memory"]) > 1 and int(row["descriptors"]) > 3 for row in rows)
