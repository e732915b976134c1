"""Every command that starts engines gives the same verdict on the same fault, and leaves nothing running.

The table on the page "Engine faults" must match the one in this file.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from attrs import field, frozen
from click.testing import CliRunner

from quoridor_net.check.athens import run as run_of_checks
from quoridor_net.check.athens.checks import checks
from quoridor_net.cli.main import main
from tests.docs.pages import DOCS, section
from tests.support import preloaded
from tests.support.engine_programs import (
    PYTHON,
    SLOPPY,
    find_marked,
    find_sleepers,
    sloppy_command,
    wait_until,
)
from tests.support.loopback import reserve_port
from tests.support.patience import PATIENCE

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to who asks for them"),
]

#: The commands ("doors"). ENGINE is the faulty program, which moves first.
DOORS = {
    "referee": "referee --black ENGINE --white SANE --size 3 --no-seed --move_time TIME --memory_limit 150"
    " --start-time START --games GAMES",
    "tournament run": "tournament run t.db qtp:ENGINE simple --size 3 --games GAMES --move-time TIME"
    " --memory-limit 150 --no-show-time START",
    "tournament resume": "tournament resume t.db",
    "play": "play qtp:ENGINE simple --size 3 --move-time TIME --memory-limit 150 --no-show-time START",
    "serve": "serve --port PORT --host 127.0.0.1 --player qtp --command ENGINE --memory-limit 150"
    " --start-time START",
    "check": "check qtp --only QTP-102 --move-time TIME --memory-limit 150 -- ENGINE",
}
#: The doors with their own time limit per move.
TIMED = ("referee", "tournament run", "tournament resume", "play")


@frozen
class Fault:
    """A fault of an engine, and the message of every door about it.

    Attributes:
        does: the habit of the sloppy engine.
        sentence: the message in the output; empty if the fault is harmless.
        termination: the verdict of a game lost by it; empty if no game is lost.
        begins: whether a game begins.
        program: the path of the engine.
        move_time: time limit per move, in seconds.
        start_time: timeout for the first answer of a program, in seconds.
        games: number of games, for doors with such an option.
        elsewhere: messages of doors that see less of the engine, or more.
    """

    does: str
    sentence: str = ""
    termination: str = ""
    begins: bool = True
    program: str = "./engine"
    move_time: float = 20.0
    start_time: float = 20.0
    games: int = 1
    elsewhere: dict[str, str] = field(factory=dict)

    def message_of(self, door: str) -> str:
        """Return the message of a door."""
        return self.elsewhere.get(door, self.sentence)


FAULTS = {
    "missing program": Fault(
        "sane", "there is no program './gone' that can be run", begins=False, program="./gone"
    ),
    "not executable": Fault(
        "sane", "'./plain' is not executable: try chmod +x ./plain", begins=False, program="./plain"
    ),
    "relative path": Fault("sane", program="sub/engine"),
    "crash at start": Fault(
        "crashes_at_start",
        "ended with exit status 1 before its first answer",
        "engine_crash",
        begins=False,
        elsewhere={"check": "ended with exit status 1: no weights"},
    ),
    "crash in a game": Fault(
        "raises",
        "ended with exit status 1 on 'genmove black'",
        "engine_crash",
        elsewhere={"check": "ended with exit status 1: RuntimeError: I give up"},
    ),
    "crash in a second game": Fault(
        "crashes_early_in_second_game",
        "in a later game, so each game gets a new process",
        "aborted",
        games=2,
        elsewhere={"play": "", "serve": "", "check": ""},
    ),
    "silent at start": Fault(
        "silent",
        "did not answer 'boardsize 3' within 1.5 s",
        "too_slow",
        begins=False,
        move_time=1.5,
        start_time=1.5,
        elsewhere={"serve": "did not answer 'boardsize 9' within 1.5 s", "check": "QTP-101"},
    ),
    "holds replies back": Fault("holds_complaints"),
    "late by a little": Fault(
        "late",
        "did not answer within 0.3 s",
        "too_slow",
        move_time=0.3,
        elsewhere={"serve": "", "check": "QTP-101"},
    ),
    "floods standard output": Fault(
        "floods", "wrote more than 8 MiB at once", "flooding", elsewhere={"check": "QTP-10"}
    ),
    "floods standard error": Fault("screams"),
    "allocates for ever": Fault(
        "fills_memory",
        "ran out of its 150 MiB of memory and ended with exit status 1 on 'genmove black'",
        "memory_limit",
        elsewhere={"check": "ended with exit status 1: MemoryError"},
    ),
    "leaves helpers": Fault("leaves_helpers"),
    "leaves zombies": Fault("leaves_zombies"),
    "hangs and ignores signals": Fault(
        "ignores_signals",
        "did not answer within 0.3 s",
        "too_slow",
        move_time=0.3,
        elsewhere={"serve": "", "check": "QTP-101"},
    ),
}

#: The exit status of each door after a signal that ends it.
INTERRUPTED = {
    "referee": 130,
    "tournament run": 4,
    "tournament resume": 4,
    "play": 4,
    "serve": 0,
    "check": 4,
}
#: The exit status of the doors after a fault in a game. A server keeps running until the tests end it.
AT_FAULT = {"referee": 11, "check": 1}


@pytest.fixture(autouse=True)
def _few_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the checker one question and one game, because it starts the engine for each of its checks."""
    few = [check for check in checks() if check.name in {"name", "genmove"}]
    monkeypatch.setattr(run_of_checks, "checks", lambda: few)


