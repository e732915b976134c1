"""``quoridor analyze``, used by a person or a program."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks.fuzz.foreign import WRITERS
from quoridor_net.cli.analyze import analyze
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.players import engine
from quoridor_net.replay import RecordFormat, format_game, parse_game
from tests.support import preloaded
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.compiled("engine")

#: Player 1 steps aside instead of winning, and loses.
GAME = (
    "# Extension: size 5\n# Extension: walls 0\n# Players: ann vs bob\n"
    "P 1 D1\nP 2 B5\nP 1 D2\nP 2 B4\nP 1 D3\nP 2 B3\nP 1 D4\nP 2 B2\nP 1 E4\nP 2 B1\n"
)
FEW = ("--nodes", "200")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.qtp"
    path.write_text(GAME, encoding="utf-8")
    return path


def run(*arguments: str | Path, text: str | None = None) -> Result:
    result = CliRunner().invoke(analyze, [str(argument) for argument in arguments], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result


def test_the_output_has_rows_a_graph_and_a_summary(game: Path) -> None:
    result = run(game, *FEW)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["ply", "player", "move", "score", "chance", "best", "line"]
    assert [line.split()[0] for line in lines[1:11]] == [str(number) for number in range(1, 11)]
    assert lines[9].split()[1:] == ["▲1", "ann", "e4", "??", "loss", "2", "0", "%", "d5"]
    assert lines[10].split()[1:] == ["▼2", "bob", "b1", "win", "1", "100", "%"]
    assert "Winning chance of ▲1 ann" in lines
    assert [line.split()[:2] for line in lines[-2:]] == [["▲1", "ann"], ["▼2", "bob"]]


def test_lines_lists_several_moves(game: Path) -> None:
    lines = run(game, *FEW, "--lines", "2", "--ply", "9").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["9", "1.", "2."]
    assert lines[2].split()[1:] == ["win", "1", "100", "%", "d5"]


def test_json_is_one_document(game: Path) -> None:
    result = run(game, *FEW, "--json", "--ply", "9-10")
    found = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert (found["version"], found["names"], found["size"]) == (1, ["ann", "bob"], 5)
    assert [(ply["ply"], ply["move"], ply["mark"]) for ply in found["plies"]] == [
        (9, "e4", "blunder"),
        (10, "b1", None),
    ]
    assert found["accuracy"][1] == 100
    assert found["plies"][0]["best"][0]["moves"] == ["d5"]


def test_an_analysis_by_nodes_is_repeatable() -> None:
    one, two = (run("-", *FEW, "--json", text="e2 e8 e3 e7 e4 e6 a3h e5").stdout for _ in range(2))
    assert one == two
    assert len(json.loads(one)["plies"]) == 8


@pytest.mark.parametrize("form", RecordFormat)
def test_every_format_of_recorded_games_is_analysed(form: RecordFormat, tmp_path: Path) -> None:
    game = parse_game("e2 e8 e3 e7 d3h e6", partial=True)
    path = tmp_path / "game.txt"
    text = WRITERS[form](game) if form in WRITERS else format_game(game, form)
    path.write_text(text, encoding="utf-8")
    found = json.loads(run(path, "--nodes", "50", "--json").stdout)
    assert [ply["move"] for ply in found["plies"]] == ["e2", "e8", "e3", "e7", "d3h", "e6"]


def test_four_players_have_a_graph_each() -> None:
    game = "# Extension: players 4\n# Extension: size 5\nP 1 C2\nP 4 D3\nX 2\nP 3 B3\n"
    result = run("-", *FEW, text=game)
    assert result.exit_code == 0
    assert result.stdout.count("Winning chance of") == 4
    assert result.stdout.splitlines()[3].split()[-2:] == ["is", "out"]


def test_a_game_without_moves_is_accepted() -> None:
    result = run("-", text="# Players: ann vs bob\n")
    assert result.exit_code == 0
    assert "ann" in result.stdout


@pytest.mark.parametrize(
    ("plies", "sentence"),
    [
        ("0", "plies count from 1, and the first of a range comes first."),
        ("5-3", "plies count from 1, and the first of a range comes first."),
        ("11", "there is no ply 11: the game has 10 plies."),
        ("3-11", "there is no ply 11: the game has 10 plies."),
        ("three", "'three' is neither a ply (12) nor a range (12-20)."),
        ("-3", "'-3' is neither a ply (12) nor a range (12-20)."),
    ],
)
def test_plies_outside_the_game_are_refused(game: Path, plies: str, sentence: str) -> None:
    result = run(game, f"--ply={plies}")
    assert result.exit_code == ExitStatus.USAGE
    assert sentence in result.stderr


def test_an_illegal_move_is_reported_with_its_place(tmp_path: Path) -> None:
    bad = tmp_path / "bad.qtp"
    bad.write_text("P 1 E2\nP 2 D9\nP 1 G7\n", encoding="utf-8")
    result = run(bad)
    assert (result.exit_code, result.stdout) == (ExitStatus.FAILED, "")
    why = "illegal pawn move: the pawn on E2 cannot get to G7 in one move"
    assert result.stderr == f"Error: {bad}:3:5: {why} (read as replay)\n"


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad.qtp"
    bad.write_bytes(b"\xff\xfe\x00")
    result = run(bad)
    assert (result.exit_code, result.stdout) == (ExitStatus.FAILED, "")
    assert result.stderr.startswith(f"Error: {bad}:1:")


def test_a_missing_file_is_a_usage_error() -> None:
    result = run("nothing.qtp")
    assert result.exit_code == ExitStatus.USAGE
    assert "nothing.qtp: the file cannot be read: no such file." in result.stderr


def test_an_engine_that_is_not_available_is_reported(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_progress: object) -> None:
        raise MemoryError("750 MiB of address space are needed, 10 are allowed")

    monkeypatch.setattr(engine, "prepare", fail)
    result = run(game)
    assert (result.exit_code, result.stdout) == (ExitStatus.CANNOT_BEGIN, "")
    assert result.stderr == (
        "Error: the engine is not available: 750 MiB of address space are needed, 10 are allowed.\n"
    )


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "win32", reason="processes get no Ctrl-C there")
def test_ctrl_c_shows_the_results_so_far(tmp_path: Path) -> None:
    game = tmp_path / "game.qtp"
    # An elimination is reported at once; the search for the move after it would take a day.
    game.write_text("# Extension: players 4\nX 2\nP 1 E2\n", encoding="utf-8")
    words = [sys.executable, "-m", "quoridor_net", "analyze", str(game), "--think", "1e5"]
    with preloaded.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(" ply")
        assert process.stdout.readline().endswith("is out\n")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == ExitStatus.INTERRUPTED
    assert "player2" in output
    assert errors == ""


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "win32", reason="processes get no Ctrl-C there")
def test_the_page_stays_open_until_ctrl_c(game: Path) -> None:
    pytest.importorskip("starlette")
    words = [sys.executable, "-m", "quoridor_net", "analyze", str(game), *FEW, "--web", "localhost:0"]
    with preloaded.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        _, _, address = process.stderr.readline().strip().partition("In the browser: ")
        with urllib.request.urlopen(f"{address}site.json", timeout=PATIENCE) as answer:
            assert json.load(answer)["mode"] == "analysis"
        assert process.stderr.readline().startswith("Done. The page stays open at ")
        with urllib.request.urlopen(f"{address}games/1/events.json", timeout=PATIENCE) as answer:
            assert len(json.load(answer)["events"]) == 12
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == ExitStatus.DONE
    assert "Winning chance of" in output


@pytest.mark.end_to_end
def test_on_a_terminal_rows_come_in_colour_above_the_progress(game: Path) -> None:
    words = [sys.executable, "-m", "quoridor_net", "analyze", str(game), *FEW]
    shown = run_on_terminal(words, COLUMNS="80", TERM="xterm-256color", LC_ALL="C.UTF-8")
    assert "10/10" in shown
    assert "Winning chance of" in shown
    # The pawn of player 1, black on red.
    assert re.search(r"\x1b\[1;[0-9;]*m▲1\x1b\[0m", shown)


@pytest.mark.end_to_end
def test_a_terminal_without_unicode_gets_ascii(game: Path) -> None:
    words = [sys.executable, "-X", "utf8=0", "-m", "quoridor_net", "analyze", str(game), *FEW, "--ply", "9"]
    shown = run_on_terminal(words, COLUMNS="80", TERM="dumb", PYTHONIOENCODING="ascii")
    assert shown.isascii()
    assert " 50 % | " in shown


def run_on_terminal(words: list[str], **environment: str) -> str:
    """Return what a program writes to a terminal."""
    pty = pytest.importorskip("pty", reason="there are no such terminals on this system")
    ours, theirs = pty.openpty()
    process = preloaded.Popen(words, stdout=theirs, stderr=theirs, env={**os.environ, **environment})
    os.close(theirs)
    found = b""
    with process, open(ours, "rb", buffering=0) as terminal:  # noqa: PTH123 - a descriptor
        # Reading fails once the program has closed its side.
        with suppress(OSError):
            while more := terminal.read(1024):
                found += more
        assert process.wait(PATIENCE) == 0
    return found.decode()
