"""Move servers that the checker starts itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from quoridor_net.check.launching import find_port
from quoridor_net.cli.main import main
from tests.support.engine_programs import PYTHON
from tests.support.patience import PATIENCE

#: A server that plays one game and ends; it listens on the port of its last argument, or prints it.
ONE_GAME = """
import socket, sys
listener = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
if len(sys.argv) < 2:
    print("listening on port", listener.getsockname()[1], flush=True)
connection, _ = listener.accept()
listener.close()
for line in connection.makefile():
    if line.startswith("HELLO"):
        connection.sendall(b"IAM ann:bot\\n")
    if line.startswith("MYOUSHU"):
        connection.sendall(b"TESUJI (4, 1)\\n")
"""


def check(*words: str) -> tuple[int, dict[str, Any]]:
    options = ["--json", "--only", "LAN-174", "--move-time", str(PATIENCE), "--", *words]
    done = CliRunner().invoke(main, ["check", "server", *options])
    return done.exit_code, json.loads(done.stdout)


@pytest.mark.end_to_end
@pytest.mark.parametrize("words", [["{port}"], []], ids=["argument", "output"])
def test_server_is_reached_on_its_port(words: list[str]) -> None:
    status, report = check(*PYTHON, "-c", ONE_GAME, *words)
    assert status == 1
    assert [finding["code"] for finding in report["findings"]] == ["LAN-166"]


@pytest.mark.end_to_end
def test_server_that_does_not_listen_is_quoted() -> None:
    status, report = check(*PYTHON, "-c", "raise SystemExit('Error: no port.')", "{port}")
    assert status == 3
    (outcome,) = report["checks"]
    assert outcome["remark"].endswith("because it ended with exit status 1: Error: no port")


@pytest.mark.end_to_end
def test_script_starts_the_server(tmp_path: Path) -> None:
    script = tmp_path / "repeat.py"
    options = ["--only", "LAN-174", "--repeat", str(script), "--move-time", str(PATIENCE)]
    words = [*PYTHON, "-c", ONE_GAME, "{port}"]
    assert CliRunner().invoke(main, ["check", "server", *options, "--", *words]).exit_code == 1
    done = subprocess.run(
        [sys.executable, "-I", str(script)], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("printed", "port"),
    [
        (b"listening on port 5858\n", 5858),
        (b"Server: 0.0.0.0:40123 ready", 40123),
        (b"ann:bot is ready on port 5858 (all addresses).", 5858),
        (b"waiting on 6000", 6000),
        (b"version 3, no port yet", None),
        (b"", None),
    ],
)
def test_port_is_found_in_the_output(printed: bytes, port: int | None) -> None:
    assert find_port(printed) == port
