"""Programs whose output encoding has few characters do not fail for the others."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.conftest import StartServer
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.end_to_end

ENCODINGS = ["ascii", "cp1252"]

#: A game whose names and comments have letters, escapes and marks of all kinds.
GAME = (
    "# Players: J\u00fcrgen \u6771 vs a\x1b[2J\x1b]0;x\x07\u202e\u200bb\u0301\n"
    "# Termination: \u202eillegal\x1b[1m\n"
    "P 1 E2\nP 2 E8\n"
)


#: Runs several commands one after another, each as ``python -m`` would, and prints their exit statuses.
IN_TURN = """
import json, runpy, sys
for module, *sys.argv[1:] in json.loads(sys.argv[1]):
    # As at the start of Python; a command changes it.
    sys.stdout.reconfigure(errors="strict")
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        print(f"exit status {end.code or 0}", flush=True)
"""


def run_in_turn(encoding: str, *commands: tuple[str, ...]) -> list[tuple[int, bytes]]:
    """Run commands in one process whose streams have this encoding; return exit statuses and outputs."""
    done = subprocess.run(
        [sys.executable, "-u", "-c", IN_TURN, json.dumps(commands)],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONIOENCODING": encoding},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE,
        check=True,
    )
    assert b"Traceback" not in done.stdout, done.stdout.decode("latin-1")
    assert b"\x1b" not in done.stdout
    parts = re.split(rb"^exit status (\d+)\n", done.stdout, flags=re.MULTILINE)
    assert len(parts) == 2 * len(commands) + 1
    return [(int(status), output) for output, status in zip(parts[:-1:2], parts[1::2], strict=True)]


def run(encoding: str, *arguments: str, typed: bytes = b"") -> tuple[int, bytes]:
    """Run a program whose streams have this encoding; return its exit status and output."""
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        env=environment,
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE,
        check=False,
    )
    assert b"Traceback" not in done.stdout, done.stdout.decode("latin-1")
    assert b"\x1b" not in done.stdout
    return done.returncode, done.stdout


@contextmanager
def move_server(answer: bytes) -> Iterator[int]:
    """Serve one game with a name and a single answer; yield the port."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as lines:
            for line in lines:
                if line == b"HELLO\n":
                    connection.sendall("IAM xyz:\u6771\n".encode())
                elif line == b"MYOUSHU\n":
                    connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_move_with_digits_of_another_script_ends_only_its_player(
    encoding: str, start_server: StartServer
) -> None:
    with move_server("TESUJI (\uff14, \uff11)\n".encode()) as port:
        endpoints = (f"127.0.0.1:{port}", start_server("--once").endpoint)
        status, output = run(encoding, "client", *endpoints, "--gap", "0")
    assert status == 0
    assert b"is out [unparsable_move]" in output
    assert rb"the answer was 'TESUJI (\xef\xbc\x94, \xef\xbc\x91)'" in output
    assert b"(player 2) wins" in output


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_replays_keep_all_kinds_of_characters(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "J\u00fcrgen \u202e\u200b\u6771\x1b[2J.qtp"
    path.write_text(GAME, encoding="utf-8")
    commands = ("show",), ("info",), ("check", "--partial"), ("convert", "--to", "standard")
    done = run_in_turn(encoding, *(("quoridor_net", "replay", *words, str(path)) for words in commands))
    assert [status for status, _ in done] == [0, 0, 0, 1]
    for _, output in done:
        assert output
        assert b"\xe2\x80" not in output


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_wrong_usage_is_quoted_without_its_characters(encoding: str) -> None:
    commands = [
        (program, argument)
        for program in ("server", "client", "quoridor_net")
        for argument in ("--\x1b[2J\u202e\u6771", "\u202e\x1b[2J\u6771")
    ]
    for status, output in run_in_turn(encoding, *commands):
        assert (status, b"\xe2\x80" in output) == (2, False)
        assert output.startswith(b"Usage: ")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_strange_words_of_engines_are_escaped(encoding: str, tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = 'J\\u00fc\\u6771\\x1b[2J' if 'name' in line or 'genmove' in line else ''\n"
        "    sys.stdout.buffer.write(f'= {word}\\n\\n'.encode())\n"
        "    sys.stdout.flush()\n",
        encoding="ascii",
    )
    command = f"{sys.executable} {engine}"
    _, output = run(
        encoding, "quoridor_net", "referee", "--black", command, "--white", command, "--games", "1"
    )
    assert (b"unparsable_move" in output, b"\xe2\x80" in output) == (True, False)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_characters_that_the_output_cannot_show_are_escaped(encoding: str) -> None:
    typed = "\uff14\uff11\ne\u0662\n\x1b[2J\u202e\nresign\n".encode()
    with move_server(b"TESUJI (4, 7)\n") as port:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "server",
                "--port",
                "0",
                "--host",
                "127.0.0.1",
                "--player",
                "human",
                "--once",
            ],
            env=os.environ | {"PYTHONIOENCODING": encoding},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert process.stdout is not None
        assert process.stdin is not None
        ready = process.stdout.readline().decode()
        process.stdin.write(typed)
        process.stdin.flush()
        human = ready.split(" on port ")[1].split()[0]
        status, _ = run(encoding, "client", f"127.0.0.1:{human}", f"127.0.0.1:{port}", "--gap", "0")
        output, _ = process.communicate(timeout=PATIENCE)
    assert (status, process.returncode) == (0, 0)
    assert b"Traceback" not in output
