"""``quoridor grade``: which program it grades, and its exit statuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from quoridor_net.cli.grade.grading import Grading, Outputs
from quoridor_net.cli.main import main
from quoridor_net.cli.new_file import NewFile
from quoridor_net.grading.grade import Ending, Grade
from quoridor_net.grading.rubric import Strength, default_rubric, parse_rubric
from quoridor_net.grading.run import GradeSettings
from quoridor_net.grading.subjects import Allowance, EngineProgram, RunningServer, StartedServer, Subject
from quoridor_net.players.ladder import LADDER
from quoridor_net.programs.unix import can_limit_programs
from quoridor_net.rules.picture import BoardPicture
from tests.support.loopback import reserve_port


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, ["grade", *words])


def grade_with(outputs: Outputs) -> Grading:
    return Grading(GradeSettings(), Allowance(), parse_rubric(default_rubric()), outputs)


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Subject, Grading]]:
    """Return the list of the programs that commands would grade."""
    subjects: list[tuple[Subject, Grading]] = []
    monkeypatch.setattr(Grading, "run", lambda grading, subject: subjects.append((subject, grading)))
    return subjects


def test_an_address_is_a_running_server(graded: list[tuple[Subject, Grading]]) -> None:
    done = invoke("server", "localhost:5858", "--seed", "7", "--games", "20", "--time", "30", "--gap", "0.1")
    assert done.exit_code == 0, done.output
    ((subject, grading),) = graded
    assert isinstance(subject, RunningServer)
    assert subject.title == "move server localhost:5858"
    settings = grading.settings
    assert (settings.seed, settings.games, settings.seconds) == (7, 20, 30.0)
    assert subject.allowance == Allowance(gap=0.1, memory=None)


def test_a_command_with_a_port_is_a_server_to_start(graded: list[tuple[Subject, Grading]]) -> None:
    done = invoke("server", "--move-time", "2", "--", sys.executable, "bot.py", "--port={port}")
    assert done.exit_code == 0, done.output
    ((subject, _),) = graded
    assert isinstance(subject, StartedServer)
    assert subject.allowance.move_time == 2.0


@pytest.mark.skipif(not can_limit_programs(), reason="runs engine programs")
def test_a_command_is_an_engine(graded: list[tuple[Subject, Grading]]) -> None:
    done = invoke("qtp", "--memory-limit", "100", "--", sys.executable, "-seed", "1")
    assert done.exit_code == 0, done.output
    ((subject, _),) = graded
    assert isinstance(subject, EngineProgram)
    assert subject.allowance.memory == 100


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["server", "nowhere"], "expected HOST:PORT, as in marcy:5858, or a command"),
        (["server", "5858"], "is a port without a host: write HOST:PORT, as in localhost:5858"),
        (["server", "localhost:5858", "--port", "5858"], "--port needs a COMMAND"),
        (["server"], "Missing argument"),
        (["server", "localhost:1", "--games", "1"], "1 is not in the range x>=2"),
    ],
)
def test_wrong_usage_is_explained(words: list[str], message: str) -> None:
    done = invoke(*words)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize("words", [["server", "--", "./missing", "{port}"], ["qtp", "--", "./missing"]])
def test_a_missing_program_cannot_begin(words: list[str]) -> None:
    done = invoke(*words)
    assert done.exit_code == 3
    assert "there is no program './missing'" in done.stderr


@pytest.mark.end_to_end
def test_a_server_that_is_not_there_gets_no_grade() -> None:
    with reserve_port() as port:
        done = invoke("server", f"127.0.0.1:{port}", "--start-time", "0.2")
    assert done.exit_code == 3
    assert "No grade: the program could not be checked. It cannot be reached" in done.stdout.replace(
        "\n             ", " "
    )
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        (Ending.KNOWN, 0), (Ending.GAMES, 0), (Ending.TIME, 0), (Ending.FAULTS, 0),
        (Ending.GONE, 4), (Ending.INTERRUPTED, 4), (Ending.UNAVAILABLE, 3),
    ],
)  # fmt: skip
def test_exit_status_says_how_the_grading_ended(ending: Ending, status: int) -> None:
    grade = Grade("move server x", BoardPicture.LAN, 1, LADDER, ending)
    assert grade_with(Outputs()).conclude(grade) == status


def test_help_shows_both_kinds_of_servers() -> None:
    done = invoke("server", "--help")
    assert "HOST:PORT | COMMAND..." in done.stdout


def test_default_rubric_can_be_copied_and_changed(
    graded: list[tuple[Subject, Grading]], tmp_path: Path
) -> None:
    printed = invoke("server", "--default-rubric")
    assert (printed.exit_code, printed.stdout) == (0, default_rubric())
    file = tmp_path / "rubric.toml"
    file.write_text(printed.stdout.replace("full = 3.0", "full = 5"), encoding="utf-8")
    done = invoke("server", "localhost:5858", "--rubric", str(file))
    assert done.exit_code == 0, done.output
    ((_, grading),) = graded
    assert grading.rubric.parts["strength"] == Strength(40.0, 0.0, 5.0)


def test_each_wrong_key_of_a_rubric_has_a_line(tmp_path: Path) -> None:
    file = tmp_path / "rubric.toml"
    file.write_text("[strength]\npoint = 3\n[style]\n", encoding="utf-8")
    done = invoke("server", "localhost:5858", "--rubric", str(file))
    assert done.exit_code == 2
    lines = done.stderr.splitlines()
    assert any(line.endswith("unknown key strength.point: expected points, none, full.") for line in lines)
    assert f"{file}: strength.points is missing." in lines
    assert any(line.startswith(f"{file}: unknown part 'style'") for line in lines)


def test_a_missing_rubric_is_reported() -> None:
    done = invoke("server", "localhost:5858", "--rubric", "nowhere.toml")
    assert done.exit_code == 2
    assert "nowhere.toml: the file cannot be read: no such file." in done.stderr


def test_files_and_json_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: NewFile(tmp_path / name) for name in ("html", "junit", "gradescope", "classroom")}
    outputs = Outputs(as_json=True, **files)
    grade = Grade("move server x", BoardPicture.LAN, 1, LADDER, Ending.GONE)
    assert grade_with(outputs).conclude(grade, 3.0) == 4
    assert json.loads(capsys.readouterr().out)["ending"] == "gone"
    for file in files.values():
        file.close()
    assert json.loads((tmp_path / "gradescope").read_text("utf-8"))["score"] == 0
    assert json.loads((tmp_path / "classroom").read_text("utf-8"))["max_score"] == 100
    assert (tmp_path / "html").read_text("utf-8").startswith("<!doctype html>")
    assert (tmp_path / "junit").read_text("utf-8").startswith("<?xml")


def test_a_machine_without_the_engine_cannot_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> Grade:
        raise ImportError("numba is not installed")

    monkeypatch.setattr("quoridor_net.cli.grade.grading.grade_program", fail)
    done = invoke("server", "localhost:5858")
    assert done.exit_code == 3
    assert "is not available: numba is not installed." in done.stderr
