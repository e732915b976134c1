"""The programs that ``quoridor demo`` starts."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import nullcontext
from typing import Any

import pytest
from click.testing import CliRunner, Result

from quoridor_net.advice import format_command
from quoridor_net.cli.demo import demo

#: Exit status of the display client.
STATUS = 4


class Program(nullcontext[Any]):
    """A move server or display client that runs nowhere."""

    started = 0
    first_line = "a server is ready on port {}\n"

    def __init__(self, _command: list[str], **_settings: Any) -> None:
        super().__init__(self)
        Program.started += 1
        self.stdout = io.StringIO(self.first_line.format(5000 + Program.started))
        self.is_terminated = False

    def terminate(self) -> None:
        self.is_terminated = True

    def wait(self) -> int:
        return STATUS


def play(monkeypatch: pytest.MonkeyPatch, *options: str) -> Result:
    monkeypatch.setattr(Program, "started", 0)
    monkeypatch.setattr(subprocess, "Popen", Program)
    return CliRunner().invoke(demo, options)


def serve(player: str, number: int, *options: str) -> str:
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--once", "--name", f"qnt:{player}-{number}")
    return f"$ {format_command(*words, *options)}"


def display(delay: str, *ports: int) -> str:
    servers = [f"localhost:{port}" for port in ports]
    return f"$ {format_command('display', *servers, '--delay', delay, '--ply-limit', '300')}"


def test_every_server_has_its_seed_and_the_client_their_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    done = play(monkeypatch, "--player", "random", "--seed", "7", "--delay", "1.5")
    assert done.exit_code == STATUS
    assert done.stdout.splitlines() == [
        serve("random", 1, "--seed", "8", "--player", "random"),
        serve("random", 2, "--seed", "9", "--player", "random"),
        display("1.5", 5001, 5002),
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], ["--think", "0.1"]),
        (["--seed", "0"], ["--seed", "1", "--nodes", "5000"]),
        (["--level", "3"], ["--level", "3", "--think", "0.1"]),
        (["--player", "engine:depth=2"], ["--depth", "2"]),
    ],
)
def test_the_engine_thinks_briefly_or_counts_positions(
    monkeypatch: pytest.MonkeyPatch, options: list[str], words: list[str]
) -> None:
    done = play(monkeypatch, "--players", "4", *options)
    lines = done.stdout.splitlines()
    assert lines[0] == serve("engine", 1, *words)
    assert lines[4:] == [display("0", 5001, 5002, 5003, 5004)]


def test_a_server_that_does_not_start_ends_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Program, "first_line", "")
    done = play(monkeypatch)
    assert done.exit_code == 1
    assert done.stderr == "Error: a move server did not start. Its message is above.\n"
    assert Program.started == 2


def test_the_message_of_a_server_that_does_not_start_is_shown_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Refusing(Program):
        first_line = ""

        def __init__(self, command: list[str], **settings: Any) -> None:
            super().__init__(command, **settings)
            print(f"Error: no address for {Program.started}.", file=settings["stderr"], flush=True)

    monkeypatch.setattr(Program, "started", 0)
    monkeypatch.setattr(subprocess, "Popen", Refusing)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(SystemExit):
        demo.main([])
    assert capsys.readouterr().err.splitlines() == [
        "Error: no address for 1.",
        "Error: no address for 2.",
        "Error: a move server did not start. Its message is above.",
    ]
