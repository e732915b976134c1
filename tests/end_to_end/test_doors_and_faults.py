"""Every command that starts engines gives the same verdict on the same fault, and leaves nothing running.

The table of the page "Engine faults" is checked against the one of this file.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from attrs import field, frozen
from click.testing import CliRunner

from quoridor_net.cli.main import main
from tests.docs.pages import DOCS, section
from tests.support.engine_programs import PYTHON, SLOPPY, asleep, marked, sloppy_command, wait_until
from tests.support.loopback import reserved_port
from tests.support.patience import PATIENCE

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to who asks for them"),
]

#: The commands. ENGINE is the program at fault, which moves first.
DOORS = {
    "referee": "referee --black ENGINE --white SANE --size 3 --no-seed --move_time TIME --memory_limit 150",
    "tournament run": "tournament run t.db qtp:ENGINE simple --size 3 --games 1 --move-time TIME"
    " --memory-limit 150",
    "tournament resume": "tournament resume t.db",
    "play": "play qtp:ENGINE simple --size 3 --move-time TIME --memory-limit 150",
    "serve": "serve --port PORT --host 127.0.0.1 --player qtp --command ENGINE --memory-limit 150",
    "check": "check qtp --only QTP-102 --move-time TIME --memory-limit 150 -- ENGINE",
}
#: The doors that limit the time of a move themselves.
TIMED = ("referee", "tournament run", "tournament resume", "play")


@frozen
class Fault:
    """What an engine does, and what every door says about it.

    Attributes:
        does: the habit of the sloppy engine.
        sentence: in the output; empty if no door minds.
        termination: the verdict of a game that is lost by it; empty if none is.
        begins: whether a game begins.
        program: where the engine is.
        move_time: seconds for a move.
        elsewhere: sentences of doors that see less of the engine, or more.
    """

    does: str
    sentence: str = ""
    termination: str = ""
    begins: bool = True
    program: str = "./engine"
    move_time: float = 20.0
    elsewhere: dict[str, str] = field(factory=dict)

    def said(self, door: str) -> str:
        """Return the sentence of a door."""
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
        "ended with exit status 1 on 'boardsize",
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
#: The exit status of the doors after a fault in a game. A server goes on, and the tests end it.
AT_FAULT = {"referee": 11, "check": 1}


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
    """Where a program with a fault is.

    Args:
        path: the folder.
        program: the path of the program in it.
    """

    def __init__(self, path: Path, program: str = "./engine") -> None:
        self.path = path
        self.program = program
        self._habit = path / "habit"
        script = path / program
        script.parent.mkdir(exist_ok=True)
        # Executed in place of the shell, so that its parent is the command under test.
        start = " ".join(shlex.quote(word) for word in (*PYTHON, str(SLOPPY)))
        script.write_text(f"#!/bin/sh\nexec {start} $(cat {self._habit})\n", encoding="utf-8")
        script.chmod(0o755)

    def set(self, habit: str) -> None:
        """Give the program a habit, and take away what makes it one if its name says so."""
        self._habit.write_text(f"{habit} {self.path}" if " " not in habit else habit, encoding="utf-8")

    def spoil(self) -> None:
        """Remove the program or make it unusable, if its name says so."""
        if self.program == "./gone":
            (self.path / "gone").unlink()
        elif self.program == "./plain":
            (self.path / "plain").chmod(0o644)


def run(
    door: str, folder: Folder, habit: str, move_time: float = 20.0, patience: float = PATIENCE
) -> tuple[int, str]:
    """Run the command of a door in this process; return its exit status and all that it printed."""
    over = threading.Event()
    with reserved_port() as port:
        if door == "tournament resume":
            folder.set(f"signals {signal.SIGTERM:d}")
            status, printed = invoke("tournament run", folder, port, move_time)
            assert status == 4, printed
        # The checks of a game come late, and do not begin for an engine that knows no rules.
        folder.set(f"early_{habit}" if door == "check" else habit)
        folder.spoil()
        client = threading.Thread(target=ask_for_a_move, args=(port, over, patience))
        if door == "serve":
            client.start()
        try:
            return invoke(door, folder, port, move_time)
        finally:
            over.set()
            if door == "serve":
                client.join()


def words_of(door: str, folder: Folder, port: int, move_time: float) -> list[str]:
    values = {"TIME": f"{move_time:g}", "PORT": str(port), "SANE": sloppy_command("sane")}
    values |= {"ENGINE": folder.program, "qtp:ENGINE": f"qtp:{folder.program}"}
    return [values.get(word, word) for word in DOORS[door].split()]


def invoke(door: str, folder: Folder, port: int, move_time: float) -> tuple[int, str]:
    done = CliRunner().invoke(main, words_of(door, folder, port, move_time))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def ask_for_a_move(port: int, over: threading.Event, patience: float) -> None:
    """Be the client of a move server until it moves, closes the connection or is silent; end it then."""
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
    wait_until(lambda: not marked(os.getpid()) and not asleep(str(path)))
    assert (marked(os.getpid()), asleep(str(path))) == ([], [])


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", FAULTS)
def test_doors_agree_on_a_fault(name: str, door: str, tmp_path: Path) -> None:
    fault = FAULTS[name]
    said = fault.said(door)
    patience = PATIENCE if said or not fault.sentence else fault.move_time
    status, printed = run(door, Folder(tmp_path, fault.program), fault.does, fault.move_time, patience)
    assert said in printed
    if said and door in TIMED and fault.termination and (fault.begins or door == "referee"):
        assert re.search(rf"\b{fault.termination}\b", printed)
    if not fault.begins and (not fault.termination or door not in {*AT_FAULT, "serve"}):
        assert status == 3, printed
    elif said:
        assert status == AT_FAULT.get(door, 0), printed
    assert_nothing_is_left(tmp_path)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_every_door_in_order(number: signal.Signals, door: str, tmp_path: Path) -> None:
    status, printed = run(door, Folder(tmp_path), f"signals {number:d}")
    assert status == INTERRUPTED[door], printed
    assert_nothing_is_left(tmp_path)


@pytest.mark.parametrize("door", TIMED)
def test_under_nohup_a_closed_terminal_changes_nothing(door: str, tmp_path: Path) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    status, printed = run(door, Folder(tmp_path), f"signals {signal.SIGHUP:d}")
    assert (status, re.search(r"\bgoal\b", printed) is not None) == (0, True), printed


@pytest.mark.parametrize("door", ["referee", "tournament run", "play"])
def test_the_time_for_which_a_door_was_stopped_counts_for_nobody(door: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.set("suspends")
    done = subprocess.run(
        [sys.executable, "-m", "quoridor_net", *words_of(door, folder, 0, 1.0)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, re.search(r"\bgoal\b", done.stdout) is not None) == (0, True), (
        done.stdout + done.stderr
    )


def test_the_page_has_this_table() -> None:
    rows = re.findall(
        r"^\| (.+?) \| `(.*?)` \| (.*?) \|$", section(DOCS / "qtp.md", "Faults of engines"), re.MULTILINE
    )
    assert rows == [
        (name, fault.sentence, f"`{fault.termination}`" if fault.termination else "no game")
        for name, fault in FAULTS.items()
        if fault.sentence
    ]
