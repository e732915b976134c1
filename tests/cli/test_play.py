"""``quoridor play``, used by a person at a terminal or behind a pipe, and by a spectator."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner

from quoridor_net.cli import play_on_web
from quoridor_net.cli.applications import quoridor
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.play import play
from quoridor_net.replay import parse_replay
from tests.support import preloaded
from tests.support.loopback import reserve_port
from tests.support.patience import PATIENCE


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(play, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def play_from_pipe(text: str | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Play with ``text`` from a pipe; None starts the program without standard input."""
    command, environment = quoridor("play", *arguments)
    if text is None:
        command = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    return preloaded.run(command, sent=text or "", env=environment)


def test_a_game_between_entrants_is_shown_line_by_line() -> None:
    status, output = run("ann=simple", "random", "--size", "5", "--seed", "1")
    lines = output.splitlines()
    assert status == 0
    assert lines[0] == "Game on 5x5, official jumps: 1 ann (bottom to top), 2 random (top to bottom)"
    assert lines[-1].startswith("ann (player 1) wins: it reached its goal line. [goal, ")


def test_the_same_seed_plays_the_same_game() -> None:
    games = [run("random", "random", "--seed", "7", "--json")[1] for _ in range(2)]
    moves = [[json.loads(line).get("move") for line in game.splitlines()] for game in games]
    assert moves[0] == moves[1]


def test_equal_names_of_entrants_get_numbers() -> None:
    status, output = run("simple", "simple", "random", "simple", "--json", "--ply-limit", "8")
    assert status == 0
    assert json.loads(output.splitlines()[0])["names"] == ["simple", "simple#2", "random", "simple#3"]


def test_quiet_prints_only_the_result() -> None:
    status, output = run("simple", "random", "--quiet", "--seed", "1", "--ply-limit", "2")
    assert (status, output) == (0, "Drawn: no decision within 2 plies.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simple"], "Give two or four entrants or none, not 1"),
        (["simple"] * 3, "Give two or four entrants or none, not 3"),
        (["simple", "nobody"], "'nobody' is not a player: expected"),
        (["human", "human"], "Only one person can play at this terminal. Give human once."),
        (["--level", "3", "simple", "human"], "--level cannot be combined with ENTRANTs."),
        (["--side", "second", "simple", "human"], "--side cannot be combined with ENTRANTs."),
        (["--side", "left"], "'left' is not one of 'first', 'second'"),
        (["--level", "11"], "11 is not in the range 1<=x<=10"),
        (["--level", "auto", "simple", "human"], "--level cannot be combined with ENTRANTs."),
        (["--json"], "--quiet and --json would hide the board from you."),
        (["simple", "simple", "--json", "--quiet"], "--quiet and --json exclude each other."),
        (["human", "localhost:5", "--size", "5"], "move servers play on 9x9 with 10 walls"),
        (["human", "localhost:5", "--walls", "3"], "move servers play on 9x9 with 10 walls"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], message: str) -> None:
    status, output = run(*arguments)
    assert status == 2
    assert message in output


@pytest.mark.parametrize(
    "options", [[], ["simple", "simple"], ["--quiet"], ["--json"], ["--save", "game.qtp"]]
)
def test_games_in_the_browser_are_set_up_there(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offer(*_: object) -> NoReturn:
        sys.exit("offered")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(play_on_web, "offer_games", offer)
    status, output = run(*options, "--web", "127.0.0.1:0")
    assert (status, "Games of --web are set up in the browser." in output) == (
        (2, True) if options else (1, False)
    )


@pytest.mark.parametrize(("form", "name"), [("{}", ""), ("bob={}", "bob: ")])
def test_an_absent_move_server_is_reported(form: str, name: str) -> None:
    with reserve_port() as port:
        status, output = run("simple", form.format(f"127.0.0.1:{port}"), "--no-show-time", "0.1")
    assert status == 3
    address = f"127.0.0.1:{port}"
    assert output == f"Error: {name}{address} cannot be reached: Connection refused. No game was started.\n"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-engine", "cannot be started: there is no program"),
        (f"{sys.executable} -c pass", "ended with exit status 0"),
    ],
)
def test_an_absent_engine_is_reported(command: str, message: str) -> None:
    status, output = run("simple", f"qtp:{command}", "--no-show-time", "5")
    assert status == 3
    assert message in output
    assert output.startswith("Error: ")
    assert output.endswith(" No game was started.\n")


