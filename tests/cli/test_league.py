"""Options of leagues are refused for other tournaments, and wrong ones are explained."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from quoridor_net.tournament import EntrantRenewed, EntrantWithdrawn
from quoridor_net.tournament.journal.lock import ManagerLock
from tests.support.patience import PATIENCE
from tests.support.tournament_program import has_result, run_tournament, start_tournament, wait_until
from tests.tournament.quoridor.test_leaderboard import Course

LEAGUE = ("simple", "random", "--format", "league")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--rate", 6), "--rate works only with --format league."),
        (("--quiet-hours", "22:00-06:00"), "--quiet-hours works only with --format league."),
        (("--window", 50), "--window works only with --format league."),
        (("--format", "league", "--quiet-hours", "22-6"), "expected two different times such as 22:00-06:00"),
        (("--format", "league", "--quiet-hours", "06:00-06:00"), "not '06:00-06:00'"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    options: tuple[object, ...], message: str, tmp_path: Path
) -> None:
    done = run_tournament("run", tmp_path / "a.db", "simple", "random", *options)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_a_league_has_no_schedule(tmp_path: Path) -> None:
    line = "A league of 2 entrants, 1 game at once, until you stop it."
    quiet = ("--quiet-hours", "22:00-06:00")
    for options, told in (((), line), (quiet, f"{line} No game starts in the quiet hours 22:00-06:00.")):
        done = run_tournament("run", tmp_path / "a.db", *LEAGUE, "--dry-run", *options)
        assert done.output == f"{told}\n"


def test_dates_are_for_leagues(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert run_tournament("run", path, "simple", "random", "--size", 5, "--games", 1).exit_code == 0
    done = run_tournament("show", path, "--until", "2026-03-31")
    assert (done.exit_code, "--until works only for leagues." in done.output) == (2, True)
    done = run_tournament("show", path, "--until", "yesterday")
    assert "'yesterday' is not a date like 2026-03-31" in " ".join(done.output.split())
    done = run_tournament("renew", path, "simple", "2" * 40)
    assert (done.exit_code, done.stderr.endswith("is over.\n")) == (2, True)
    done = run_tournament("renew", path, "simple", "2" * 41)
    assert (done.exit_code, "expected 1 to 40 visible characters." in done.output) == (2, True)


def test_a_backup_replaces_no_file_unasked(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.db", tmp_path / "b.db"
    assert run_tournament("run", path, "simple", "random", "--size", 5, "--games", 1).exit_code == 0
    assert run_tournament("backup", path, copy).output == f"Copied {path} to {copy}.\n"
    done = run_tournament("backup", path, copy)
    assert (done.exit_code, done.stderr.startswith(f"Error: {copy}: it exists")) == (1, True)
    assert run_tournament("backup", path, copy, "--overwrite").exit_code == 0
    assert run_tournament("verify", copy).exit_code == 0
    assert run_tournament("backup", path, tmp_path / "no" / "b.db").exit_code != 0


def test_a_backup_spares_what_is_no_backup(tmp_path: Path) -> None:
    path, partial = tmp_path / "a.db", tmp_path / "b.db-partial"
    assert run_tournament("run", path, "simple", "random", "--size", 5, "--games", 1).exit_code == 0
    before = path.read_bytes()
    partial.write_text("precious", encoding="utf-8")
    link, folder = tmp_path / "link.db", tmp_path / "folder"
    os.link(path, link)
    folder.mkdir()
    for copy, reason in (
        (path, "is the journal itself"),
        (link, "is the journal itself"),
        ("", "expected the name of a file"),
        (folder, "is a directory"),
    ):
        done = run_tournament("backup", path, copy, "--overwrite")
        assert done.exit_code in {1, 2}, copy
        assert reason in done.output
    assert path.read_bytes() == before
    assert run_tournament("backup", path, tmp_path / "b.db").exit_code == 0
    assert partial.read_text(encoding="utf-8") == "precious"
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == [
        *("a.db", "b.db", "b.db-partial", "link.db"),
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_a_backup_into_a_pipe_is_refused(tmp_path: Path) -> None:
    path, pipe = tmp_path / "a.db", tmp_path / "pipe"
    assert run_tournament("run", path, "simple", "random", "--size", 5, "--games", 1).exit_code == 0
    os.mkfifo(pipe)
    done = run_tournament("backup", path, pipe, "--overwrite")
    assert (done.exit_code, done.stderr) == (1, f"Error: {pipe} is not a file.\n")
    assert pipe.is_fifo()


def test_a_backup_onto_a_journal_in_use_is_refused(tmp_path: Path) -> None:
    path, used = tmp_path / "a.db", tmp_path / "used.db"
    for each in (path, used):
        assert run_tournament("run", each, "simple", "random", "--size", 5, "--games", 1).exit_code == 0
    lock = ManagerLock.take(used)
    try:
        done = run_tournament("backup", path, used, "--overwrite")
    finally:
        lock.release()
    assert (done.exit_code, "is being played" in done.stderr) == (1, True)


@pytest.mark.parametrize("date", ["0001-01-01", "", "x\ny"])
def test_an_impossible_date_is_one_line(tmp_path: Path, date: str) -> None:
    path = tmp_path / "a.db"
    assert run_tournament("run", path, "simple", "random", "--size", 5, "--games", 1).exit_code == 0
    done = run_tournament("show", path, "--until", date)
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1].startswith("Error: ")


def describe_holders(names: str, games: int = 2) -> str:
    return (
        f"h:2 is the address of {names}, but a server plays one game at a time:"
        f" write h:2,games={games} for each entrant at it if it can play against itself"
    )


def test_no_entrant_takes_the_server_of_another(tmp_path: Path) -> None:
    course = Course(tmp_path / "league.db")
    course.apply(EntrantWithdrawn(2), EntrantRenewed(4, "2.0", "h:1", None))
    course.journal.close()
    for words, reason in (
        (("renew", course.path, "cid", "3.0", "h:2"), describe_holders("bob")),
        (("renew", course.path, "cid", "3.0", "H:2,games=2"), describe_holders("bob").replace("h:", "H:")),
        (("add", course.path, "eve=h:2"), describe_holders("bob")),
        # Another has come to its server meanwhile.
        (("add", course.path, "ann"), describe_holders("cid").replace("h:2", "h:1")),
    ):
        done = run_tournament(*words)
        assert (done.exit_code, done.stderr) == (1, f"Error: {reason}.\n"), words


def test_entrants_at_one_server_play_only_once_they_have_room(tmp_path: Path) -> None:
    course = Course(tmp_path / "league.db")
    course.apply(EntrantRenewed(2, "2.0", "h:2", None))
    course.journal.close()
    done = run_tournament("resume", course.path, "--yes")
    assert done.exit_code == 3
    assert done.stderr.startswith(f"Error: {describe_holders('ann, bob')}. To leave an entrant out: ")
    # Others can still come and go.
    done = run_tournament("add", course.path, "eve=random")
    assert (done.exit_code, done.stdout.startswith("eve plays from now on")) == (0, True), done.stderr
    assert run_tournament("withdraw", course.path, "ann").exit_code == 0


def test_nobody_signs_up_for_a_board_that_servers_do_not_know(tmp_path: Path) -> None:
    line = "Error: Only move servers sign up, and they play on the usual board only. Leave out --gather.\n"
    path, sign_up = tmp_path / "a.db", ("--web", "localhost:0", "--gather")
    done = run_tournament("run", path, *LEAGUE, "--walls", 5, *sign_up)
    assert (done.exit_code, done.stderr.endswith(line), path.exists()) == (2, True, False), done.output
    course = Course(path, size=5)
    course.journal.close()
    done = run_tournament("resume", path, "--yes", *sign_up)
    assert (done.exit_code, done.stderr.endswith(line)) == (2, True), done.output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files")
def test_a_league_ends_when_its_file_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with start_tournament("run", path, *LEAGUE, "--size", 5, "--quiet") as process:
        wait_until(path, process, has_result)
        for each in tmp_path.iterdir():
            each.unlink()
        _, error = process.communicate(timeout=PATIENCE)
    assert error == f"Error: {path} was removed or replaced while the tournament was played.\n"
    assert process.returncode == 1
    assert [*tmp_path.iterdir()] == []
