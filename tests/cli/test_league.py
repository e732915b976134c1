"""Options of leagues are refused for other tournaments, and wrong ones are explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.tournament_program import run_tournament

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
    done = run_tournament("run", tmp_path / "a.db", *LEAGUE, "--dry-run", "--quiet-hours", "22:00-06:00")
    assert done.output == "A league of 2 entrants, 1 games at once, until you stop it.\n"


def test_dates_are_for_leagues(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert run_tournament("run", path, "simple", "random", "--size", 5, "--games", 1).exit_code == 0
    done = run_tournament("show", path, "--until", "2026-03-31")
    assert (done.exit_code, "--until works only for leagues." in done.output) == (2, True)
    done = run_tournament("show", path, "--until", "yesterday")
    assert "yesterday is not a date like 2026-03-31" in " ".join(done.output.split())
    done = run_tournament("renew", path, "simple", "2.0")
    assert done.exit_code != 0


def test_a_backup_replaces_no_file_unasked(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.db", tmp_path / "b.db"
    assert run_tournament("run", path, "simple", "random", "--size", 5, "--games", 1).exit_code == 0
    assert run_tournament("backup", path, copy).output == f"Copied {path} to {copy}.\n"
    assert run_tournament("backup", path, copy).exit_code == 1
    assert run_tournament("backup", path, copy, "--overwrite").exit_code == 0
    assert run_tournament("verify", copy).exit_code == 0
    assert run_tournament("backup", path, tmp_path / "no" / "b.db").exit_code != 0
