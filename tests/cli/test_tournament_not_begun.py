"""Commands for a tournament that waits for its beginning, and for one that ended before it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quoridor_net.cli.tournament import COMMANDS
from quoridor_net.tournament.journal import Journal
from tests.support.patience import PATIENCE
from tests.support.tournament_program import run_tournament, start_tournament

#: All commands that need a tournament, with arguments after the file.
WORDS: dict[str, tuple[object, ...]] = {
    "add": ("simple",),
    "award": (1, "ann"),
    "backup": ("copy.db",),
    "games": ("--output", "-"),
    "pair": ("ann,bob",),
    "renew": ("ann", "2.0"),
    "resume": (),
    "set": ("--concurrency", 2),
    "show": (),
    "stop": (),
    "verify": (),
    "withdraw": ("ann",),
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "event.db"


@pytest.fixture
def waiting(path: Path) -> Iterator[Path]:
    """Yield the file of a program that waits for the lecturer, or for the entrants."""
    with Journal.create(path):
        yield path


def test_every_command_is_tried() -> None:
    assert {*WORDS, "run"} == set(COMMANDS)


@pytest.mark.parametrize("command", WORDS)
def test_a_tournament_that_has_not_begun_is_refused_at_once(waiting: Path, command: str) -> None:
    result = run_tournament(command, waiting, *WORDS[command])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == (
        f"Error: the tournament in {waiting} has not begun: wait for its first game, which after --gather"
        " follows the start by the lecturer's link, or end its program with Ctrl-C."
    )
    # Nothing takes effect later.
    assert [each.name for each in waiting.parent.glob("*.db")] == [waiting.name]


def test_a_second_program_is_refused(waiting: Path) -> None:
    result = run_tournament("run", waiting, "simple", "random")
    assert result.exit_code == 2
    assert "is being played by another program" in result.stderr
    # No forecast comes first.
    assert result.stdout == ""


@pytest.mark.parametrize("command", WORDS)
@pytest.mark.parametrize("is_empty", [True, False])
def test_a_tournament_that_ended_before_its_beginning_is_started_again(
    path: Path, command: str, *, is_empty: bool
) -> None:
    if is_empty:
        path.touch()
    else:
        with Journal.create(path.with_name("killed")):
            shutil.copy(path.with_name("killed"), path)
            shutil.copy(path.with_name("killed-wal"), path.with_name(f"{path.name}-wal"))
    result = run_tournament(command, path, *WORDS[command])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == (
        f"Error: {path} contains no tournament, because its program ended before the first game:"
        " start it again."
    )
    assert run_tournament("run", path, "simple", "random", "--size", 3, "--quiet").exit_code == 0


def test_an_unanswered_request_does_not_keep_the_file(path: Path) -> None:
    journal = Journal.create(path)
    journal._connection.execute("INSERT INTO requests (time, request, argument) VALUES ('', 'stop', '')")
    shutil.copy(path, path.with_name("killed.db"))
    shutil.copy(path.with_name(f"{path.name}-wal"), path.with_name("killed.db-wal"))
    journal.close()
    words = (path.with_name("killed.db"), "simple", "random", "--size", 3, "--quiet")
    assert run_tournament("run", *words).exit_code == 0


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_a_program_that_is_stopped_before_the_first_game_says_so(path: Path) -> None:
    words = ("localhost:1", "simple", "--no-show-time", 60)
    with start_tournament("run", path, *words, stderr=subprocess.STDOUT, stdout=subprocess.PIPE) as process:
        assert process.stdout
        lines = [process.stdout.readline()]
        deadline = time.monotonic() + PATIENCE
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        lines.append(process.stdout.readline())
        process.terminate()
        lines += process.communicate(timeout=PATIENCE)[0].splitlines()
    assert (process.returncode, lines[-1]) == (3, "Stopped before the first game.")
    assert not path.exists()
