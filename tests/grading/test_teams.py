"""Lists of teams name one program each; every mistake in a list has a clause of its own."""

from __future__ import annotations

import pytest

from quoridor_net.grading.rubric import default_rubric, parse_rubric
from quoridor_net.grading.subjects import Allowance, EngineProgram, RunningServer, StartedServer
from quoridor_net.grading.teams import Team, TeamsError, headings, parse_teams, row_of
from tests.grading.grades import empty_grade, whole_grade

GOOD = """
[[team]]
name = "ann"
server = "localhost:5858"

[[team]]
name = "Émile 2"
server = "java -cp 'their code' Server --port {port}"

[[team]]
name = "carl"
qtp = "./engine -seed 1"
"""


def test_a_team_has_an_address_or_a_command() -> None:
    teams = parse_teams(GOOD)
    assert [team.name for team in teams] == ["ann", "Émile 2", "carl"]
    assert teams[1].words == ("java", "-cp", "their code", "Server", "--port", "{port}")
    kinds = [type(team.subject(Allowance())) for team in teams]
    assert kinds == [RunningServer, StartedServer, EngineProgram]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ["no teams: write a [[team]] table for each, with name and server or qtp"]),
        ("team = 3", ["no teams: write a [[team]] table for each, with name and server or qtp"]),
        (
            "teams = []",
            [
                "unknown key 'teams': expected [[team]] tables",
                "no teams: write a [[team]] table for each, with name and server or qtp",
            ],
        ),
        (
            "[[team]]\nname = 'ann'\nserver = 'h:1'\nsever = 'h:2'",
            ["team 1: unknown key 'sever': expected name, server, qtp"],
        ),
        ("[[team]]\nname = 3\nserver = 'h:1'", ["team 1: name is not a text"]),
        ("[[team]]\nname = 'ann'", ["team 1: expected either server or qtp"]),
        ("[[team]]\nname = 'a'\nserver = 'h:1'\nqtp = './e'", ["team 1: expected either server or qtp"]),
        (
            "[[team]]\nserver = 'h:1'",
            ["team 1: name must have 1 to 60 letters, digits, spaces, dots, hyphens or underscores"],
        ),
        (
            "[[team]]\nname = '../x'\nserver = 'h:1'",
            ["team 1: name must have 1 to 60 letters, digits, spaces, dots, hyphens or underscores"],
        ),
        (
            "[[team]]\nname = 'ann'\nserver = 'h:1'\n[[team]]\nname = 'Ann'\nserver = 'h:2'",
            ["team 2: the name 'Ann' is given twice"],
        ),
        (
            "[[team]]\nname = 'ann'\nserver = '5858'",
            [
                (
                    "team 1: server: '5858' is a port without a host: write HOST:PORT, as in localhost:5858,"
                    " or a command"
                )
            ],
        ),
        ("[[team]]\nname = 'ann'\nqtp = \"'\"", ["team 1: qtp: No closing quotation"]),
    ],
)
def test_each_mistake_has_a_clause(text: str, faults: list[str]) -> None:
    with pytest.raises(TeamsError) as caught:
        parse_teams(text)
    assert caught.value.faults == faults


def test_text_that_is_not_toml_is_refused() -> None:
    with pytest.raises(TeamsError, match="not TOML: "):
        parse_teams("[[team]")


def test_rows_fit_the_headings() -> None:
    rubric = parse_rubric(default_rubric())
    columns = headings(rubric.parts)
    for grade in (whole_grade(), empty_grade()):
        row = row_of(Team("ann", ("./bot",)), grade, rubric.award(grade))
        assert len(row) == len(columns)
        cells = dict(zip(columns, row, strict=True))
        assert cells["team"] == "ann"
        assert cells["games"] == cells["won"] + cells["drawn"] + cells["lost"] == len(grade.games)
        assert cells["partial"] is grade.is_partial
        assert cells["program"] == grade.subject
