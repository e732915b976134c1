"""A full disk causes one clear line, and no finished game is lost.

The disk is a small one in memory, which needs Linux and root. ``test_short_machine`` and
``test_tournament_killed`` use limits of file sizes, which cause other errors.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quoridor_net.replay import parse_replay
from quoridor_net.tournament.journal import read_journal
from quoridor_net.tournament.quoridor.archive import read_games, verify
from tests.end_to_end.conftest import StartServer
from tests.support.engine_programs import sloppy_command
from tests.support.patience import PATIENCE
from tests.support.tournament_program import (
    read_document,
    read_untimed,
    run_tournament,
    start_tournament,
    wait_until,
)

pytestmark = pytest.mark.end_to_end

COMMAND = (sys.executable, "-c", "from quoridor_net.cli.main import main; main()")
ENGINE = sloppy_command("sane")
WORDS = ("simple", "random", "--games", 40, "--size", 5, "--seed", 3, "--concurrency", 2)

KIB = 1024
SIZE = 16 * 1024 * KIB


class Disk:
    """A disk of :data:`SIZE` bytes, which a file fills as far as wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def leave(self, free: int) -> None:
        """Leave this many bytes free, rounded down to whole pages."""
        self._ballast.unlink(missing_ok=True)
        room = os.statvfs(self.folder)
        pages = room.f_bavail - free // room.f_frsize
        self._ballast.write_bytes(bytes(max(0, pages) * room.f_frsize))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root of a Linux can make a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "quoridor-net", str(folder)]
    mounted = subprocess.run(words, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"no small disk can be made: {mounted.stderr.strip()}")
    yield Disk(folder)
    # Lazily: a program that failed a test may still have a file open there.
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def read_results(path: Path) -> object:
    """Return every table and every move."""
    games = read_games(path, read_journal(path))
    return read_untimed(path), [[move[:2] for move in game.moves] for game in games]


def test_a_tournament_resumes_after_a_full_disk(disk: Disk, tmp_path: Path) -> None:
    whole, path = tmp_path / "whole.db", disk.folder / "a.db"
    assert run_tournament("run", whole, *WORDS).exit_code == 0
    command: tuple[object, ...] = ("run", path, *WORDS)
    known = stops = 0
    for step in range(50):
        disk.leave(400 * KIB if step == 0 else 150 * KIB)
        with start_tournament(*command) as process:
            _, error = process.communicate(timeout=PATIENCE)
        command = ("resume", path)
        results = len(read_journal(path).decided)
        assert results >= known, "games were lost"
        known = results
        if process.returncode == 0:
            break
        stops += 1
        assert process.returncode == 1, error
        first, second = error.splitlines()
        assert first == f"Error: {path} cannot be written: the disk is full."
        assert second.endswith(f" tournament resume {path}")
        # A journal can be read even if it cannot be written any more.
        disk.leave(0)
        assert verify(path) == []
        assert len(read_document(path)["games"]) >= known
    assert stops >= 2
    assert read_results(path) == read_results(whole)


@pytest.mark.parametrize("free", [0, 4 * KIB, 12 * KIB, 40 * KIB, 80 * KIB])
def test_a_full_disk_at_the_start_is_reported(free: int, disk: Disk) -> None:
    path = disk.folder / "a.db"
    disk.leave(free)
    refused = run_tournament("run", path, *WORDS)
    assert refused.exit_code == 1
    assert refused.stderr.splitlines()[-1] == f"Error: {path} cannot be written: the disk is full."
    assert "Usage" not in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not path.exists()
    disk.leave(SIZE)
    assert run_tournament("run", path, "simple", "random", "--size", 3).exit_code == 0


