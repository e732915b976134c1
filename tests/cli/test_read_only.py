"""In a read-only folder, commands that write say so in one line and change nothing; others work as usual."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quoridor_net.tournament import EntrantRenewed
from quoridor_net.tournament.journal import reading
from tests.support.tournament_program import run_tournament
from tests.tournament.quoridor.test_leaderboard import Course

SMALL = ("simple", "random", "--games", 1, "--size", 5)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A read-only folder with a finished tournament and a league."""
    folder = tmp_path / "sealed"
    folder.mkdir()
    # Root may write everywhere, except on a disk that is mounted to be read.
    has_disk = os.geteuid() == 0 if sys.platform == "linux" else False
    if has_disk and subprocess.run(["mount", "-t", "tmpfs", "sealed", folder], check=False).returncode:
        pytest.skip("no disk can be mounted")
    try:
        assert run_tournament("run", folder / "done.db", *SMALL).exit_code == 0
        course = Course(folder / "league.db")
        course.play(2, 3, 1)
        course.apply(EntrantRenewed(2, "2", "h:1"))
        course.journal.close()
        if has_disk:
            subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        else:
            folder.chmod(0o500)
            if os.access(folder, os.W_OK):
                pytest.skip("this user may write in read-only folders")
        yield folder
    finally:
        if has_disk:
            subprocess.run(["umount", "--lazy", folder], check=True)
        else:
            folder.chmod(0o700)


def read_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (("run", "new.db", *SMALL), "new.db cannot be opened"),
        (("run", "new.db", *SMALL[:2], "--format", "league"), "new.db cannot be opened"),
        (("resume", "done.db"), "done.db cannot be opened"),
        (("resume", "league.db"), "league.db cannot be opened"),
        (("add", "league.db", "random"), "league.db cannot be opened"),
        (("withdraw", "league.db", "ann"), "league.db cannot be opened"),
        (("renew", "league.db", "ann", "3"), "league.db cannot be opened"),
        (("games", "done.db", "--save", "games"), "games: "),
        (("games", "done.db", "--output", "games.txt"), "cannot write "),
        (("backup", "done.db", "copy.db"), "copy.db: "),
    ],
)
def test_commands_that_write_explain_what_they_cannot_do(
    words: tuple[object, ...], about: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    before = read_files(folder)
    done = run_tournament(*words)
    # The command line is right, except for an option that names a file which cannot be written.
    is_wrong = "--output" in words
    assert (done.exit_code, "Usage" in done.output) == (2 if is_wrong else 1, is_wrong)
    *_, last = done.output.splitlines()
    assert last.startswith("Error: ")
    assert about in last
    assert done.output.count("Error") == 1
    assert read_files(folder) == before


@pytest.mark.parametrize(
    "words",
    [
        ("show", "done.db"),
        ("show", "league.db"),
        ("show", "league.db", "--format", "csv", "--table", "versions"),
        ("show", "league.db", "--format", "csv", "--table", "games", "--until", "2000-01-01"),
        ("verify", "done.db"),
        ("games", "done.db", "--output", "../games.txt"),
        ("backup", "league.db", "../copy.db"),
    ],
)
def test_commands_that_only_read_work(
    words: tuple[object, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    before = read_files(folder)
    done = run_tournament(*words)
    assert (done.exit_code, done.output != "") == (0, True)
    assert read_files(folder) == before


def test_reading_a_read_only_file_leaves_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "done.db"
    assert run_tournament("run", path, *SMALL).exit_code == 0
    path.chmod(0o400)
    opened: list[str] = []

    def connect(name: str, **others: Any) -> sqlite3.Connection:
        opened.append(name)
        connection: sqlite3.Connection = sqlite3.connect(name, **others)
        return connection

    with monkeypatch.context() as patch:
        # As for anybody but root, for whom SQLite would write there.
        patch.setattr(os, "access", lambda file, mode: (mode, Path(file)) != (os.W_OK, path))
        patch.setattr(reading, "sqlite3", SimpleNamespace(**{**vars(sqlite3), "connect": connect}))
        assert run_tournament("show", path).exit_code == 0
    assert {name.partition("?")[2] for name in opened} == {"mode=ro&immutable=1"}
    assert [*tmp_path.iterdir()] == [path]
    path.chmod(0o600)
    assert run_tournament("resume", path).exit_code == 0
