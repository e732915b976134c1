"""The command line of the Clobber client."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Sequence
from functools import partial

import pytest
import trio
import trio.testing
from click.testing import CliRunner, Result

from client.clobber.command import main
from client.clobber.session import ClosingReason
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.clobber.engine import ClobberEngine, ClobberLimits
from quoridor_net.match.encoding import VERSION
from quoridor_net.players.engine import CLOBBER_MOVE_TIME
from quoridor_net.players.simple import MobilityPlayer
from quoridor_net.testing.clobber_clients import lines_of
from quoridor_net.ui import console
from tests.support.loopback import HOST, reserve_port


def test_an_unreachable_server_is_reported_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_for_minutes(*_: object) -> None:
        raise AssertionError("the server is not reached yet")

    monkeypatch.setattr(ClobberEngine, "warm_up", compile_for_minutes)
    with reserve_port() as port:
        result = CliRunner().invoke(main, [f"{HOST}:{port}", "--connect-time", "0.01"])
    assert result.exit_code == ExitStatus.CANNOT_BEGIN
    assert result.stdout == ""
    assert result.stderr == f"Error: {HOST}:{port} cannot be reached: Connection refused.\n"


#: The answers of a server of two games to each line of the client. On a board of two squares, black wins
#: with its first move.
TWO_GAMES = (b"1 2 1\n", b"1 2 0\na 1 a 2\n")


def play(
    monkeypatch: pytest.MonkeyPatch, *options: str, answers: Sequence[bytes] = TWO_GAMES
) -> tuple[Result, list[str]]:
    """Run the client against a server; return its result and the lines that it sent."""
    sent: list[str] = []

    async def serve(stream: trio.abc.HalfCloseableStream) -> None:
        lines = lines_of(stream)
        for answer in answers:
            sent.append((await anext(lines)).decode())
            await stream.send_all(answer)
        await stream.send_eof()

    async def connect(*_: object) -> trio.abc.Stream:
        here, there = trio.testing.memory_stream_pair()
        trio.lowlevel.spawn_system_task(serve, here)
        await trio.lowlevel.checkpoint()
        return there

    monkeypatch.setattr("client.clobber.command.connect", connect)
    return CliRunner().invoke(main, [f"{HOST}:1", *options]), sent


def test_the_games_of_a_tournament_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    done, sent = play(monkeypatch, "--player", "mobility", "--name", "bob")
    assert (done.exit_code, done.stderr) == (ExitStatus.DONE, "")
    assert sent == ["play clobber bob", "a 1 a 2"]
    assert done.stdout.splitlines() == [
        "game 1: black on 1x2",
        "game 1: won, the opponent has no move",
        "game 2: white on 1x2",
        "game 2: lost, you have no move",
        "2 games: 1 won, 1 lost.",
    ]


def test_the_games_of_a_tournament_can_be_read_by_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    done, sent = play(monkeypatch, "--player", "random", "--json")
    assert (done.exit_code, done.stderr) == (ExitStatus.DONE, "")
    assert sent == ["play clobber random", "a 1 a 2"]
    events = [json.loads(line) for line in done.stdout.splitlines()]
    board = {"version": VERSION, "columns": 1, "rows": 2, "position": "o/x b"}
    move = {"event": "move_made", "player": 1, "move": "a1a2", "ply": 1, "position": "x/. w"}
    ended = {"event": "game_ended", "winner": 1}
    assert events == [
        {"event": "game_started", "game": 1, "player": 1, **board},
        {"game": 1, **move},
        {"game": 1, **ended, "outcome": "won", "sentence": "the opponent has no move"},
        {"event": "game_started", "game": 2, "player": 2, **board},
        {"game": 2, **move},
        {"game": 2, **ended, "outcome": "lost", "sentence": "you have no move"},
    ]


def test_a_quiet_client_prints_its_total_only(monkeypatch: pytest.MonkeyPatch) -> None:
    done, _ = play(monkeypatch, "--player", "random", "--quiet")
    assert done.stdout == "2 games: 1 won, 1 lost.\n"


@pytest.mark.parametrize(
    ("answers", "status", "out", "error"),
    [
        ([b"error\n"], ExitStatus.CANNOT_BEGIN, "", ClosingReason.REFUSED),
        ([b""], ExitStatus.CANNOT_BEGIN, "", ClosingReason.UNPLAYED),
        ([b"4 4 0\n"], ExitStatus.ABORTED, "1 game: 1 broken off.\n", ClosingReason.BROKEN),
    ],
)
def test_an_early_end_is_explained(
    answers: Sequence[bytes], status: int, out: str, error: ClosingReason, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, _ = play(monkeypatch, "--player", "random", "--quiet", answers=answers)
    assert (done.exit_code, done.stdout, done.stderr) == (status, out, f"Error: {error.value}.\n")


def test_an_interrupted_client_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def interrupt(_work: object) -> None:
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr("client.clobber.command.until_signal", interrupt)
    done, _ = play(monkeypatch, "--player", "random")
    assert (done.exit_code, done.stdout, done.stderr) == (ExitStatus.ABORTED, "", "Aborted.\n")


def test_the_console_of_a_person_shows_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    shown = io.StringIO()
    monkeypatch.setattr(console, "Console", partial(console.Console, reader, shown))
    try:
        os.write(writer, b"a1a2\n")
        done, sent = play(monkeypatch, "--player", "human")
    finally:
        os.close(reader)
        os.close(writer)
    assert (done.exit_code, sent) == (ExitStatus.DONE, ["play clobber human", "a 1 a 2"])
    assert done.stdout == "2 games: 1 won, 1 lost.\n"
    assert "Game 2: the game is over: you lose, you have no move." in shown.getvalue()


@pytest.mark.parametrize(("options", "seconds"), [([], CLOBBER_MOVE_TIME), (["--think", "0.5"], 0.5)])
def test_the_engine_gets_its_thinking_time(
    options: list[str], seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[ClobberLimits] = []

    class Instant(MobilityPlayer):
        def __init__(self, seed: int | None, given: ClobberLimits, report: object) -> None:
            super().__init__(seed)
            limits.append(given)

        def start(self) -> None:
            """Compile nothing."""

    monkeypatch.setattr("quoridor_net.players.engine.ClobberEnginePlayer", Instant)
    done, sent = play(monkeypatch, *options)
    assert (done.exit_code, sent) == (ExitStatus.DONE, ["play clobber engine", "a 1 a 2"])
    assert [each.seconds for each in limits] == [seconds]
