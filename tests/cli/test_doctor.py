"""``quoridor doctor`` describes this machine on one screen, and never fails itself."""

from __future__ import annotations

import shutil
import socket
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from quoridor_net.cli import doctor as module
from quoridor_net.cli.doctor import doctor
from quoridor_net.net import addresses
from tests.support.loopback import HOST


@pytest.fixture(autouse=True)
def healthy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Simulate a machine without problems, whatever the machine that runs the tests."""

    async def listen(_port: int) -> None:
        """Treat every port as free."""

    monkeypatch.setattr(module, "_listen_once", listen)
    monkeypatch.setattr(module, "_check_compiled", lambda: module.Diagnosis(module.Grade.FINE, "compiled"))
    monkeypatch.setattr(module, "own_addresses", lambda: ("192.0.2.7",))
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(doctor, words)


def row(result: Result, name: str) -> str:
    (found,) = [line for line in result.output.splitlines() if line[5:].startswith(name)]
    return found


def test_a_healthy_machine_is_ready() -> None:
    result = run()
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "Ready to play.")
    assert row(result, "Addresses").startswith("ok   Addresses     192.0.2.7, as ")
    assert row(result, "Port 5858") == "ok   Port 5858     available"
    assert metadata.version("quoridor-net") in row(result, "Versions")


@pytest.mark.parametrize(
    ("platform", "tool", "advice"),
    [
        ("linux", "/usr/bin/ss", "ss -ltnp 'sport = :5858'"),
        ("darwin", None, "lsof -i :5858"),
        ("win32", None, "netstat -ano | findstr :5858"),
    ],
)
def test_a_taken_port_is_a_problem_with_a_way_to_find_its_program(
    platform: str, tool: str | None, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def listen(_port: int) -> None:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(module, "_listen_once", listen)
    monkeypatch.setattr(shutil, "which", lambda _name: tool)
    monkeypatch.setattr(sys, "platform", platform)
    found = module._port(5858)
    assert (found.grade, found.what) == (module.Grade.PROBLEM, "not available: Address already in use")
    assert found.advice.endswith(f": {advice}")


class Usage(NamedTuple):
    free: int


def fail_to_answer(*_: object, **__: object) -> Any:
    raise RuntimeError("it\nis \x1b[31m broken " + "x" * 300)


#: Examinations, except those that the fixture replaces.
EXAMINATIONS = ["_python", "_versions", "_extras", "_terminal", "_disk"]


@pytest.mark.parametrize("name", EXAMINATIONS)
def test_an_examination_that_fails_is_a_problem_not_a_traceback(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, fail_to_answer)
    result = run()
    assert result.exit_code == 1
    assert "FAIL " in result.output
    assert "cannot be examined: RuntimeError: it is \\x1b[31m broken x..." in result.output
    assert result.output.splitlines()[-1].startswith("Not ready: ")


def test_everything_broken_fits_on_one_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in vars(module).copy():
        if name in {*EXAMINATIONS, "_check_compiled", "_port", "_addresses", "_firewall", "_open_files"}:
            monkeypatch.setattr(module, name, fail_to_answer)
    lines = run().output.splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) < 80


def test_a_port_in_use_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with socket.create_server((HOST, 0)) as taken:
        number = taken.getsockname()[1]
        result = run("--port", str(number))
    assert result.exit_code == 1
    assert row(result, f"Port {number}").startswith(f"FAIL Port {number}    not available: ")
    assert "Use another --port, or find the program there: " in result.output
    assert result.output.splitlines()[-1] == f"Not ready: Port {number}."


def test_a_machine_without_a_network_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "own_addresses", tuple)
    result = run()
    assert (result.exit_code, row(result, "Addresses")[:4]) == (0, "note")


def test_too_little_disk_space_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(100 * 2**20))
    result = run()
    assert result.exit_code == 1
    assert row(result, "Disk") == "FAIL Disk          100 MiB free in this folder"


def test_a_missing_library_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    version = metadata.version

    def absent(name: str) -> str:
        if name == "numba":
            raise metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(metadata, "version", absent)
    assert row(run(), "Versions") == "FAIL Versions      not installed: numba"


def test_missing_extras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "trio>=0.25",
        'none-such>=1; extra == "distributed"',
        'attrs; extra == "learn"',
        'pytest; extra == "dev"',
    ]
    monkeypatch.setattr(metadata, "requires", lambda _name: lines)
    result = run()
    assert row(result, "Extras") == "ok   Extras        with learn"
    assert " install '.[distributed]'\n" in result.output


def test_advice_on_extras_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    real = metadata.requires("quoridor-net") or []
    monkeypatch.setattr(metadata, "requires", lambda _name: ["none-such" + line for line in real])
    assert " install '.[distributed,learn]'\n" in run().output


@pytest.mark.parametrize("platform", ["win32", "darwin", "linux"])
def test_every_system_gets_advice_on_its_firewall(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    said = row(run("--port", "7001"), "Firewall")
    assert said.startswith("ok   Firewall      if others cannot connect: ")
    assert ("Python" in said) is (platform != "linux")


def test_a_small_terminal_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "19")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(module, "_is_terminal", lambda: True)
    result = run()
    assert row(result, "Terminal").startswith("note Terminal      40 columns, 19 lines, ")
    assert "The board needs 39 columns and 20 lines." in result.output


def test_an_ascii_terminal_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(module, "_is_terminal", lambda: True)
    result = CliRunner(charset="ascii").invoke(doctor)
    assert row(result, "Terminal").startswith("note Terminal      100 columns, 30 lines, ")
    assert "The board is drawn in ASCII; with UTF-8 it looks better." in result.output


def test_a_system_without_engine_programs_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "can_limit_programs", lambda: False)
    result = run()
    assert row(result, "Programs") == "note Programs      this system cannot run engine programs"
    assert "For referee and qtp:COMMAND use Linux, macOS or WSL." in result.output


def test_own_addresses_need_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoNetwork(socket.socket):
        def connect(self, _address: object) -> None:
            raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "socket", NoNetwork)
    assert addresses.own_addresses() == ()
    assert addresses.own_address() == socket.gethostname()
