"""``quoridor grade batch`` writes a row for each team, and continues where it was stopped."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

from quoridor_net.cli.grade.grading import Grading
from quoridor_net.cli.main import main
from quoridor_net.grading.grade import Ending, Grade
from quoridor_net.grading.subjects import Subject
from tests.grading.grades import whole_grade

TEAMS = """
[[team]]
name = "ann"
server = "localhost:5858"
[[team]]
name = "bob"
server = "localhost:5859"
"""


class Endings:
    """Grades for the programs, in order; ``graded`` lists the programs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.graded: list[str] = []
        self.next: list[Ending] = []
        monkeypatch.setattr(Grading, "grade", lambda grading, subject, _: self._grade(grading, subject))

    def _grade(self, grading: Grading, subject: Subject) -> Grade:
        self.graded.append(subject.title)
        ending = self.next.pop(0) if self.next else Ending.KNOWN
        return evolve(whole_grade(), subject=subject.title, ending=ending, seed=grading.settings.seed)


@pytest.fixture
def endings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Endings:
    monkeypatch.chdir(tmp_path)
    Path("teams.toml").write_text(TEAMS, encoding="utf-8")
    return Endings(monkeypatch)


def batch(*words: str) -> Result:
    return CliRunner().invoke(main, ["grade", "batch", "teams.toml", "--csv", "grades.csv", *words])


def rows() -> list[dict[str, str]]:
    with Path("grades.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_team_has_a_row(endings: Endings) -> None:
    done = batch("--folder", "pages")
    assert done.exit_code == 0, done.output
    assert [(row["team"], row["ending"], row["seed"]) for row in rows()] == [
        ("ann", "known", "1"),
        ("bob", "known", "1"),
    ]
    assert done.stdout.splitlines()[0].startswith("ann: ")
    assert "1 game lost by a fault" in done.stdout
    assert Path("pages/ann.txt").read_text("utf-8").startswith("Grade of ann:bot")
    assert Path("pages/ann.html").read_text("utf-8").startswith("<!doctype html>")
    assert json.loads(Path("pages/bob.json").read_text("utf-8"))["subject"] == "move server localhost:5859"


def test_an_interrupted_batch_continues_with_the_first_incomplete_team(endings: Endings) -> None:
    endings.next = [Ending.KNOWN, Ending.INTERRUPTED]
    done = batch()
    assert done.exit_code == 4
    assert [(row["team"], row["partial"]) for row in rows()] == [("ann", "no"), ("bob", "yes")]
    done = batch("--resume")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0] == "ann: graded before"
    assert endings.graded == [f"move server localhost:{port}" for port in (5858, 5859, 5859)]
    assert [(row["team"], row["partial"]) for row in rows()] == [("ann", "no"), ("bob", "no")]


def test_a_partial_grade_does_not_stop_the_others(endings: Endings) -> None:
    endings.next = [Ending.UNAVAILABLE, Ending.KNOWN]
    done = batch()
    assert done.exit_code == 1
    assert "partial: unavailable" in done.stdout
    assert [row["ending"] for row in rows()] == ["unavailable", "known"]


def test_an_existing_table_is_not_overwritten_by_accident(endings: Endings) -> None:
    assert batch().exit_code == 0
    before = Path("grades.csv").read_bytes()
    done = batch()
    assert done.exit_code == 2
    assert "it exists; choose another name or add --overwrite" in done.stderr
    assert Path("grades.csv").read_bytes() == before
    assert batch("--overwrite").exit_code == 0
    assert len(endings.graded) == 4


def test_a_table_that_cannot_be_written_is_reported_before_any_grade(endings: Endings) -> None:
    done = batch("--csv", "no/grades.csv")
    assert (done.exit_code, endings.graded) == (2, [])
    assert "cannot write no/grades.csv: No such file or directory." in done.stderr


def test_a_table_of_another_seed_or_rubric_is_not_continued(endings: Endings) -> None:
    assert batch().exit_code == 0
    done = batch("--resume", "--seed", "2")
    assert done.exit_code == 2
    assert "grades.csv has grades with seed 1. Give the same --seed." in done.stderr
    Path("rubric.toml").write_text("[strength]\npoints = 10\n", encoding="utf-8")
    done = batch("--resume", "--rubric", "rubric.toml")
    assert done.exit_code == 2
    assert "grades.csv has other columns." in done.stderr


def test_resuming_without_a_table_begins_one(endings: Endings) -> None:
    assert batch("--resume").exit_code == 0
    assert len(rows()) == 2


def test_mistakes_in_the_list_are_reported_line_by_line(endings: Endings) -> None:
    Path("teams.toml").write_text(TEAMS.replace('"bob"', '"ann"') + "[style]\n", encoding="utf-8")
    done = batch()
    assert done.exit_code == 2
    assert "unknown key 'style'" in done.stderr
    assert "teams.toml: team 2: the name 'ann' is given twice." in done.stderr
    assert endings.graded == []