@pytest.mark.end_to_end
def test_a_person_can_type_into_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "game.qtp"
    script = "undo\nc2\nundo\nc2\nc5\nnonsense\nhint\nmoves\n?\nresign\n"
    done = play_from_pipe(script, "ann=human", "simple", "--size", "5", "--seed", "1", "--save", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout.splitlines()
    assert shown[0] == "You are ▲1 ann, against ▼2 simple."
    assert "You have no move to take back." in shown
    assert any("You took your last move back." in line for line in shown)
    assert any(line.startswith("You cannot play c5: ") for line in shown)
    assert any("is not a move" in line for line in shown)
    assert any(line.startswith("Perhaps ") for line in shown)
    assert any("Walls h: " in line for line in shown)
    assert "  undo   takes your last move back (u)" in shown
    assert shown[-1] == "simple (player 2) wins: ann (player 1) resigned."
    replay = parse_replay(path.read_text(encoding="utf-8"))
    assert len(replay.plies) == 2


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("script", "options", "opponent"),
    [
        ("", ("human", "simple"), "simple"),
        (None, ("human", "simple"), "simple"),
        ("e2", ("--level", "1", "--side", "1"), "engine:level=1"),
    ],
)
def test_the_end_of_the_input_resigns(script: str | None, options: tuple[str, ...], opponent: str) -> None:
    done = play_from_pipe(script, *options)
    assert (done.returncode, done.stderr) == (0, "")
    last = f"{opponent} (player 2) wins: human (player 1) resigned: end of input."
    assert done.stdout.splitlines()[-1] == last


@pytest.mark.end_to_end
def test_a_person_sees_the_time_left_before_each_move() -> None:
    done = play_from_pipe("c2\n", "human", "random", "--size", "5", "--clock", "600+60")
    assert re.search(r"Your move \(.1\), \d+:\d\d left: ", done.stdout), done.stdout


@pytest.mark.end_to_end
def test_the_usual_level_is_told_until_both_have_moved() -> None:
    done = play_from_pipe("c2\nresign\n", "--size", "5", "--seed", "1")
    lines = done.stdout.splitlines()
    assert lines[0] == "You are ▲1 human, against ▼2 engine:level=4."
    assert lines[2] == "The engine plays at level 4. Choose another with --level, from 1 (beginner) to 10."
    drawings = done.stdout.split("Quoridor, after ")[1:]
    assert ["The engine plays at level 4" in drawing for drawing in drawings] == [True, True, False]


@pytest.mark.end_to_end
def test_a_chosen_level_is_not_explained() -> None:
    done = play_from_pipe("resign\n", "--size", "5", "--level", "1")
    assert "The engine plays" not in done.stdout


@pytest.mark.end_to_end
@pytest.mark.parametrize("side", ["first", "second"])
def test_an_automatic_level_follows_the_results(
    side: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for level, following in ((4, 3), (3, 2)):
        done = play_from_pipe("resign\n", "--size", "5", "--level", "auto", "--side", side)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"engine:level={level}." in done.stdout.splitlines()[0]
        assert f"The engine plays at level {level}, which follows your results." in done.stdout
        last = done.stdout.splitlines()[-1]
        assert last == f"Your next game with --level auto is one level lower: {following}."


def test_a_person_can_play_second() -> None:
    done = play_from_pipe("resign\n", "--side", "second", "--level", "1", "--walls", "4")
    assert done.stdout.splitlines()[0] == "You are ▼2 human, against ▲1 engine:level=1."
    assert "after 1 move" in done.stdout


@pytest.mark.end_to_end
def test_the_others_play_on_without_the_person() -> None:
    done = play_from_pipe("resign\n", "human", "simple", "simple", "simple", "--ply-limit", "9")
    assert done.stdout.splitlines()[-2:] == [
        "You are out of the game. The others play on.",
        "Drawn: no decision within 9 plies.",
    ]


@pytest.mark.end_to_end
def test_moves_against_a_program_cannot_be_taken_back(tmp_path: Path) -> None:
    command, _ = quoridor("qtp", "--player", "simple")
    program = " ".join(command)
    done = play_from_pipe("e2\nundo\nresign\n", "human", f"qtp:{program}")
    assert "A move cannot be taken back" in done.stdout
    assert "hint, moves, resign" in done.stdout
    assert done.returncode == 0, done.stderr


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("output", "message"),
    [("/dev/full", "Error: the game cannot be shown: No space left on device.\n"), ("/dev/null", "")],
)
def test_an_output_that_cannot_be_written_is_reported(output: str, message: str) -> None:
    command, environment = quoridor("play", "human", "simple")
    with Path(output).open("w", encoding="utf-8") as file:
        done = subprocess.run(
            command, input=b"resign\n", stdout=file, stderr=subprocess.PIPE, env=environment, check=False
        )
    assert done.stderr.decode() == message
    assert done.returncode == (1 if message else 0)


