"""Programs that exit while the engine is being compiled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import quoridor_net.engine
from quoridor_net.cli import leaving
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.engine.ready import is_compiling, prepare
from quoridor_net.output import ignore

#: Seconds that an interrupted program may take to exit.
PATIENCE = 60


class LeftAtOnceError(Exception):
    """The program exited without cleaning up."""


@pytest.mark.threads
def test_nothing_is_cleaned_up_while_the_engine_compiles(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, compiled = threading.Event(), threading.Event()

    def compile_slowly(_progress: object, _players: object) -> None:
        begun.set()
        assert compiled.wait(PATIENCE)

    def exit_at_once(status: int) -> None:
        raise LeftAtOnceError(status)

    monkeypatch.setattr(leaving, "is_compiling", is_compiling)
    monkeypatch.setattr(quoridor_net.engine, "warm_up", compile_slowly)
    monkeypatch.setattr(os, "_exit", exit_at_once)
    thread = threading.Thread(target=prepare, args=(ignore,))
    thread.start()
    assert begun.wait(PATIENCE)
    with pytest.raises(LeftAtOnceError, match=r"^4$"):
        leave(ExitStatus.ABORTED)
    compiled.set()
    thread.join()
    assert not is_compiling()
    with pytest.raises(SystemExit) as left:
        leave(ExitStatus.DONE)
    assert left.value.code == 0


#: Runs a command with a compiler that never ends and ignores Ctrl-C; prints a line if it cleans up.
PROGRAM = """
import atexit, sys, threading
import quoridor_net.engine
from quoridor_net.cli.main import main

def compile_for_ever(progress, players):
    progress("compiling")
    while True:
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            pass

quoridor_net.engine.warm_up = compile_for_ever
atexit.register(print, "cleaned up")
sys.argv[0] = "quoridor"
main()
"""


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "win32", reason="processes get no Ctrl-C there")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["analyze", "game.qtp"], ExitStatus.INTERRUPTED),
        (["tournament", "run", "class.db", "ann=engine", "bob=simple"], ExitStatus.CANNOT_BEGIN),
    ],
)
def test_ctrl_c_does_not_wait_for_the_compiler(tmp_path: Path, words: list[str], status: int) -> None:
    (tmp_path / "game.qtp").write_text("P 1 E2\n", encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=tmp_path) as process:
        assert process.stderr is not None
        assert process.stderr.readline().endswith("compiling\n")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == status
    assert "Traceback" not in errors
    assert "cleaned up" not in output


#: Prints at exit whether the garbage collector would search the loaded objects.
ENDING = """
import atexit, gc
atexit.register(lambda: print("exempt" if gc.get_freeze_count() else "searched"))
import quoridor_net.engine.ready
"""


def test_programs_exit_without_collecting_garbage_of_the_compiler() -> None:
    command = [sys.executable, "-c", ENDING]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert ended.stdout == "exempt\n"
