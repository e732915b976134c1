"""The page on grading agrees with the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import trio
from attrs import fields

from quoridor_net.grading.encoding import VERSION, as_object
from quoridor_net.grading.grade import Ending, Grade
from quoridor_net.grading.rubric import (
    Award,
    Conformance,
    Reliability,
    Strength,
    default_rubric,
    parse_rubric,
)
from quoridor_net.grading.run import GAME_TIME, GAMES, GIVE_UP, grade_program
from quoridor_net.grading.subjects import Allowance, EngineProgram, StartedServer, Subject
from quoridor_net.grading.teams import parse_teams
from quoridor_net.grading.text_report import page
from tests.docs.pages import DOCS, blocks, section
from tests.examples.programs import build
from tests.grading.grades import whole_grade

PAGE = DOCS / "grading.md"
#: The rows of the table of examples: program, level, interval, games and points.
EXAMPLES = re.findall(
    r"^\| ([\w.]+\.\w+) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", section(PAGE, "Examples"), re.MULTILINE
)


def test_every_field_of_the_json_is_documented() -> None:
    text = section(PAGE, "JSON")
    grade = whole_grade()
    document = as_object(grade, parse_rubric(default_rubric()).award(grade))
    assert f"version {VERSION} of the schema" in text
    cells = "".join(re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE))
    assert re.findall(r"`(\w+)`", cells) == list(document)
    for name in ("points", "strength", "opponents", "time", "mistakes", "games"):
        value = document[name][0] if isinstance(document[name], list) else document[name]
        (row,) = re.findall(rf"^\| `{name}` \| (.*) \|$", text, re.MULTILINE)
        assert set(value) <= set(re.findall(r"`(\w+)`", row)), name
    assert {f"`{ending}`" for ending in Ending} <= set(re.findall(r"`\w+`", text))


def test_every_key_of_a_rubric_is_documented() -> None:
    text = section(PAGE, "Points")
    for part in (Conformance, Strength, Reliability):
        assert f"`{part.__name__.lower()}`" in text
        for attribute in fields(part):
            assert f"`{attribute.name}`" in text


def test_numbers_of_the_page_are_those_of_the_program() -> None:
    text = section(PAGE, "What the page says")
    assert f"`--games` ({GAMES})" in text
    assert f"`--time` ({GAME_TIME:.0f} s)" in text
    assert GIVE_UP == 6
    assert "its first six games" in text


@pytest.mark.parametrize("name", ["grading.md", "howto-class.md"])
def test_lists_of_teams_are_valid(name: str) -> None:
    (text,) = blocks(DOCS / name, "toml")
    assert len(parse_teams(text)) >= 2


def example(source: str, folder: Path) -> Subject:
    """Return an example program, built in ``folder``."""
    command = build(source, folder)
    if source == "athens_engine.c":
        return EngineProgram(command, Allowance())
    return StartedServer([*command, "--port", "{port}"], Allowance(memory=None))


def cells_of(grade: Grade, award: Award) -> Iterator[str]:
    placement = grade.placement
    assert placement is not None
    yield f"{placement.level:.1f}"
    yield f"{placement.low:.1f} to {placement.high:.1f}"
    yield str(placement.games)
    yield f"{award.points:g}"


def test_every_example_program_has_a_grade() -> None:
    folder = DOCS.parent / "examples"
    sources = {path.name for path in folder.iterdir() if path.suffix in {".py", ".java", ".c", ".ts"}}
    assert {row[0] for row in EXAMPLES} == sources


@pytest.mark.slow
@pytest.mark.end_to_end
@pytest.mark.compiled("engine")
@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: row[0])
def test_grades_of_the_examples_are_those_of_the_page(row: tuple[str, ...], tmp_path: Path) -> None:
    source, *expected = row
    subject = example(source, tmp_path)
    grade = trio.run(grade_program, subject)
    award = parse_rubric(default_rubric()).award(grade)
    assert list(cells_of(grade, award)) == expected
    if source == "move_server.py":
        (sample,) = (block for block in blocks(PAGE, "text") if "Grade of" in block)
        # The title takes two lines if the command is long.
        printed, shown = (
            text.partition("\n\n")[2].splitlines()
            for text in (click.unstyle("\n".join(page(grade, award))), sample)
        )
        assert printed[: len(shown)] == shown