@pytest.fixture(autouse=True)
def _no_signal_ends_the_tests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, lambda _number, _frame: None) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class Folder:
    """The folder of a faulty program.

    Args:
        path: the folder.
        program: the path of the program in it.
        arguments: further arguments of the engine, for the shell.
    """

    def __init__(self, path: Path, program: str = "./engine", arguments: str = "") -> None:
        self.path = path
        self.program = program
        self._habit = path / "habit"
        script = path / program
        script.parent.mkdir(exist_ok=True)
        # exec replaces the shell, so that the parent is the command under test.
        start = " ".join(shlex.quote(word) for word in (*PYTHON, str(SLOPPY)))
        script.write_text(f"#!/bin/sh\nexec {start} $(cat {self._habit}) {arguments}\n", encoding="utf-8")
        script.chmod(0o755)

    def set(self, habit: str) -> None:
        """Give the program a habit, and make it unusable if its name says so."""
        self._habit.write_text(f"{habit} {self.path}" if " " not in habit else habit, encoding="utf-8")

    def spoil(self) -> None:
        """Remove the program or make it unusable, if its name says so."""
        if self.program == "./gone":
            (self.path / "gone").unlink()
        elif self.program == "./plain":
            (self.path / "plain").chmod(0o644)


def run(door: str, folder: Folder, fault: Fault, patience: float = PATIENCE) -> tuple[int, str]:
    """Run the command of a door in this process; return its exit status and its output."""
    over = threading.Event()
    with reserve_port() as port:
        if door == "tournament resume":
            folder.set(f"signals {signal.SIGTERM:d}")
            status, printed = invoke("tournament run", folder, port, fault)
            assert status == 4, printed
        # The checks of a game come late, and not at all for an engine that does not know the rules.
        folder.set(f"early_{fault.does}" if door == "check" else fault.does)
        folder.spoil()
        client = threading.Thread(target=ask_for_a_move, args=(port, over, patience))
        if door == "serve":
            client.start()
        try:
            return invoke(door, folder, port, fault)
        finally:
            over.set()
            if door == "serve":
                client.join()


def words_of(door: str, folder: Folder, port: int, fault: Fault) -> list[str]:
    values = {"TIME": f"{fault.move_time:g}", "START": f"{fault.start_time:g}", "GAMES": str(fault.games)}
    values |= {"PORT": str(port), "SANE": sloppy_command("sane")}
    values |= {"ENGINE": folder.program, "qtp:ENGINE": f"qtp:{folder.program}"}
    return [values.get(word, word) for word in DOORS[door].split()]


def invoke(door: str, folder: Folder, port: int, fault: Fault) -> tuple[int, str]:
    done = CliRunner().invoke(main, words_of(door, folder, port, fault))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def ask_for_a_move(port: int, over: threading.Event, patience: float) -> None:
    """Act as the client of a move server until it moves, disconnects or falls silent; then end it."""
    while not over.wait(0.02):
        try:
            client = socket.create_connection(("127.0.0.1", port), patience)
        except OSError:
            continue
        with client, suppress(OSError):
            lines = client.makefile("rw", encoding="utf-8")
            for request in ("HELLO", "GAME 1 a:bot b:bot\nMYOUSHU"):
                lines.write(f"{request}\n")
                lines.flush()
                lines.readline()
        break
    if not over.is_set():
        os.kill(os.getpid(), signal.SIGTERM)


