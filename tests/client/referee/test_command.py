"""The command line of the referee with test engines, in a process of its own where signals end it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from quoridor_net.advice import format_command
from quoridor_net.cli.main import main
from quoridor_net.match.encoding import VERSION
from quoridor_net.replay import parse_replay
from tests.docs.pages import DOCS, section
from tests.support import preloaded
from tests.support.engine_programs import PROGRAM, find_marked, find_sleepers, sloppy_command, wait_until
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.end_to_end

OURS = f"{sys.executable} -m server.athens.command --player simple"


def run(*options: str) -> Result:
    """Run the referee in this process."""
    return CliRunner().invoke(main, ["referee", *options])


def duel(white: str, black: str, *options: str) -> Result:
    """Run the referee with sloppy engines that have these habits."""
    return run("--white", sloppy_command(white), "--black", sloppy_command(black), *options)


def test_a_series_of_the_own_engine_is_documented(tmp_path: Path) -> None:
    done = run(
        "--white", OURS, "--black", f"{OURS} --player random", "--games", "2", "--swap", "--seed", "7",
        "--size", "5", "--json", "--save", str(tmp_path / "new" / "games"),
    )  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["version"] == VERSION
    assert document["settings"]["walls"] == 3
    assert document["settings"]["maximum_time"] == 100
    engines = [document["engines"][side] for side in ("white", "black")]
    assert all(engine["total_time"] == round(engine["total_time"], 3) for engine in engines)
    names = [engine["name"] for engine in engines]
    assert names == ["Quoridor Net", "Quoridor Net#2"]
    assert document["score"] == {"won": 2, "drawn": 0, "lost": 0, "void": 0}
    assert document["elo"]["difference"] is None
    assert [game["black"] for game in document["games"]] == ["black", "white"]
    assert [game["winner"] for game in document["games"]] == [2, 1]
    assert {game["won_by"] for game in document["games"]} == {"white"}
    page = DOCS / "reference" / "events.md"
    cells = re.findall(r"^\| (`.*?) \|", section(page, "The document of the referee"), re.MULTILINE)
    ended = re.search(r"^\| `game_ended` \|.*", section(page, "Games"), re.MULTILINE)
    assert ended is not None
    fields = {name for cell in cells for name in re.findall(r"\w+", cell)}
    for game in document["games"]:
        assert fields < set(game)
        # Seconds since the start of the game, in milliseconds.
        assert 0 < game["seconds"] == round(game["seconds"], 3) < 1000
        assert all(f"`{name}`" in ended[0] for name in set(game) - fields - {"event"})
        text = Path(game["replay"]).read_text(encoding="ascii")
        assert parse_replay(text).complete


def test_options_of_the_original_are_accepted() -> None:
    done = duel(
        *("sane", "sane", "--verbose", "1", "--size", "3"),
        *("--walls", "1", "--games", "1", "--maximum_time", "5", "--move_time", "5"),
        *("--memory_limit", "500", "--seed", "1"),
    )
    lines = done.stdout.splitlines()
    assert lines[0] == f"game 1: {PROGRAM}#2(black) moves first, {PROGRAM}#1(white) second"
    assert lines[1].startswith("game 1:   1 black A3 (")
    assert lines[5].endswith("wins: it reached its goal line. [goal, 4 plies]")
    assert lines[6] == "game 1: to play it again: " + format_command(
        *("referee", "--white", sloppy_command("sane"), "--black", sloppy_command("sane")),
        *("--size", "3", "--walls", "1", "--maximum_time", "5", "--move_time", "5"),
        *("--memory_limit", "500", "--seed", "1"),
    )
    assert lines[7].startswith(f"      1/1  1 won, 0 drawn, 0 lost: {PROGRAM}#1, Sloppy (--white ")
    assert lines[11].startswith(f"time per move {PROGRAM}#1 0.")
    assert lines[12].startswith(f"total time {PROGRAM}#1 0.")
    assert lines[13:] == [f"{PROGRAM}#{number} agrees on the winner of 1 of 1 game" for number in (1, 2)]
    assert done.exit_code == 0


def test_an_unwritable_replay_is_reported(tmp_path: Path) -> None:
    (tmp_path / "game-1.qtp").mkdir()
    done = duel("sane", "sane", "--save", str(tmp_path))
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: a replay or a log cannot be written: [Errno 21] Is a directory: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("side", ["white", "black"])
def test_an_unreachable_engine_is_reported(side: str) -> None:
    engines = {"white": sloppy_command("sane"), "black": sloppy_command("sane"), side: "tcp:127.0.0.1:1"}
    done = run("--white", engines["white"], "--black", engines["black"])
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr.startswith(
        f"Error: --{side}: tcp:127.0.0.1:1 accepts no connection: Connection refused"
    )
    assert done.stderr.count("\n") == 1


def test_openings_that_are_not_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_bytes(b"\xff\n")
    done = duel("sane", "sane", "--openings", str(path))
    assert done.exit_code == 2
    assert f"{path}:1:1: the file is not text (UTF-8)." in done.stderr


def test_openings_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_bytes("\ufeffa1h h8v\r\n".encode())
    done = duel("sane", "sane", "--openings", str(path))
    assert (done.exit_code, done.stderr) == (0, "")


def test_the_printed_command_repeats_the_game() -> None:
    random = f"{OURS} --player random"
    done = run("--white", random, "--black", OURS, "--size", "5", "--seed", "7", "--games", "2", "--swap",
               "--restart", "--opening", "c2 c4", "--json")  # fmt: skip
    for game in json.loads(done.stdout)["games"]:
        words = shlex.split(game["repeat"])
        again = run(*words[2:], "--json")
        assert again.exit_code == 0, again.stderr
        [repeated] = json.loads(again.stdout)["games"]
        assert repeated["plies"] == game["plies"]
        assert repeated["winner"] == game["winner"]


def test_a_program_that_refuses_the_seed_fails_again_when_its_game_is_repeated() -> None:
    white = sloppy_command("refuses_seed")
    done = run("--white", white, "--black", OURS, "--size", "5", "--seed", "7")
    assert done.exit_code == 10
    fault = "ended with exit status 2 before its first answer, started with -seed 7. [engine_crash, 0 plies]"
    assert fault in done.stdout
    assert "the last line of white was 'usage: engine'" in done.stdout
    repeat = re.search(r"to play it again: (.*)", done.stdout)
    assert repeat is not None
    assert repeat[1] == format_command(
        "referee", "--white", white, "--black", OURS, "--size", "5", "--seed", "7"
    )
    words = shlex.split(repeat[1])
    assert fault in run(*words[words.index("--white") :]).stdout


def test_programs_in_the_current_folder_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    engine = tmp_path / "my-engine"
    engine.write_text(f"#!/bin/sh\nexec {sloppy_command('sane')}\n")
    assert (refused := run("--white", "my-engine", "--black", "my-engine")).exit_code == 3
    assert refused.stderr == "Error: --white: 'my-engine' is not executable: try chmod +x my-engine.\n"
    engine.chmod(0o755)
    for program in ("my-engine", "./my-engine"):
        done = run("--white", program, "--black", sloppy_command("sane"))
        assert (done.exit_code, done.stderr) == (0, "")
        assert "my-engine(white) (player 2) wins" in done.stdout
        assert "(--white ./my-engine)" in done.stdout


def test_boards_are_drawn() -> None:
    done = duel("sane", "sane", "--verbose", "2", "--size", "3")
    assert done.stdout.count(" 3 |   | B |   | 3   Black walls: 0") == 1
    assert done.stdout.count(" 3 | B |   |   | 3   Black walls: 0") == 2


@pytest.mark.parametrize(
    ("white", "black", "status"),
    [("raises", "sane", 10), ("sane", "garbage", 11), ("resigns", "sane", 0)],
)
def test_exit_statuses_name_the_engine_at_fault(white: str, black: str, status: int) -> None:
    assert duel(white, black).exit_code == status


def test_the_memory_limit_reaches_the_engines() -> None:
    done = duel("fills_memory", "sane", "--memory_limit", "150")
    assert done.exit_code == 10
    assert "ended by memory_limit 1" in done.stdout


def test_both_engines_can_be_at_fault() -> None:
    done = duel("raises", "raises", "--games", "2", "--swap")
    assert done.exit_code == 12
    assert "ended by engine_crash 2" in done.stdout


@pytest.mark.parametrize(
    ("options", "status", "complaint"),
    [
        (["--white", "./nothing", "--black", OURS], 3, "Error: --white: there is no program './nothing'"),
        (["--white", OURS], 2, "Error: Missing option '--black'."),
        (["--white", "tcp:x", "--black", OURS], 2, "expected tcp:HOST:PORT"),
        (
            ["--white", OURS, "--black", OURS, "--move_time", "nan"],
            2,
            "'nan' is not a number of seconds.",
        ),
        (
            ["--white", OURS, "--black", OURS, "--maximum-time", "inf"],
            2,
            "Invalid value for '--maximum_time'",
        ),
        (["--white", OURS, "--black", OURS, "--size", "2"], 2, "Invalid value for '--size'"),
        (["--white", OURS, "--black", OURS, "--openings", __file__], 2, "line 1: '"),
        (["--white", OURS, "--black", OURS, "--opening", "e9"], 2, "line 1: e9 is illegal"),
        (
            ["--white", OURS, "--black", OURS, "--opening", "e2", "--openings", __file__],
            2,
            "--opening and --openings exclude each other.",
        ),
        (["--white", OURS, "--black", OURS, "--save", __file__], 2, "is a file"),
        (["--white", OURS, "--black", OURS, "--save", f"{__file__}/x"], 2, "cannot create"),
    ],
)
def test_bad_options_are_explained(options: list[str], status: int, complaint: str) -> None:
    done = run(*options)
    assert done.exit_code == status
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("habit", ["forks", "escapes", "breeds"])
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)]
)
def test_nothing_is_left_when_the_referee_is_interrupted_or_killed(
    number: signal.Signals, status: int, habit: str
) -> None:
    judge = preloaded.Popen(
        [
            *(sys.executable, "-m", "quoridor_net", "referee", "--verbose", "1", "--games", "2"),
            *("--white", sloppy_command(habit), "--black", sloppy_command("sane")),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert judge.stdout is not None
    assert any(line.startswith("game 1:   1 black") for line in judge.stdout), judge.communicate()
    assert find_marked(judge.pid)
    os.kill(judge.pid, number)
    output, errors = judge.communicate(timeout=PATIENCE)
    assert (judge.returncode, errors) == (status, "")
    if number is not signal.SIGKILL:
        assert "0/0  0 won, 0 drawn, 0 lost" in output
    wait_until(lambda: not find_marked(judge.pid))
    assert find_marked(judge.pid) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to who asks for them")
@pytest.mark.parametrize("number", [None, signal.SIGTERM])
def test_processes_that_hide_from_the_referee_are_found(
    number: signal.Signals | None, tmp_path: Path
) -> None:
    tag = str(tmp_path)
    judge = preloaded.Popen(
        [
            *(sys.executable, "-m", "quoridor_net", "referee", "--verbose", "1", "--move_time", "2"),
            *("--white", sloppy_command(f"hides {tag}"), "--black", sloppy_command("sane")),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert judge.stdout is not None
    assert any(line.startswith("game 1:   1 black") for line in judge.stdout), judge.communicate()
    wait_until(lambda: len(find_sleepers(tag)) == 3)
    assert len(find_sleepers(tag)) == 3
    if number is not None:
        os.kill(judge.pid, number)
    judge.communicate(timeout=PATIENCE)
    assert judge.returncode == (10 if number is None else 130)
    assert find_sleepers(tag) == []
