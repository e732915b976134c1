"""Everything except engine programs works without the parts of the system that only Unix has.

``tests/support/like_windows.py`` lists the simulated parts of Windows.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.like_windows import CTRL_BREAK, ROOT, environment
from tests.support.patience import PATIENCE

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.compiled("engine", "clobber"),
    pytest.mark.skipif(sys.platform != "linux", reason="makes Linux look like Windows"),
]

REFUSAL = "this system cannot run engine programs: use Linux, macOS or WSL"
LISTENING = f"{REFUSAL}, or an engine that listens at tcp:HOST:PORT."

#: Hides only the modules that Windows lacks, because the engine's compiler looks at the rest.
WITHOUT_MODULES = """
import json, sys
from tests.support.like_windows import hide_modules
hide_modules()
from quoridor_net.cli.main import main
for words in json.loads(sys.argv[1]):
    try:
        main(words, prog_name="quoridor")
    except SystemExit as end:
        if end.code:
            raise
"""


@contextmanager
def move_server(surroundings: dict[str, str], *player: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a move server with a ``player``; yield its process and port."""
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--player", *player)
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "quoridor_net", *words],
        env=surroundings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            ready = re.search(r"is ready on port (\d+)", process.stdout.readline())
            assert ready is not None
            yield process, int(ready[1])
        finally:
            process.kill()


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return environment(tmp_path_factory.mktemp("surroundings"))


@pytest.fixture(scope="module")
def session(surroundings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("session")
    with move_server(surroundings, "simple", "--seed", "1") as (_, port):
        # Linux is hidden only after the imports that need it.
        done = subprocess.run(
            [sys.executable, "-m", "tests.support.windows_session", str(port)],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    outcomes: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert outcomes["platform"] == "win32"
    return outcomes


def test_every_module_can_be_imported(session: dict[str, Any]) -> None:
    assert session["failed"] == {}


def test_every_command_can_be_loaded(session: dict[str, Any]) -> None:
    assert len(session["helps"]) > 20
    assert {words: outcome for words, outcome in session["helps"].items() if outcome[0] != 0} == {}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("referee", LISTENING),
        ("play with a program", LISTENING),
        ("tournament with a program", LISTENING),
        ("serve a program", LISTENING),
        ("check a program", f"{REFUSAL}."),
    ],
)
def test_an_engine_program_is_refused_in_one_line(session: dict[str, Any], name: str, said: str) -> None:
    status, output = session["runs"][name]
    assert status == 2
    (line,) = [line for line in output.splitlines() if line.startswith("Error: ")]
    assert line.endswith(said)


def test_the_referee_still_plays_engines_that_listen(session: dict[str, Any]) -> None:
    status, output = session["runs"]["referee without processes"]
    assert status == 3, output
    assert "Error:" in output


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("display", "reached its goal line"),
        ("play", "reached its goal line"),
        ("tournament", "net"),
        ("tournament show", "random"),
        ("tournament games", "Saved 3 games in the folder games."),
        ("tournament verify", "3 games, no faults found."),
        ("replay", "wins"),
        ("check replay", "played.qtp"),
        ("check server", "Passed:"),
        ("perft", "[0-9]"),
        ("doctor", "note Programs +this system cannot run engine programs"),
    ],
)
def test_everything_else_works(session: dict[str, Any], name: str, said: str) -> None:
    status, output = session["runs"][name]
    assert status == 0, output
    assert re.search(said, output), output


def test_a_client_is_checked_without_limits(session: dict[str, Any]) -> None:
    status, output = session["runs"]["check client"]
    assert status == 1, output
    assert "cannot be started" not in output


def test_a_demonstration_starts_all_its_processes(surroundings: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "quoridor_net", "demo", "--player", "simple", "--seed", "1"],
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "wins" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, CTRL_BREAK], ids=["Ctrl-C", "Ctrl-Break"])
def test_a_key_ends_a_server_gracefully(surroundings: dict[str, str], number: int) -> None:
    with move_server(surroundings, "random") as (process, _):
        process.send_signal(number)
        output, _ = process.communicate(timeout=PATIENCE)
        assert (process.returncode, "Traceback" in output) == (0, False)


def test_a_person_types_moves_into_a_server(surroundings: dict[str, str], tmp_path: Path) -> None:
    with (
        move_server(surroundings, "human", "--once") as (person, port),
        move_server(surroundings, "random") as (_, other),
    ):
        assert person.stdin is not None
        person.stdin.write("e2\nresign\n")
        person.stdin.flush()
        done = subprocess.run(
            [sys.executable, "-m", "client", f"127.0.0.1:{port}", f"127.0.0.1:{other}", "--json"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        moves = [json.loads(line) for line in done.stdout.splitlines() if '"move_made"' in line]
        assert [event["player"] for event in moves] == [1, 2]
        # It exits although its input is still open: a reading thread must not prevent that.
        assert person.wait(PATIENCE) == 0


def without_modules(folder: Path, typed: str, *commands: tuple[str, ...]) -> str:
    """Run commands one after another in one process without the modules; return the output."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_MODULES, json.dumps(commands)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_engine_works_without_the_modules(tmp_path: Path) -> None:
    (tmp_path / "game.qtp").write_text("# Players: ann vs bob\nP 1 E2\nP 2 E8\nP 1 E3\n", encoding="utf-8")
    commands = ("warmup",), ("analyze", "game.qtp", "--nodes", "50"), ("qtp", "--nodes", "50")
    printed = without_modules(tmp_path, "genmove black\nquit\n", *commands)
    for said in ("The engine is compiled.", "Winning chance", "\n= "):
        assert said in printed


def test_a_person_plays_the_engine_without_the_modules(tmp_path: Path) -> None:
    printed = without_modules(tmp_path, "e2\nresign\n", ("play", "human", "engine:nodes=50"))
    assert "resigned" in printed
