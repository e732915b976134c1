"""``quoridor tournament`` as real processes: killed, stopped, asked from elsewhere, and without a reader."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.tournament.archive import verify
from quoridor_net.tournament.journal import JournalError, read_journal
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

COMMAND = (sys.executable, "-c", "from quoridor_net.cli.main import main; main()", "tournament")
FIELD = ("simple", "a=simple", "random", "b=random", "--seed", "5", "--concurrency", "2")
LIMIT = PATIENCE

_begun: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    yield
    while _begun:
        process = _begun.pop()
        process.kill()
        if process.returncode is None:
            process.communicate()


def begin(*words: object, **settings: Any) -> subprocess.Popen[str]:
    settings = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE} | settings
    _begun.append(subprocess.Popen([*COMMAND, *map(str, words)], text=True, **settings))
    return _begun[-1]


def finish(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, words)], text=True, capture_output=True, timeout=LIMIT, check=False
    )


def document(path: Path) -> Any:
    return json.loads(finish("show", path, "--format", "json").stdout)


def wait_for_result(path: Path, process: subprocess.Popen[str]) -> None:
    """Return when a game is over and the tournament is not."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        try:
            if read_journal(path).decided:
                return
        except JournalError:
            pass
        time.sleep(0.02)
    raise AssertionError("no game came to an end")


def test_killed_again_and_again_it_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.db", tmp_path / "killed.db"
    words = (*FIELD, "--games", 6)
    assert finish("run", whole, *words).returncode == 0
    moments = random.Random(1)
    process = begin("run", killed, *words)
    wait_for_result(killed, process)
    for _ in range(10):
        process.kill()
        process.communicate()
        process = begin("resume", killed)
        try:
            process.wait(0.25 + 0.4 * moments.random())
        except subprocess.TimeoutExpired:
            continue
        break
    process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    told, expected = document(killed), document(whole)
    assert told["entrants"] == expected["entrants"]
    assert told["games"] == expected["games"]
    assert verify(killed) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_the_command_that_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "a.db"
    process = begin("run", path, *FIELD, "--games", 200)
    wait_for_result(path, process)
    process.send_signal(number)
    _, error = process.communicate(timeout=LIMIT)
    assert process.returncode == 4
    assert error == f"Stopped. To go on: quoridor tournament resume {path}\n"
    assert verify(path) == []


def test_other_terminals_are_heard_and_a_second_manager_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    process = begin("run", path, *FIELD, "--games", 1000)
    wait_for_result(path, process)
    second = finish("resume", path)
    assert second.returncode == 2
    assert "is being played by another program" in second.stderr
    # Everything it says is of one moment.
    assert finish("verify", path).returncode == 0
    assert finish("set", path, "--concurrency", 4).returncode == 0
    assert finish("withdraw", path, "nobody").returncode == 1
    assert finish("withdraw", path, "b").returncode == 0
    assert finish("stop", path).returncode == 0
    process.communicate(timeout=LIMIT)
    assert process.returncode == 4
    assert verify(path) == []
    assert all("b" not in game["seats"] for game in document(path)["games"][-1:])


def test_without_room_for_its_output_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Path("/dev/full").open("w") as full:
        process = begin("run", path, "simple", "random", stdout=full)
        process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    assert document(path)["finished"]


def test_without_a_reader_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    process = begin("run", path, "simple", "random", stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    process.wait(LIMIT)
    assert document(path)["finished"]
    assert process.stderr is not None
    with process.stderr as errors:
        assert "Traceback" not in errors.read()


def test_a_limit_to_the_file_is_one_sentence_and_it_goes_on_later(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = tmp_path / "a.db"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (266_240, 266_240))

    process = begin("run", path, "random", "random", "--games", 60, preexec_fn=limit)
    _, error = process.communicate(timeout=LIMIT)
    assert process.returncode == 4, error
    first, second = error.splitlines()
    assert first.startswith(f"Error: {path} cannot be ")
    assert second == f"Stopped. To go on: quoridor tournament resume {path}"
    assert finish("resume", path, "--quiet").returncode == 0
    assert len(document(path)["games"]) == 60
    assert verify(path) == []
