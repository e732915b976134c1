"""The command line of the move server."""

from __future__ import annotations

import re
import socket
from typing import Any

import pytest
from click.testing import CliRunner

from quoridor_net.cli.exit_status import ExitStatus
from server import command
from server.command import main
from server.session import IDLE_TIME, ServerSettings


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--port", "x"],
        ["--port", "65536"],
        ["--port", "0", "--name", "two words"],
        ["--port", "0", "--name", ""],
        ["--port", "0", "--name", "n\x07me"],
        ["--port", "0", "--name", "x" * 201],
        ["--port", "0", "--player", "nobody"],
        ["--port", "0", "--host", " "],
        ["--port", "0", "--player", "engine", "--think", "nan"],
        ["--port", "0", "--concurrency", "0"],
        ["--port", "0", "--idle-time", "0"],
        ["--port", "0", "--log", __file__],
    ],
)
def test_wrong_usage_is_explained(options: list[str]) -> None:
    result = CliRunner().invoke(main, options)
    assert result.exit_code == 2
    assert result.output.count("Error: ") == 1


def test_a_port_in_use_is_explained() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["--port", str(port), "--host", "127.0.0.1"])
    assert result.exit_code == ExitStatus.CANNOT_BEGIN
    assert f"cannot listen on 127.0.0.1, port {port}" in result.output
    assert "Choose another with --port" in result.output


def test_an_address_of_another_machine_is_explained() -> None:
    result = CliRunner().invoke(main, ["--port", "0", "--host", "no-such-host.invalid"])
    assert result.exit_code == ExitStatus.CANNOT_BEGIN
    assert result.output.startswith("Error: cannot listen on no-such-host.invalid")


@pytest.mark.parametrize(
    ("options", "games", "once", "idle_time"),
    [
        ([], 100, False, IDLE_TIME),
        (["--concurrency", "7", "--once", "--idle-time", "90"], 7, True, 90.0),
    ],
)
def test_settings_reach_the_server(
    options: list[str], games: int, once: bool, idle_time: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[ServerSettings] = []

    async def note(settings: ServerSettings, *_others: object) -> int:
        seen.append(settings)
        return 0

    monkeypatch.setattr(command, "_serve", note)
    assert CliRunner().invoke(main, ["--port", "0", "--player", "simple", *options]).exit_code == 0
    assert [(each.games, each.once, each.idle_time) for each in seen] == [(games, once, idle_time)]


@pytest.mark.parametrize(
    ("options", "links"),
    [
        (["--player", "web", "--web", "localhost:0", "--concurrency", "2"], 2),
        (["--player", "simple"], 0),
    ],
)
def test_every_seat_in_a_browser_has_its_link(
    options: list[str], links: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[str] = set()

    async def note(*arguments: Any) -> int:
        seen.update(arguments[-1])
        return 0

    monkeypatch.setattr(command, "_serve", note)
    assert CliRunner().invoke(main, ["--port", "0", *options]).exit_code == 0
    assert len(seen) == links
    assert all(re.fullmatch(r"http://localhost:\d+/#/seat/\S+", link) for link in seen)
