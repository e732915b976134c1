"""Whatever engines leave behind is found by every command that starts them, and zombies do not pile up."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from quoridor_net.programs import unix
from quoridor_net.programs.orphans import adopt_orphans, find_adopted
from quoridor_net.programs.process import ProgramLimits, start_process
from tests.support import preloaded
from tests.support.engine_programs import find_sleepers, sloppy_command, wait_until
from tests.support.patience import PATIENCE

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to who asks for them"),
]

#: The prctl(2) option that tells whether a process adopts orphans.
_PR_GET_CHILD_SUBREAPER = 37

QUORIDOR = (sys.executable, "-m", "quoridor_net")

#: Commands that play or check with an engine; TEMPORARY and ENGINE stand for a folder and its command line.
DOORS = {
    "tournament": ["tournament", "run", "TEMPORARY/t.db", "odd=qtp:ENGINE", "simple", "--games", "1"],
    "play": ["play", "qtp:ENGINE", "simple", "--quiet"],
    "check": ["check", "qtp", "--", "ENGINE"],
}


def zombies(parent: int) -> int:
    """Return how many children of a process have ended and were not waited for."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        found += fields[:2] == ["Z", str(parent)]
    return found


@pytest.mark.parametrize("door", DOORS)
def test_nothing_of_an_engine_outlives_the_command_that_started_it(door: str, tmp_path: Path) -> None:
    engine = sloppy_command(f"leaves_helpers {tmp_path}")
    words: list[str] = []
    for word in DOORS[door]:
        told = word.replace("TEMPORARY", str(tmp_path))
        words += engine.split() if told == "ENGINE" else [told.replace("ENGINE", engine)]
    preloaded.run([*QUORIDOR, *words], cwd=tmp_path)
    assert find_sleepers(str(tmp_path)) == []


def test_nothing_of_an_engine_outlives_a_move_server(tmp_path: Path) -> None:
    command = [*QUORIDOR, "serve", "--port", "0", "--host", "127.0.0.1", "--player", "qtp"]
    command += ["--command", sloppy_command(f"leaves_helpers {tmp_path}")]
    with preloaded.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().partition("port ")[2].split()[0])
        with (
            socket.create_connection(("127.0.0.1", port), PATIENCE) as client,
            client.makefile("rw") as lines,
        ):
            for request in ("HELLO", "GAME 1 a:bot b:bot\nMYOUSHU"):
                lines.write(f"{request}\n")
                lines.flush()
                assert lines.readline()
            # The engine can move before its helpers have begun to sleep.
            wait_until(lambda: len(find_sleepers(str(tmp_path))) == 3)
            started = find_sleepers(str(tmp_path))
        wait_until(lambda: find_sleepers(str(tmp_path)) == [])
        left = find_sleepers(str(tmp_path))
        os.kill(server.pid, signal.SIGTERM)
        server.communicate(timeout=PATIENCE)
    assert (len(started), left) == (3, [])


async def test_a_hidden_child_does_not_outlive_an_engine_that_dies_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed engine is its child's parent until it is dead, which takes time on a busy machine."""

    def kill_soon(pid: int) -> None:
        threading.Timer(0.1, os.killpg, (pid, signal.SIGKILL)).start()

    monkeypatch.setattr(unix, "kill_group", kill_soon)
    with adopt_orphans():
        program = start_process(sloppy_command(f"has_helper {tmp_path}").split(), ProgramLimits())
        wait_until(lambda: len(find_sleepers(str(tmp_path))) == 1)
        started = find_sleepers(str(tmp_path))
        await program.close()
        left = find_sleepers(str(tmp_path))
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert (len(started), left) == (1, [])


def test_zombies_are_collected_during_the_game() -> None:
    command = [*QUORIDOR, "referee", "--verbose", "1", "--move_time", f"{PATIENCE:g}"]
    command += ["--white", sloppy_command("litters"), "--black", sloppy_command("sane")]
    with preloaded.Popen(command, stdout=subprocess.PIPE, text=True) as judge:
        assert judge.stdout is not None
        assert any(line.startswith("game 1:   1 black") for line in judge.stdout)
        wait_until(lambda: zombies(judge.pid) == 0)
        assert (zombies(judge.pid), judge.poll()) == (0, None)
        os.kill(judge.pid, signal.SIGTERM)
        judge.communicate(timeout=PATIENCE)


def test_children_from_before_and_after_are_not_taken_for_those_of_engines() -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as before:
        with adopt_orphans():
            assert before.pid not in find_adopted(())
            with subprocess.Popen(["sleep", "600"], start_new_session=True) as meanwhile:
                assert meanwhile.pid in find_adopted(())
                assert meanwhile.pid not in find_adopted((meanwhile.pid,))
                meanwhile.kill()
        assert list(find_adopted(())) == []
        before.kill()


def test_orphans_are_adopted_only_while_engines_run() -> None:
    def is_adopting() -> bool:
        found = ctypes.c_int()
        assert ctypes.CDLL(None).prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(found), 0, 0, 0) == 0
        return bool(found.value)

    assert not is_adopting()
    with adopt_orphans():
        assert is_adopting()
        with adopt_orphans():
            pass
        assert is_adopting()
    assert not is_adopting()
