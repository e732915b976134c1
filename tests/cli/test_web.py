"""The option ``--web``: mistakes are reported in one line, before anything starts."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from client.command import main as display
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.play import play
from quoridor_net.cli.replay import show
from quoridor_net.cli.tournament.run import run
from server.command import main as serve
from tests.docs.pages import DOCS

GAME = str(DOCS / "pictures" / "game.qtp")
SERVERS = ("localhost:1", "localhost:2")


def run_refused(command: click.Command, *words: str) -> tuple[int, str]:
    """Return the exit status of a command, and the line with the reason."""
    done = CliRunner().invoke(command, words)
    assert isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stderr.strip().splitlines()[-1]


@pytest.fixture
def busy_address() -> Iterator[str]:
    """Yield an address that is in use."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield f"127.0.0.1:{other.getsockname()[1]}"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (display, SERVERS),
        (serve, ("--port", "0", "--player", "web")),
        (play, ()),
        (show, (GAME,)),
        (run, ("FILE", "simple", "random")),
    ],
    ids=["display", "serve", "play", "replay", "tournament"],
)
def test_a_port_in_use_is_named(
    command: click.Command, words: tuple[str, ...], busy_address: str, tmp_path: Path
) -> None:
    words = tuple(str(tmp_path / "t.db") if word == "FILE" else word for word in words)
    status, line = run_refused(command, *words, "--web", busy_address)
    assert status == ExitStatus.CANNOT_BEGIN
    host, port = busy_address.split(":")
    assert line.startswith(f"Error: --web cannot listen on {host}, port {port}: ")
    assert line.endswith(f"Choose another: --web {host}:{int(port) % 65535 + 1}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "words", "line"),
    [
        (display, (*SERVERS, "--web", "8000"), "write HOST:PORT, as in localhost:8000."),
        (display, (*SERVERS, "--web", "localhost:70000"), "a port is a number from 0 to 65535."),
        (
            display,
            ("--web", *SERVERS),
            "not 1. --web takes the next HOST:PORT as its own address, so put --web last.",
        ),
        (
            serve,
            ("--port", "0", "--player", "simple", "--web", "localhost:0"),
            "--web needs --player web. To watch a game, use --web of quoridor display.",
        ),
        (
            play,
            ("simple", "random", "--web", "localhost:0"),
            "Remove ENTRANTs, --quiet, --json and --save.",
        ),
        (run, ("t.db", "simple", "random", "--gather"), "--gather needs --web"),
    ],
)
def test_wrong_usage_is_explained(command: click.Command, words: tuple[str, ...], line: str) -> None:
    status, said = run_refused(command, *words)
    assert status == ExitStatus.USAGE
    assert line in said


def test_an_address_of_another_machine_is_refused() -> None:
    # This address is reserved for documentation (RFC 5737).
    status, line = run_refused(display, *SERVERS, "--web", "192.0.2.1:8000")
    assert status == ExitStatus.CANNOT_BEGIN
    assert line.endswith("Give an address of this machine, as in --web localhost:8000")
