"""A command in a fork of the preloaded interpreter is like any other process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support import preloaded

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans"),
]

QUORIDOR = [sys.executable, "-m", "quoridor_net"]


@pytest.mark.parametrize("words", [["--version"], ["play", "--nonsense"], ["replay", "check", "missing.qtp"]])
def test_output_and_status_are_the_same(words: list[str], tmp_path: Path) -> None:
    options: dict[str, Any] = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(preloaded.ROOT)}}
    usual = subprocess.run([*QUORIDOR, *words], capture_output=True, text=True, check=False, **options)
    forked = preloaded.run([*QUORIDOR, *words], **options)
    assert (forked.returncode, forked.stdout, forked.stderr) == (usual.returncode, usual.stdout, usual.stderr)


@pytest.mark.parametrize("has_own_session", [False, True])
@pytest.mark.parametrize("kind", [subprocess.Popen, preloaded.Popen])
def test_it_is_a_child_with_the_usual_surroundings(
    kind: type[subprocess.Popen[bytes]], has_own_session: bool, tmp_path: Path
) -> None:
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(preloaded.ROOT)}
    options: dict[str, Any] = {"cwd": tmp_path, "env": environment, "start_new_session": has_own_session}
    with kind([*QUORIDOR, "qtp", "--player", "simple"], stdin=pipe, stdout=pipe, **options) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"name\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"= ")
        found = psutil.Process(process.pid)
        assert found.ppid() == os.getpid()
        assert (os.getsid(process.pid) == process.pid) is has_own_session
        assert (os.getpgid(process.pid) == os.getpgid(0)) is not has_own_session
        assert found.cwd() == str(tmp_path)
        assert found.open_files() == []
        process.send_signal(signal.SIGINT)
        process.stdout.read()
    assert process.returncode == -signal.SIGINT


@pytest.mark.parametrize("changed", [{}, {"OPENBLAS_NUM_THREADS": "1"}, {"OPENBLAS_NUM_THREADS": "2"}])
def test_it_also_starts_commands_after_this_process_has_used_the_engine(changed: dict[str, str]) -> None:
    usual = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    can_start = preloaded._interpreter().can_start(QUORIDOR, usual | changed)
    assert can_start is (changed.get("OPENBLAS_NUM_THREADS") != "2")


def test_it_starts_with_any_path_of_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    interpreter = preloaded.Interpreter()
    monkeypatch.setattr(preloaded, "_interpreter", lambda: interpreter)
    assert interpreter.can_start(QUORIDOR, os.environ)
    assert preloaded.run([*QUORIDOR, "--version"]).returncode == 0
