"""The command line of the display client: usage errors, order of players."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from client.command import compiling, in_player_order, main
from quoridor_net.net.endpoint import Endpoint


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_exactly_two_or_exactly_four_servers(count: int) -> None:
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
def test_wrong_usage(options: list[str]) -> None:
    result = CliRunner().invoke(main, options)
    assert result.exit_code == 2
    assert result.output.count("Error: ") == 1
    assert "Traceback" not in result.output


def test_one_file_cannot_be_both_recording_and_log(tmp_path: Path) -> None:
    options = ["--save", str(tmp_path / "x"), "--log", str(tmp_path / "." / "x")]
    result = CliRunner().invoke(main, ["a:1", "b:2", *options])
    assert (result.exit_code, "need different files" in result.output) == (2, True)


def test_clockwise_gives_the_servers_in_order_of_play() -> None:
    """Section "Initial Contacted": the order of play is clockwise from player 1: 1, 4, 2, 3."""
    first, second, third, fourth = (Endpoint("host", number) for number in (1, 2, 3, 4))
    assert in_player_order([first, second, third, fourth]) == (first, third, fourth, second)
    assert in_player_order([first, second]) == (first, second)


def test_how_far_the_engine_is_compiled_is_known_until_one_is_ready(tmp_path: Path) -> None:
    news = tmp_path / "news"
    shown = []
    for line in ("", "engine: compiling 1 of 4: this", "engine: waiting", "WARNING: that", "engine: ready"):
        with news.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        shown.append(compiling(news))
    assert shown == ["", *["engine: compiling 1 of 4: this"] * 3, ""]
    # A server is in the middle of writing a character.
    news.write_bytes("engine: compiling 2 of 4: é".encode()[:-1])
    assert compiling(news).startswith("engine: compiling 2 of 4: ")


def test_what_servers_say_in_another_encoding_ends_no_game(tmp_path: Path) -> None:
    news = tmp_path / "news"
    news.write_bytes("engine: compiling 1 of 4: this\nZugriff verweigert f\u00fcr C:\n".encode("cp1252"))
    assert compiling(news) == "engine: compiling 1 of 4: this"
