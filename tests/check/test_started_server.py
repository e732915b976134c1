"""Move servers that the checker starts itself."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from quoridor_net.check.launching import MAX_PRINTED, StartedServer, find_ports, launch_server
from quoridor_net.cli.main import main
from tests.support.engine_programs import PYTHON
from tests.support.loopback import reserve_port
from tests.support.patience import PATIENCE
from tests.support.repeat_script import run_script

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
    options = ["--json", "--only", "LAN-174", "--move-time", str(PATIENCE)]
    options += words if words[0].startswith("--") else ["--", *words]
    done = CliRunner().invoke(main, ["check", "server", *options])
    return done.exit_code, json.loads(done.stdout)


@pytest.mark.end_to_end
@pytest.mark.parametrize("words", [["{port}"], []], ids=["argument", "output"])
def test_server_is_reached_on_its_port(words: list[str]) -> None:
    status, report = check(*PYTHON, "-c", ONE_GAME, *words)
    assert status == 1
    assert [finding["code"] for finding in report["findings"]] == ["LAN-166"]


def test_an_address_has_its_own_port() -> None:
    done = CliRunner().invoke(main, ["check", "server", "localhost:5858", "--port", "5859"])
    assert done.exit_code == 2
    assert "--port needs a COMMAND; HOST:PORT names the port itself." in done.output


@pytest.mark.end_to_end
async def test_only_the_beginning_of_a_long_output_is_kept() -> None:
    chatty = f"print('x' * {4 * MAX_PRINTED}, flush=True)\n{ONE_GAME}"
    async with launch_server([*PYTHON, "-c", chatty, "{port}"], PATIENCE)() as connect:
        stream = await connect()
        server = getattr(connect, "__self__", None)
        assert isinstance(server, StartedServer)
        assert len(server.printed) == MAX_PRINTED
        await stream.aclose()


@pytest.mark.end_to_end
def test_server_that_does_not_listen_is_quoted() -> None:
    status, report = check(*PYTHON, "-c", "raise SystemExit('Error: no port.')", "{port}")
    assert status == 3
    (outcome,) = report["checks"]
    assert outcome["remark"].endswith("because it ended with exit status 1: Error: no port")


#: A server of many games, one after another, that keeps its board from game to game.
STATIC_BOARD = """
import socket, sys
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
row = 0
while True:
    connection, _ = listener.accept()
    for line in connection.makefile():
        if line.startswith("HELLO"):
            connection.sendall(b"IAM ann:bot\\n")
        if line.startswith("GAME"):
            pass
        if line.startswith("MYOUSHU"):
            row += 1
            connection.sendall(b"TESUJI (4, %d)\\n" % row)
    connection.close()