@pytest.mark.parametrize("free", [0, 4 * KIB, 12 * KIB, 40 * KIB, 80 * KIB])
@pytest.mark.parametrize(
    "words",
    [("resume",), ("add", "random"), ("set", "--concurrency", 2), ("withdraw", "simple")],
    ids=lambda words: words[0],
)
def test_a_full_disk_is_no_wrong_usage(words: tuple[object, ...], free: int, disk: Disk) -> None:
    path = disk.folder / "a.db"
    with start_tournament("run", path, *WORDS[:2], "--format", "league", "--size", 5) as process:
        wait_until(path, process, lambda state: len(state.decided) > 3)
        process.kill()
    command, *more = words
    disk.leave(free)
    refused = run(*("tournament", command, path, *more))
    if refused.returncode == 0:
        # There was enough space for this request.
        assert (free, command) != (0, "resume")
        return
    first, *others = refused.stderr.splitlines()
    assert refused.returncode == 1
    assert first in {
        f"Error: {each} cannot be written: the disk is full." for each in (path, f"{path}-manager")
    }
    assert not others or others[0].startswith("Stopped. ")


def test_a_journal_with_a_log_is_read_on_a_full_disk(disk: Disk) -> None:
    """The log has the latest games, and SQLite needs space to read it together with other processes."""
    path, copied = disk.folder / "a.db", disk.folder / "b.db"
    with start_tournament("run", path, *WORDS[:2], "--games", 4000, *WORDS[4:]) as process:
        wait_until(path, process, lambda state: len(state.decided) > 3)
        process.kill()
    (disk.folder / "a.db-shm").unlink()
    for end in ("", "-wal"):
        (disk.folder / f"a.db{end}").rename(disk.folder / f"b.db{end}")
    disk.leave(0)
    full = read_document(copied)
    assert run_tournament("verify", copied).exit_code == 0
    disk.leave(SIZE)
    assert full == read_document(copied)
    assert len(full["games"]) > 3


def test_a_display_client_reports_a_full_disk(disk: Disk, start_server: StartServer) -> None:
    server, replay, log = start_server(), disk.folder / "a.qtp", disk.folder / "a.log"
    words = (
        "display",
        server.endpoint,
        server.endpoint,
        "--gap",
        0,
        "--quiet",
        "--save",
        replay,
        "--log",
        log,
    )
    disk.leave(0)
    full = run(*words)
    assert full.returncode == 0
    assert "wins" in full.stdout
    lines = full.stderr.splitlines()
    assert len(lines) == 2
    for path in (replay, log):
        assert any(line.startswith(f"cannot write {path}: No space left on device. ") for line in lines)
        path.unlink(missing_ok=True)
    disk.leave(SIZE)
    free = run(*words)
    assert (free.returncode, free.stderr) == (0, "")
    assert parse_replay(replay.read_text(encoding="ascii")).complete
    assert b"KIKASHI" in log.read_bytes()


def test_a_referee_reports_a_full_disk(disk: Disk) -> None:
    words = (
        "referee",
        "--white",
        ENGINE,
        "--black",
        ENGINE,
        "--games",
        2,
        "--size",
        5,
        "--save",
        disk.folder,
    )
    disk.leave(0)
    full = run(*words)
    assert full.returncode == 0
    assert "game 2: " in full.stdout
    for line in full.stderr.splitlines():
        assert line.endswith(": No space left on device. The game is not recorded.")
    assert len(full.stderr.splitlines()) == 2
    disk.leave(SIZE)
    for path in disk.folder.glob("*.qtp"):
        path.unlink()
    assert run(*words).stderr == ""
    assert len(list(disk.folder.glob("*.qtp"))) == 2


def test_saving_and_converting_games_report_a_full_disk(disk: Disk, tmp_path: Path) -> None:
    journal, folder = tmp_path / "a.db", disk.folder / "games"
    assert run_tournament("run", journal, *WORDS).exit_code == 0
    disk.leave(8 * KIB)
    full = run_tournament("games", journal, "--save", folder)
    assert full.exit_code == 1
    (line,) = full.stderr.splitlines()[-1:]
    assert "No space left on device" in line
    assert "Traceback" not in full.stderr
    disk.leave(SIZE)
    again = run_tournament("games", journal, "--save", folder, "--overwrite")
    assert again.exit_code == 0, again.stderr
