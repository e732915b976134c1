"""The command line of the display client: usage errors, order of players."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner

from client.command import in_player_order, main, read_progress
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.phrases import Translatable
from quoridor_net.players.greeting import GreetingError
from quoridor_net.players.lan import LanPlayer
from tests.support.loopback import HOST, reserve_port


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_only_two_or_four_servers_are_accepted(count: int) -> None:
    """Section "Client": there must be exactly two or exactly four machine:port pairs."""
    result = CliRunner().invoke(main, [f"localhost:{5000 + n}" for n in range(count)])
    assert result.exit_code == 2
    assert f"Give exactly two or exactly four HOST:PORT pairs, not {count}." in result.output


@pytest.mark.parametrize(
    "options",
    [
        ["localhost", "localhost:1"],
        ["a:1", "b:2", "--move-time", "0"],
        ["a:1", "b:2", "--move-time", "nan"],
        ["a:1", "b:2", "--hello-time", "0"],
        ["a:1", "b:2", "--delay", "-1"],
        ["a:1", "b:2", "--gap", "inf"],
        ["a:1", "b:2", "--jumps", "sideways"],
        ["a:1", "b:2", "--ply-limit", "0"],
        ["a:1", "b:2", "--quiet", "--json"],
        ["a:1", "b:2", "--log", "no/such/folder/log"],
        ["a:1", "b:2", "--save", "no/such/folder/game"],
        ["a:1", "b:2", "--unknown"],
    ],
)
def test_wrong_usage_is_explained(options: list[str]) -> None:
    result = CliRunner().invoke(main, options)
    assert result.exit_code == 2
    assert result.output.count("Error: ") == 1
    assert "Traceback" not in result.output


def test_recording_and_log_need_different_files(tmp_path: Path) -> None:
    options = ["--save", str(tmp_path / "x"), "--log", str(tmp_path / "." / "x")]
    result = CliRunner().invoke(main, ["a:1", "b:2", *options])
    assert (result.exit_code, "need different files" in result.output) == (2, True)


def test_clockwise_gives_the_servers_in_order_of_play() -> None:
    """Section "Initial Contacted": the order of play is clockwise from player 1: 1, 4, 2, 3."""
    first, second, third, fourth = (Endpoint("host", number) for number in (1, 2, 3, 4))
    assert in_player_order([first, second, third, fourth]) == (first, third, fourth, second)
    assert in_player_order([first, second]) == (first, second)


@pytest.mark.parametrize(("options", "order"), [([], "1234"), (["--clockwise"], "1342")])
def test_servers_are_greeted_by_player_number(
    options: list[str], order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def greet(servers: Sequence[Endpoint], *_: object) -> list[LanPlayer]:
        await trio.lowlevel.checkpoint()
        raise GreetingError([(server, Translatable("hung up")) for server in servers])

    monkeypatch.setattr("client.command.greet_all", greet)
    result = CliRunner().invoke(main, [*(f"host:{number}" for number in range(1, 5)), *options])
    first, second, third, fourth = (f"host:{number}" for number in order)
    assert result.exit_code == ExitStatus.CANNOT_BEGIN
    assert result.stderr == (
        f"Error: {first}, {second}, {third} and {fourth} hung up. No game was started.\n"
    )


@pytest.mark.end_to_end
@pytest.mark.parametrize("is_json", [False, True])
def test_a_game_without_servers_is_explained(is_json: bool) -> None:
    with reserve_port() as one, reserve_port() as two:
        servers = [f"{HOST}:{one}", f"{HOST}:{two}"]
        options = ["--connect-time", "0.01", *(["--json"] if is_json else [])]
        result = CliRunner().invoke(main, [*servers, *options])
    assert result.exit_code == ExitStatus.CANNOT_BEGIN
    assert result.stderr.splitlines()[0] == (
        f"Error: {servers[0]} and {servers[1]} cannot be reached: Connection refused. No game was started."
    )
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["event"] for event in events] == (["not_greeted"] if is_json else [])
    assert all(len(event["reasons"]) == 2 for event in events)


def test_the_progress_of_the_compiler_is_shown_until_an_engine_is_ready(tmp_path: Path) -> None:
    news = tmp_path / "news"
    shown = []
    for line in ("", "engine: compiling 1 of 4: this", "engine: waiting", "WARNING: that", "engine: ready"):
        with news.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        shown.append(read_progress(news))
    assert shown == ["", *["engine: compiling 1 of 4: this"] * 3, ""]
    # A server is halfway through a character.
    news.write_bytes("engine: compiling 2 of 4: é".encode()[:-1])
    assert read_progress(news).startswith("engine: compiling 2 of 4: ")


def test_reports_in_another_encoding_are_read(tmp_path: Path) -> None:
    news = tmp_path / "news"
    news.write_bytes("engine: compiling 1 of 4: this\nZugriff verweigert f\u00fcr C:\n".encode("cp1252"))
    assert read_progress(news) == "engine: compiling 1 of 4: this"