@pytest.mark.end_to_end
def test_a_closed_pipe_ends_the_game_quietly() -> None:
    command, environment = quoridor("play", "human", "simple")
    pipe = subprocess.PIPE
    with preloaded.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdout.readline()
        program.stdout.close()
        program.stdin.write(b"e2\n")
        program.stdin.close()
        assert program.stderr is not None
        assert program.stderr.read() == b""
    assert program.returncode == ExitStatus.PIPE_CLOSED


class Person:
    """A person at a pseudo-terminal of 80 by 24, and the text they have seen."""

    def __init__(self, terminal: int, program: subprocess.Popen[bytes]) -> None:
        self.program = program
        self._terminal = terminal
        self._seen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def see(self, text: str) -> str:
        """Wait for ``text``; return the output up to its end since the last call."""
        limit = time.monotonic() + PATIENCE
        while text not in self._seen:
            ready, _, _ = select.select([self._terminal], [], [], limit - time.monotonic())
            assert ready, f"only {self._seen!r} appeared"
            self._seen += self._decoder.decode(os.read(self._terminal, 65536))
        shown, _, self._seen = self._seen.partition(text)
        return shown + text


@contextmanager
def at_a_terminal(*arguments: str) -> Iterator[Person]:
    terminal, program_side = pty.openpty()
    fcntl.ioctl(program_side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command, environment = quoridor("play", *arguments)
    environment["TERM"] = "xterm-256color"
    for name in ("COLUMNS", "LINES"):
        environment.pop(name, None)
    # A session leader gets Ctrl-C from the first terminal that it opens.
    opening = f'exec "$@" <>{os.ttyname(program_side)} >&0 2>&0'
    program = subprocess.Popen(
        ["sh", "-c", opening, "sh", *command],
        env=environment,
        start_new_session=True,
    )
    before = termios.tcgetattr(program_side)
    try:
        yield Person(terminal, program)
        program.wait(PATIENCE)
        assert termios.tcgetattr(program_side) == before
    finally:
        program.kill()
        program.wait()
        os.close(terminal)
        os.close(program_side)


@pytest.mark.end_to_end
def test_a_person_plays_at_a_terminal() -> None:
    with at_a_terminal("human", "simple", "--size", "5", "--seed", "1") as person:
        # The cleared screen, then the board.
        assert "\x1b[2J" in person.see("Your move (▲1): ")
        person.type("c2\r")
        person.see("simple played")
        person.see("Your move (▲1): ")
        person.type("undo\r")
        person.see("You took your last move back.")
        person.see("Your move (▲1): ")
        # The history brings back the line typed first.
        person.type("\x1b[A\x1b[A\r")
        person.see("simple played")
        person.see("Your move (▲1): ")
        person.type("resign\r")
        person.see("Give up the game? y/n: ")
        person.type("n\r")
        person.see("Your move (▲1): ")
        person.type("q\r")
        person.see("Give up the game? y/n: ")
        person.type("y\r")
        person.see("simple (player 2) wins: human (player 1) resigned.")
    assert person.program.returncode == 0


@pytest.mark.end_to_end
def test_ctrl_c_leaves_the_terminal_as_it_was() -> None:
    with at_a_terminal("human", "simple") as person:
        person.see("Your move (▲1): ")
        person.type("\x03")
        person.see("Aborted.")
    assert person.program.returncode == 4


@pytest.mark.end_to_end
def test_ctrl_d_asks_and_resigns() -> None:
    with at_a_terminal("human", "simple") as person:
        person.see("Your move (▲1): ")
        person.type("\x04")
        person.see("Give up the game? y/n: ")
        person.type("\x04")
        person.see("resigned: end of input.")
    assert person.program.returncode == 0


@pytest.mark.end_to_end
def test_sigterm_stops_the_engine() -> None:
    with at_a_terminal("human", "engine:think=60") as person:
        person.see("Your move (▲1): ")
        person.type("e2\r")
        person.see("after 1 move")
        person.program.send_signal(signal.SIGTERM)
        person.see("Aborted.")
    assert person.program.returncode == 4
