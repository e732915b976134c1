"""A shortage of descriptors, memory or disk causes one clear line, and no finished game is lost."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import StartServer
from tests.support.engine_programs import sloppy_command
from tests.support.loopback import HOST
from tests.support.patience import PATIENCE

if sys.platform == "win32":
    pytest.skip("needs POSIX limits", allow_module_level=True)

import resource

pytestmark = pytest.mark.end_to_end

COMMAND = (sys.executable, "-c", "from quoridor_net.cli.main import main; main()")
ENGINE = sloppy_command("sane")

MIB = 1 << 20


def limit_program(limit: int, most: int) -> dict[str, Any]:
    """Return arguments of ``Popen`` for a program with a limit."""
    return {
        "preexec_fn": lambda: resource.setrlimit(limit, (most, most)),
        # Under the limit, Python would leave truncated bytecode behind.
        "env": {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    }


def run(*words: object, limit: int, most: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
        **limit_program(limit, most),
    )


def check_refusal(done: subprocess.CompletedProcess[str], *statuses: int) -> None:
    """Check that a program did its work, or explained in one line why it did not."""
    assert "Traceback" not in done.stdout + done.stderr
    if done.returncode == 0:
        return
    assert done.returncode in statuses, done
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("Stopped. ", "Hint: "))]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("Error: ")


@pytest.mark.parametrize("most", [6, 8])
@pytest.mark.parametrize(
    "words",
    [
        ("display", f"{HOST}:1", f"{HOST}:1", "--connect-time", "0.1"),
        ("serve", "--port", "0", "--once"),
    ],
    ids=["display", "serve"],
)
def test_a_program_without_descriptors_is_one_line(words: tuple[str, ...], most: int) -> None:
    done = run(*words, limit=resource.RLIMIT_NOFILE, most=most)
    assert done.returncode in {3, 4}
    check_refusal(done, 3, 4)
    assert re.search(r"[Tt]oo many .*open", done.stderr)


@pytest.mark.parametrize("most", [8, 12, 13])
def test_a_tournament_without_descriptors_stops_and_can_be_resumed(most: int, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    words = ("simple", "random", "--games", 2, "--size", 5)
    done = run("tournament", "run", path, *words, limit=resource.RLIMIT_NOFILE, most=most)
    check_refusal(done, 2, 4)
    if path.exists():
        again = run("tournament", "resume", path, limit=resource.RLIMIT_NOFILE, most=100)
        assert again.returncode == 0


@pytest.mark.parametrize("most", [60, 140])
def test_a_tournament_without_memory_stops_with_advice(most: int, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    words = ("engine:level=1", "random", "--games", 2, "--size", 5)
    done = run("tournament", "run", path, *words, limit=resource.RLIMIT_AS, most=most * MIB)
    assert done.returncode == 4
    check_refusal(done, 4)
    assert "Stopped. To continue: " in done.stderr or not path.exists()


def test_engines_get_no_more_memory_than_their_referee() -> None:
    """Otherwise an engine would be at fault for a limit that cannot be raised."""
    done = run(
        *("referee", "--white", ENGINE, "--black", ENGINE, "--games", 1, "--size", 5, "--json"),
        limit=resource.RLIMIT_AS,
        most=400 * MIB,
    )
    assert done.returncode == 0, done
    assert json.loads(done.stdout)


def test_a_display_client_finishes_its_game_on_a_full_disk(start_server: StartServer, tmp_path: Path) -> None:
    endpoints, replay, log = [start_server().endpoint] * 2, tmp_path / "a.qtp", tmp_path / "a.log"
    words = ("display", *endpoints, "--gap", 0, "--quiet", "--save", replay, "--log", log)
    done = run(*words, limit=resource.RLIMIT_FSIZE, most=100)
    assert done.returncode == 0
    assert "wins" in done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    for path in (replay, log):
        assert any(line.startswith(f"cannot write {path}: File too large. ") for line in lines)


def test_a_referee_finishes_its_game_on_a_full_disk(tmp_path: Path) -> None:
    done = run(
        *("referee", "--white", ENGINE, "--black", ENGINE, "--games", 1, "--size", 5, "--save", tmp_path),
        limit=resource.RLIMIT_FSIZE,
        most=20,
    )
    assert done.returncode == 0, done
    assert "game 1: " in done.stdout
    (line,) = done.stderr.splitlines()
    assert line.endswith("game-1.qtp: File too large. The game is not recorded.")


def test_a_server_serves_on_when_descriptors_are_free_again() -> None:
    words = ["serve", "--port", "0", "--host", HOST, "--player", "simple", "--quiet"]
    with ExitStack() as stack:
        server = stack.enter_context(
            subprocess.Popen(
                [*COMMAND, *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                **limit_program(resource.RLIMIT_NOFILE, 16),
            )
        )
        stack.callback(server.kill)
        assert server.stdout is not None
        assert server.stderr is not None
        ready = re.search(r"port (\d+)", server.stdout.readline())
        assert ready is not None
        address = (HOST, int(ready[1]))
        with ExitStack() as crowd:
            for _ in range(30):
                crowd.enter_context(socket.create_connection(address))
            assert "new connections must wait until others end" in server.stderr.readline()
        with socket.create_connection(address, timeout=PATIENCE) as one:
            one.sendall(b"HELLO\n")
            assert one.recv(100) == b"IAM qnt:simple\n"
        assert server.poll() is None
