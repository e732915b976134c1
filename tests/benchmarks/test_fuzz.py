"""The fuzzers: no kept input fails any more, and both find faults that are planted."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.fuzz.__main__ import examine
from benchmarks.fuzz.corpus import FOLDER, kept_inputs, replace_inputs
from benchmarks.fuzz.failures import keep, target_of
from benchmarks.fuzz.inputs import Inputs
from benchmarks.fuzz.target import Target
from benchmarks.fuzz.targets import TARGETS
from tests.support.patience import PATIENCE

by_name = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@by_name
def test_kept_inputs_do_no_harm(target: Target) -> None:
    kept = kept_inputs(target.name)
    assert kept
    for data in kept:
        target.run(data)


@by_name
def test_what_is_right_and_what_is_nearly_so_does_no_harm(target: Target) -> None:
    source = random.Random(7)
    inputs = Inputs(source, target.samples(source), target.words)
    for _ in range(20):
        target.run(inputs.next())


def test_the_corpus_has_no_file_without_a_target() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {target.name for target in TARGETS}


def test_a_corpus_is_written_and_read(tmp_path: Path) -> None:
    inputs = {b"\n'\"\\", b"", *(bytes([65, number]) for number in range(150))}
    count = replace_inputs("any", [*inputs, b"x" * 1000], tmp_path)
    assert 30 < count <= 60
    lines = (tmp_path / "any.inputs").read_text("ascii").splitlines()
    assert len(lines) == count
    assert lines[0] == "b''"


def fragile(data: bytes) -> None:
    if data.startswith(b"Q"):
        raise ZeroDivisionError


def test_a_failure_is_named_and_kept(tmp_path: Path) -> None:
    target = Target("a-target", fragile, lambda _: (b"x",), (b"Q",))
    assert examine(target, b"x", 1.0)[1] == ""
    assert examine(target, b"Q", 1.0)[1].startswith("ZeroDivisionError test_fuzz.py:")
    assert examine(target, b"x", 0.0)[1] == "slow"
    path = keep(tmp_path / "new", target.name, b"Q")
    assert (path.read_bytes(), target_of(path)) == (b"Q", "a-target")


#: Finds a fault behind three bytes, and what never ends.
PLANTED = """
from pathlib import Path
from benchmarks.fuzz import guided
from benchmarks.fuzz.target import Target
import atheris

@atheris.instrument_func
def fragile(data):
    if data[:1] == b"Q" and data[1:2] == b"N" and data[2:3] == b"!":
        raise ZeroDivisionError

@atheris.instrument_func
def endless(data):
    while data[:1] == b"H":
        pass

guided.PATIENCE = 1
targets = [Target(run.__name__, run, lambda _: (b"x",), words) for run, words in
           ((fragile, (b"Q", b"N", b"!")), (endless, (b"H",)), (len, (b"H",)))]
settings = guided.Settings(2000, 0, 1, Path("corpus"), Path("failures"))
for found in guided.explore(targets, settings, 2):
    print("FOUND", found.name, *(path.read_bytes() for path in found.failures))
"""


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=folder,
        env={"PYTHONPATH": str(root)},
    )


def test_coverage_guides_to_planted_faults(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed: it exists for Linux only")
    done = run("-c", PLANTED, folder=tmp_path)
    found = sorted(line for line in done.stdout.splitlines() if line.startswith("FOUND"))
    assert len(found) == 3, done.stdout + done.stderr
    assert found[0].startswith("FOUND endless b'H")
    assert found[1].startswith("FOUND fragile b'QN!")
    assert found[2] == "FOUND len"
    assert "ZeroDivisionError" in done.stdout


def test_a_short_guided_run_over_all_targets(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed: it exists for Linux only")
    inputs = 60 * len(TARGETS)
    done = run("-m", "benchmarks.fuzz.guided", "--inputs", str(inputs), "--processes", "1", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No failure." in done.stdout
    assert all(target.name in done.stdout for target in TARGETS)
    assert {path.name for path in (tmp_path / "fuzz-corpus").iterdir()} == {t.name for t in TARGETS}
