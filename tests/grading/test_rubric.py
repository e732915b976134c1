"""Rubrics give points for the parts of a grade, and name each wrong key of a file."""

from __future__ import annotations

import pytest
from attrs import evolve

from quoridor_net.check.findings import CheckVerdict
from quoridor_net.grading.rubric import Award, RubricError, default_rubric, parse_rubric
from tests.grading.grades import empty_grade, whole_grade


def points(award: Award) -> dict[str, float]:
    return {part.name: part.points for part in award.parts}


def test_default_rubric_has_all_parts_and_a_hundred_points() -> None:
    award = parse_rubric(default_rubric()).award(whole_grade())
    assert award.maximum == 100
    assert list(points(award)) == ["conformance", "strength", "reliability"]


def test_points_follow_from_the_grade() -> None:
    grade = whole_grade()
    assert grade.placement is not None
    award = parse_rubric(default_rubric()).award(grade)
    level = round(grade.placement.level, 1)
    # One of three checks, because the one left out to save time does not count, halved by the must.
    assert points(award) == {
        "conformance": 8.3,
        "strength": round(40 * min(level / 3, 1), 1),
        "reliability": 7.5,
    }
    assert award.parts[0].reason == "1 of 3 checks passed; must: x 0.5"
    assert award.parts[2].reason == "1 of 4 games lost by faults"
    assert award.points == round(sum(points(award).values()), 1)


def test_a_program_that_passes_all_checks_gets_their_points() -> None:
    grade = whole_grade()
    assert grade.report is not None
    grade.report.findings.clear()
    counted = [outcome for outcome in grade.report.outcomes if not outcome.is_late]
    grade.report.outcomes = [evolve(outcome, verdict=CheckVerdict.PASSED) for outcome in counted]
    award = parse_rubric("[conformance]\npoints = 10\n").award(grade)
    assert (award.points, award.parts[0].reason) == (10, "3 of 3 checks passed")


def test_a_check_left_out_to_save_time_does_not_count() -> None:
    grade = whole_grade()
    assert grade.report is not None
    assert [outcome.name for outcome in grade.report.outcomes if outcome.is_late] == ["slow"]
    assert grade.checks_counted == len(grade.report.outcomes) - 1


def test_a_program_that_was_not_checked_gets_no_points() -> None:
    award = parse_rubric(default_rubric()).award(empty_grade())
    assert award.points == 0
    assert award.maximum == 100


@pytest.mark.parametrize(
    ("level", "expected"), [(0.4, 0.0), (1.0, 0.0), (1.5, 5.0), (2.0, 10.0), (3.0, 10.0)]
)
def test_points_for_the_level_are_in_proportion(
    level: float, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade = whole_grade()
    placement = grade.placement
    assert placement is not None
    monkeypatch.setattr(type(grade), "placement", evolve(placement, level=level))
    rubric = parse_rubric("[strength]\npoints = 10\nnone = 1\nfull = 2.0\n")
    assert rubric.award(grade).points == expected


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ["no parts: expected conformance, strength, reliability"]),
        ("[style]\npoints = 1", ["unknown part 'style': expected conformance, strength, reliability"]),
        ("strength = 3", ["strength is not a table: write [strength] on a line of its own"]),
        ("[strength]", ["strength.points is missing"]),
        (
            "[strength]\npoints = 1\nform = 2",
            ["unknown key strength.form: expected points, none, full"],
        ),
        ("[strength]\npoints = true", ["strength.points is not a number from 0 to 1e+06"]),
        ("[strength]\npoints = nan", ["strength.points is not a number from 0 to 1e+06"]),
        ("[strength]\npoints = 1\nfull = 11", ["strength.full is not a number from 0 to 10"]),
        ("[strength]\npoints = 1\nnone = 3", ["strength.full must be above strength.none, which is 3"]),
        (
            "[conformance]\npoints = -1\nmust_factor = 'half'\n[style]",
            [
                "conformance.points is not a number from 0 to 1e+06",
                "conformance.must_factor is not a number from 0 to 1",
                "unknown part 'style': expected conformance, strength, reliability",
            ],
        ),
    ],
)
def test_each_wrong_key_has_a_clause(text: str, faults: list[str]) -> None:
    with pytest.raises(RubricError) as caught:
        parse_rubric(text)
    assert caught.value.faults == faults


def test_text_that_is_not_toml_is_refused() -> None:
    with pytest.raises(RubricError, match=r"not TOML: .*end of document"):
        parse_rubric("[strength")