def assert_nothing_is_left(path: Path) -> None:
    wait_until(lambda: not (find_marked(os.getpid()) or find_sleepers(str(path)) or zombies()))
    assert (find_marked(os.getpid()), find_sleepers(str(path)), zombies()) == ([], [], [])


def zombies() -> list[int]:
    """Return the zombies: processes of engines that ended and were not collected."""
    # The shell that guards an engine can end after the command under test, so wait for it.
    return [
        child.pid
        for child in psutil.Process().children()
        if child.status() == psutil.STATUS_ZOMBIE and child.name() != "sh"
    ]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", FAULTS)
def test_doors_agree_on_a_fault(name: str, door: str, tmp_path: Path) -> None:
    fault = FAULTS[name]
    said = fault.message_of(door)
    patience = PATIENCE if said or not fault.sentence else fault.move_time
    status, printed = run(door, Folder(tmp_path, fault.program), fault, patience)
    assert said in printed
    if said and door in TIMED and fault.termination and (fault.begins or door == "referee"):
        assert re.search(rf"\b{fault.termination}\b", printed)
    if not fault.begins and (not fault.termination or door not in {*AT_FAULT, "serve"}):
        assert status == 3, printed
    elif said:
        assert status == (0 if fault.termination == "aborted" else AT_FAULT.get(door, 0)), printed
    assert_nothing_is_left(tmp_path)


#: The doors that start programs with a seed, and the one that tries it.
SEEDED = {
    "referee": "referee --black ENGINE --white SANE --size 3 --seed 7",
    "tournament run": "tournament run t.db qtp:ENGINE simple --size 3 --games 1 --seed 7",
    "tournament resume": "tournament resume t.db",
    "play": "play qtp:ENGINE simple --size 3 --seed 7",
    "serve": "serve --port PORT --host 127.0.0.1 --player qtp --command ENGINE --seed 7",
    "check": "check qtp --only QTP-221 -- ENGINE",
}


@pytest.mark.parametrize("door", SEEDED)
def test_doors_name_the_seed_of_a_program_that_does_not_start(
    door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path, arguments='"$@"')
    for name, words in SEEDED.items():
        monkeypatch.setitem(DOORS, name, words)
    status, printed = run(door, folder, Fault("refuses_seed"))
    assert status == {"referee": 11, "check": 0, "serve": 0}.get(door, 3), printed
    # Earlier processes of the tournament had the first seeds.
    named = {"check": "with -seed 1;", "tournament resume": r"started with -seed \d+"}
    assert re.search(named.get(door, "started with -seed 7"), printed), printed


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_every_door_in_order(number: signal.Signals, door: str, tmp_path: Path) -> None:
    status, printed = run(door, Folder(tmp_path), Fault(f"signals {number:d}"))
    assert status == INTERRUPTED[door], printed
    assert_nothing_is_left(tmp_path)


@pytest.mark.parametrize("door", DOORS)
def test_under_nohup_a_closed_terminal_changes_nothing(door: str, tmp_path: Path) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    status, printed = run(door, Folder(tmp_path), Fault(f"signals {signal.SIGHUP:d}"))
    assert status == 0, printed
    if door in TIMED:
        assert re.search(r"\bgoal\b", printed)


@pytest.mark.parametrize("door", ["referee", "tournament run", "play"])
def test_time_while_a_program_was_stopped_does_not_count(door: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.set("suspends")
    words = words_of(door, folder, 0, Fault("suspends", move_time=1.0))
    done = preloaded.run([sys.executable, "-m", "quoridor_net", *words])
    assert (done.returncode, re.search(r"\bgoal\b", done.stdout) is not None) == (0, True), (
        done.stdout + done.stderr
    )


def test_the_page_has_the_same_table() -> None:
    rows = re.findall(
        r"^\| (.+?) \| `(.*?)` \| (.*?) \|$", section(DOCS / "qtp.md", "Faults of engines"), re.MULTILINE
    )
    assert rows == [
        (name, fault.sentence, f"`{fault.termination}`" if fault.termination else "no game")
        for name, fault in FAULTS.items()
        if fault.sentence
    ]