"""

#: The last words of a Java program that got the word "port" as its argument.
JAVA = """\
Exception in thread "main" java.lang.NumberFormatException: For input string: "port"
\tat java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:67)
\tat MoveServer.main(MoveServer.java:12)
"""


@pytest.mark.end_to_end
@pytest.mark.parametrize("words", [["{port}"], []], ids=["argument", "output"])
def test_exception_of_a_server_that_did_not_listen_is_named(words: list[str]) -> None:
    program = f"import sys; sys.stderr.write({JAVA!r}); sys.exit(1)"
    status, report = check(*PYTHON, "-c", program, *words)
    assert status == 3
    (outcome,) = report["checks"]
    assert "java.lang.NumberFormatException: For input string" in outcome["remark"]
    assert "MoveServer.java:12" in outcome["remark"]
    assert "port 67" not in outcome["remark"]


@pytest.mark.end_to_end
def test_exception_in_a_thread_of_a_server_is_shown_and_logged(tmp_path: Path) -> None:
    log = tmp_path / "lines.log"
    program = ONE_GAME.replace(
        'connection.sendall(b"TESUJI (4, 1)\\n")',
        f"connection.shutdown(2); sys.stderr.write({JAVA!r}); sys.stderr.flush(); listener.close(); input()",
    )
    status, report = check("--log", str(log), "--", *PYTHON, "-c", program, "{port}")
    assert status == 1
    assert [finding["code"] for finding in report["findings"]] == ["LAN-122"]
    assert report["remarks"][0].startswith("The program printed Exception in thread")
    assert "--- standard error: b'Exception in thread" in log.read_text(encoding="utf-8")


@pytest.mark.end_to_end
def test_script_starts_the_server(tmp_path: Path) -> None:
    script = tmp_path / "repeat.py"
    options = ["--only", "LAN-174", "--repeat", str(script), "--move-time", str(PATIENCE)]
    words = [*PYTHON, "-c", ONE_GAME, "{port}"]
    assert CliRunner().invoke(main, ["check", "server", *options, "--", *words]).exit_code == 1
    done = run_script(script)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.end_to_end
def test_script_repeats_the_game_before_a_fault_in_the_next(tmp_path: Path) -> None:
    script = tmp_path / "repeat.py"
    options = ["--json", "--only", "LAN-174", "--repeat", str(script), "--move-time", str(PATIENCE)]
    words = [*PYTHON, "-c", STATIC_BOARD, "{port}"]
    done = CliRunner().invoke(main, ["check", "server", *options, "--", *words])
    assert [finding["code"] for finding in json.loads(done.stdout)["findings"]] == ["LAN-174"]
    again = run_script(script)
    assert (again.returncode, again.stderr) == (1, "")
    fixed = STATIC_BOARD.replace("pass", "row = 0")
    other = run_script(script, *PYTHON, "-c", fixed, "{port}")
    assert (other.returncode, other.stderr) == (0, "")


@pytest.mark.end_to_end
def test_script_for_a_running_server_proves_nothing_after_other_games(tmp_path: Path) -> None:
    script = tmp_path / "repeat.py"
    with reserve_port() as port:
        start = partial(subprocess.Popen, [*PYTHON, "-c", STATIC_BOARD, str(port)])
        with start() as running:
            try:
                wait_until_it_listens(port)
                options = ["--json", "--only", "LAN-174", "--repeat", str(script)]
                done = CliRunner().invoke(main, ["check", "server", f"127.0.0.1:{port}", *options])
                codes = [finding["code"] for finding in json.loads(done.stdout)["findings"]]
                assert codes == ["LAN-174"]
                stale = run_script(script)
            finally:
                running.kill()
        assert stale.returncode == 125
        assert "so this proves nothing: start it again" in stale.stdout
        with start() as running:
            try:
                wait_until_it_listens(port)
                fresh = run_script(script)
            finally:
                running.kill()
        assert fresh.returncode == 1, fresh.stdout


def wait_until_it_listens(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.02)
        else:
            return


@pytest.mark.end_to_end
def test_script_repeats_a_connection_that_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "repeat.py"
    program = ONE_GAME.replace("import socket, sys", "import socket, sys\nrow = 0").replace(
        'connection.sendall(b"TESUJI (4, 1)\\n")',
        'row += 1; connection.sendall(b"TESUJI (4, %d)\\n" % row)',
    )
    words = [*PYTHON, "-c", program, "{port}"]
    options = ["--json", "--only", "LAN-171", "--repeat", str(script), "--move-time", str(PATIENCE)]
    done = CliRunner().invoke(main, ["check", "server", *options, "--", *words])
    codes = [finding["code"] for finding in json.loads(done.stdout)["findings"]]
    assert "LAN-171" in codes, codes
    again = run_script(script)
    assert (again.returncode, again.stderr) == (1, ""), again.stdout


@pytest.mark.end_to_end
def test_server_on_another_port_than_given_is_explained() -> None:
    with reserve_port() as free:
        fixed = ONE_GAME.replace("int(sys.argv[1]) if len(sys.argv) > 1 else 0", str(free))
        fixed = fixed.replace("len(sys.argv) < 2", "True")
        options = ["--json", "--only", "LAN-174", "--move-time", "1.5", "--", *PYTHON, "-c", fixed, "{port}"]
        done = CliRunner().invoke(main, ["check", "server", *options])
    (outcome,) = json.loads(done.stdout)["checks"]
    assert f"but on port {free}, which it printed" in outcome["remark"]
    assert "leave {port} out" in outcome["remark"]


@pytest.mark.parametrize(
    ("printed", "ports"),
    [
        (b"listening on port 5858\n", [5858]),
        (b"Server: 0.0.0.0:40123 ready", [40123]),
        (b"ann:bot is ready on port 5858 (all addresses).", [5858]),
        (b"waiting on 6000", [6000]),
        (b"2026-11-27 02:30:15 waiting on 6000", [6000]),
        (b"27.11.2026: ready with 1024 MB, waits at localhost:5858", [5858, 1024]),
        (b"version 3, no port yet", []),
        (JAVA.encode(), []),
        (b"    at listen (/home/ann/server.js:5858:12)\n", []),
        (b"port 80, port 99999", []),
        (b"", []),
    ],
)
def test_ports_are_found_in_the_output(printed: bytes, ports: list[int]) -> None:
    assert find_ports(printed) == ports
