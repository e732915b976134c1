"""The fuzzer: kept inputs no longer fail, and planted faults are found."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.fuzz.corpus import FOLDER, read_kept_inputs
from benchmarks.fuzz.failures import keep, target_of
from benchmarks.fuzz.feeding import SEEN_BYTES, WATCH, Feeder, Seen, examine
from benchmarks.fuzz.inputs import Inputs
from benchmarks.fuzz.report import FuzzReport
from benchmarks.fuzz.target import Target
from benchmarks.fuzz.targets import TARGETS
from tests.support.patience import PATIENCE

by_name = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@by_name
def test_kept_inputs_do_no_harm(target: Target) -> None:
    kept = read_kept_inputs(target.name)
    assert kept
    for data in kept:
        target.run(data)


@by_name
def test_valid_and_mutated_inputs_do_no_harm(target: Target) -> None:
    source = random.Random(7)
    inputs = Inputs(source, target.samples(source), target.words)
    for _ in range(20):
        target.run(inputs.next())


def test_the_corpus_has_no_file_without_a_target() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {target.name for target in TARGETS}


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


def test_an_endless_input_is_given_up() -> None:
    ticks = 0

    def endless(data: bytes) -> None:
        nonlocal ticks
        while data:
            ticks += 1
            WATCH.tick()

    target = Target("endless", endless, lambda _: (b"x",), (b"Q",))
    assert examine(target, b"x", 1.0)[1] == "given up"
    assert ticks == 2
    # One tick per input is within its limit.
    target = Target("slow", lambda _: WATCH.tick(), lambda _: (b"x",), (b"Q",))
    assert [examine(target, b"x", 1.0, usual=1.0)[1] for _ in range(3)] == [""] * 3


def feeder(folder: Path, *runs: Callable[[bytes], None]) -> Feeder:
    targets = [
        Target(f"target-{number}", run, lambda _: (b"xyz",), (b"Q",)) for number, run in enumerate(runs)
    ]
    return Feeder(targets, 1, 1.0, folder, Seen(memoryview(bytearray(SEEN_BYTES))))


def test_no_input_is_fed_twice(tmp_path: Path) -> None:
    fed: list[bytes] = []
    report = feeder(tmp_path, fed.append).feed(1000, 1e9)
    assert report.inputs == {"target-0": 1000}
    # The slowest inputs are fed again, to confirm that they are slow.
    again = len(fed) - 1000
    assert 0 < again < 1000
    assert len(set(fed)) == 1000


def test_targets_that_are_fast_get_more_inputs(tmp_path: Path) -> None:
    def slow(_data: bytes) -> None:
        for _ in range(20_000):
            pass

    report = feeder(tmp_path, slow, lambda _: None).feed(5000, 1e9)
    assert report.inputs.total() == 5000
    assert 0 < report.inputs["target-0"] < report.inputs["target-1"]
    assert set(report.slowest) == {"target-0", "target-1"}


def test_failures_are_counted_and_the_first_are_kept(tmp_path: Path) -> None:
    report = feeder(tmp_path / "new", fragile).feed(500, 1e9)
    ((kind, times),) = report.failures.items()
    assert kind.startswith("target-0: ZeroDivisionError test_fuzz.py:")
    assert times > 3
    assert len(list((tmp_path / "new").iterdir())) == 3


def test_statistics_are_added_to_those_of_an_earlier_run(tmp_path: Path) -> None:
    words = ("-m", "benchmarks.fuzz", "--target", "notations", "--target", "typed")
    for seed in ("1", "2"):
        done = run(
            *words,
            "--inputs",
            "200",
            "--processes",
            seed,
            "--seed",
            seed,
            "--statistics",
            "s.json",
            folder=tmp_path,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "200 inputs of up to 65536 bytes" in done.stdout
        assert "No failure." in done.stdout
    report = FuzzReport.read(tmp_path / "s.json")
    assert report.inputs.total() == 400
    assert set(report.inputs) == {"notations", "typed"}
    assert all(report.seconds[name] > 0 for name in report.inputs)
    assert not report.failures


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
