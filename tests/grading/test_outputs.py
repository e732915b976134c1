"""Text, JSON, JUnit and the formats of autograders say the same about a grade."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import click
import pytest
from attrs import evolve

from quoridor_net.check.findings import CheckOutcome, CheckVerdict
from quoridor_net.grading.autograders import as_classroom, as_gradescope
from quoridor_net.grading.encoding import as_junit, as_object
from quoridor_net.grading.grade import Ending, Grade, Mistake
from quoridor_net.grading.html_report import html_report
from quoridor_net.grading.rubric import Award, default_rubric, parse_rubric
from quoridor_net.grading.text_report import advise, page
from quoridor_net.rules import Orientation, Position, Square, Step, Wall
from quoridor_net.rules.picture import BoardPicture
from tests.grading.grades import empty_grade, partial_grade, whole_grade


def award_of(grade: Grade) -> Award:
    return parse_rubric(default_rubric()).award(grade)


def page_of(grade: Grade) -> str:
    return click.unstyle("\n".join(page(grade, award_of(grade))))


GRADES = [whole_grade(), partial_grade(), empty_grade()]


def test_page_has_everything_that_a_student_needs() -> None:
    grade = whole_grade()
    text = " ".join(page_of(grade).split())
    for expected in (
        "Grade of ann:bot, move server ann:5858",
        "1 of 4 checks passed, 2 skipped; findings: 1 must, 1 should, 0 note.",
        "LAN-141  must  The server swaps column and row",
        "on a scale from 0 (random moves) to 10; between",
        "These are few games.",
        "against simple      0 won   0 drawn   2 lost",
        "0.15 s per move on average, 1.5 s at most",
        "1 game was lost by a fault; docs/verdicts.md explains each verdict.",
        "1 x illegal_move, game 2 against simple: it played (0, 0), which is illegal",
        "it played (4, 1); (3, 0)",
        "Winning chance 25% instead of 75%.",
        grade.mistakes[0].position.to_line(),
        "It ended with exit status 1.",
        "Fix LAN-141 first;",
    ):
        assert " ".join(expected.split()) in text, expected
    assert click.style("Faults", dim=True)[:-4] in "\n".join(page(grade, award_of(grade)))


@pytest.mark.parametrize("grade", GRADES)
def test_page_is_80_columns_wide_and_at_most_80_lines_long(grade: Grade) -> None:
    lines = page_of(grade).split("\n")
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 80


def test_partial_grade_says_so_everywhere() -> None:
    grade = partial_grade()
    award = award_of(grade)
    assert "Partial grade: the grading was interrupted." in page_of(grade)
    assert as_object(grade, award)["partial"] is True
    assert as_classroom(grade, award, 1.0)["status"] == "error"
    assert "Partial grade" in as_gradescope(grade, award, 1.0)["output"]


def test_program_that_was_not_available_is_explained_everywhere() -> None:
    grade = empty_grade()
    award = award_of(grade)
    why = "cannot be started: No such file or directory"
    assert why in " ".join(page_of(grade).split())
    assert as_object(grade, award)["detail"] == why
    assert why in as_junit(grade, award)
    assert why in " ".join(as_gradescope(grade, award, 1.0)["output"].split())


@pytest.mark.parametrize("grade", GRADES)
def test_json_has_the_documented_fields(grade: Grade) -> None:
    award = award_of(grade)
    found = json.loads(json.dumps(as_object(grade, award), allow_nan=False))
    assert found["version"] == 1
    assert found["points"]["points"] == award.points
    assert len(found["games"]) == len(grade.games)
    assert sum(row["won"] + row["drawn"] + row["lost"] for row in found["opponents"]) == len(grade.games)


def test_json_writes_moves_in_both_notations() -> None:
    grade = whole_grade()
    (mistake,) = as_object(grade, award_of(grade))["mistakes"]
    assert (mistake["played"], mistake["played_as_sent"]) == ("e2", "(4, 1)")
    assert (mistake["better"], mistake["better_as_sent"]) == ("d1", "(3, 0)")


@pytest.mark.parametrize("grade", GRADES)
def test_junit_counts_what_it_lists(grade: Grade) -> None:
    award = award_of(grade)
    root = ET.fromstring(as_junit(grade, award))
    outputs = {output.text for output in root.iter("system-out")}
    assert {
        f"{part.points:g} of {part.maximum:g} points: {part.reason}" for part in award.parts if part.points
    } <= outputs
    assert root.tag == "testsuites"
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))


@pytest.mark.parametrize("grade", GRADES)
def test_gradescope_has_a_test_for_each_part(grade: Grade) -> None:
    award = award_of(grade)
    found = as_gradescope(grade, award, 61.4)
    assert found["score"] == award.points
    assert found["execution_time"] == 61
    assert [(test["name"], test["score"], test["max_score"]) for test in found["tests"]] == [
        (part.name, part.points, part.maximum) for part in award.parts
    ]
    assert {test["status"] for test in found["tests"]} <= {"passed", "failed"}
    assert "\x1b" not in json.dumps(found)


@pytest.mark.parametrize("grade", GRADES)
def test_classroom_sums_the_points_of_its_tests(grade: Grade) -> None:
    award = award_of(grade)
    found = as_classroom(grade, award, 61.4)
    assert found["version"] == 1
    assert found["max_score"] == award.maximum
    assert round(sum(test["score"] for test in found["tests"]), 1) == award.points
    assert {test["status"] for test in found["tests"]} <= {"pass", "fail"}


def test_findings_come_with_their_fix() -> None:
    grade = whole_grade()
    award = award_of(grade)
    conformance = as_gradescope(grade, award, 1.0)["tests"][0]["output"]
    assert "LAN-141  must" in conformance
    assert "Fix " in conformance
    assert "1 x illegal_move" in as_classroom(grade, award, 1.0)["tests"][2]["message"]


def played_grade(picture: BoardPicture) -> Grade:
    """Return a grade with a costly move after the first two plies of a game."""
    game = whole_grade().games[0]
    position = Position()
    for ply in game.plies[:2]:
        assert ply.move is not None
        position.push(ply.move)
    better = Wall(3, 6, Orientation.HORIZONTAL)
    mistake = Mistake(game, 3, position, Step(Square(4, 2)), better, 0.75, 0.5)
    report = whole_grade().report
    assert report is not None
    report.findings = []
    return evolve(whole_grade(), picture=picture, mistakes=[mistake], report=report, games=[game])


def test_costly_position_of_a_server_is_drawn_and_can_be_sent() -> None:
    grade = played_grade(BoardPicture.LAN)
    page = page_of(grade)
    lines = ["HELLO", "GAME 1 one:bot two:bot", "ATARI 1 (4, 1)", "ATARI 2 (4, 7)", "MYOUSHU"]
    assert "\n".join(f"{' ' * 13}{line}" for line in lines) in page
    assert as_object(grade, award_of(grade))["mistakes"][0]["lines"] == lines
    assert "             2 │ ·   ·   ·   ·  ×××  ·   ·   ·   · │\n" in page
    assert "               │            ○○○○○○○                │\n" in page
    assert "× the move played, (4, 2); ○ the better move, [(3, 6), h]." in " ".join(page.split())
    assert "improve it until it plays [(3, 6), h]." in " ".join(page.split())


def test_costly_position_of_an_engine_has_the_labels_of_its_protocol() -> None:
    page = page_of(played_grade(BoardPicture.ATHENS))
    lines = ["boardsize 9", "clear_board", "playmove black E8", "playmove white E2", "genmove black"]
    assert "\n".join(f"{' ' * 13}{line}" for line in lines) in page
    assert "             7 │ ·   ·   ·   ·  ×××  ·   ·   ·   · │\n" in page
    assert "A   B   C   D   E   F   G   H   I" in page
    text = " ".join(page.split())
    assert "▼ black; ▲ white; × the move played, E7; ○ the better move, D3 horizontal." in text


@pytest.mark.parametrize("picture", [BoardPicture.LAN, BoardPicture.ATHENS])
def test_html_draws_both_moves(picture: BoardPicture) -> None:
    grade = played_grade(picture)
    html = html_report(grade, award_of(grade))
    assert html.count('class="marked"') == html.count('class="refused"') == 1
    assert "Green: the better move." in html
    assert ("playmove black E8" in html) == (picture is BoardPicture.ATHENS)


def test_next_step_of_a_server_of_one_game_is_its_command() -> None:
    grade = partial_grade()
    assert grade.report is not None
    skipped = [CheckOutcome(name, name, CheckVerdict.SKIPPED, "one game") for name in "abcd"]
    grade.report.outcomes = [grade.report.outcomes[0], *skipped]
    grade.report.findings = [finding for finding in grade.report.findings if finding.code == "LAN-171"]
    line = advise(evolve(grade, ending=Ending.GONE))
    assert line.startswith(
        "Accept connections in a loop (LAN-171), or grade it by its command: quoridor grade"
    )


def test_open_should_is_the_next_step_of_a_sound_program() -> None:
    grade = whole_grade()
    assert grade.report is not None
    grade.report.findings = [finding for finding in grade.report.findings if finding.code == "LAN-171"]
    assert advise(evolve(grade, games=grade.games[:1])).startswith("Fix LAN-171, a should;")
