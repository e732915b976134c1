"""The displays that write lines: plain, JSON, quiet."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from quoridor_net.clocks import GameClock
from quoridor_net.events import MoveTimes
from quoridor_net.match import (
    Event,
    GameEnded,
    GameStarted,
    MatchSettings,
    MoveMade,
    MoveRequested,
    PlayerOut,
    TurnPassed,
    play_match,
)
from quoridor_net.match.encoding import VERSION
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.output import Output
from quoridor_net.phrases import Translatable
from quoridor_net.players import Player
from quoridor_net.players.random import RandomPlayer
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Termination, Wall
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui import DisplayKind, open_display
from quoridor_net.ui.display import PlainDisplay


def story() -> list[Event]:
    """Return one event of each kind, as of a game of four."""
    position = Position(players=4)
    names = ("anna", "bob", "cyd", "a-name-longer-than-its-column")
    clocks = (GameClock(60, 1.5), GameClock(60, 1.5), None, GameClock(60, 1.5))
    started = GameStarted(names, position.copy(), 30.0, 1000, clocks, 90.0)
    events: list[Event] = [started, MoveRequested(1, 0, 60.0)]
    position.push(Step(Square(4, 1)))
    events.append(MoveMade(1, Step(Square(4, 1)), 1, 0.25, position.copy(), 60.0, 35))
    position.push(Wall(3, 7, Orientation.HORIZONTAL))
    events.append(MoveMade(4, Wall(3, 7, Orientation.HORIZONTAL), 2, 61.0, position.copy()))
    events.append(TurnPassed(2))
    position.eliminate(3)
    sentence = Translatable("answered with something that is not a move")
    fault = ForfeitError(Termination.UNPARSABLE_MOVE, sentence, "TESUJI 'e3'")
    events.append(PlayerOut(3, fault, position.copy(), ply=2))
    result = Result(None, Termination.ABORTED, "The game was aborted.", 2)
    times = (MoveTimes(1, 1 / 3, 1 / 3), MoveTimes(2, 2 / 3, 0.5), MoveTimes(), MoveTimes(1, 61.0, 61.0))
    return [*events, GameEnded(result, names, position.copy(), times)]


def test_plain_display_writes_a_line_for_each_event() -> None:
    file = io.StringIO()
    display = PlainDisplay(Output(file), BoardPicture.LAN)
    for event in story():
        display.listen(event)
    assert file.getvalue().split("\n") == [
        (
            "Game on 9x9, official jumps, 30 s a move, 1:30 for the first one, clocks 60+1.5 s, 60+1.5 s,"
            " none, 60+1.5 s: 1 anna (top to bottom),"
            " 4 a-name-longer-than-its-column (right to left), 2 bob (bottom to top), 3 cyd (left to right)"
        ),
        "   1 1 anna             (4, 1)       0.25 s    1:00 left  walls 5/5/5/5 to go 7/8/8/8",
        ("   2 4 a-name-longer-than-its-column [(3, 7), h]    1:01  walls 5/4/5/5 to go 8/8/9/8"),
        "   - 2 bob has no legal move and is passed over",
        (
            "   - 3 cyd is out [unparsable_move]: answered with something that is not a move;"
            " the answer was 'TESUJI 'e3''"
        ),
        "The game was aborted. [aborted, 2 moves]",
        "",
    ]


def test_plain_display_writes_the_notation_of_its_picture() -> None:
    file = io.StringIO()
    display = PlainDisplay(Output(file), BoardPicture.STANDARD)
    for event in story():
        display.listen(event)
    start, first, second, *_ = file.getvalue().split("\n")
    assert start.endswith(
        ": 1 anna (bottom to top), 4 a-name-longer-than-its-column (right to left),"
        " 2 bob (top to bottom), 3 cyd (left to right)"
    )
    assert first == "   1 1 anna             e2   0.25 s    1:00 left  walls 5/5/5/5 to go 7/8/8/8"
    assert second.startswith("   2 4 a-name-longer-than-its-column d8h    1:01  ")


async def test_quiet_writes_only_the_result() -> None:
    file = io.StringIO()
    async with open_display(DisplayKind.QUIET, file) as listener:
        for event in story():
            listener(event)
    assert file.getvalue() == "The game was aborted.\n"


async def test_json_display_writes_an_object_for_each_event() -> None:
    file = io.StringIO()
    async with open_display(DisplayKind.JSON, file) as listener:
        for event in story():
            listener(event)
    objects = [json.loads(line) for line in file.getvalue().splitlines()]
    names = ["anna", "bob", "cyd", "a-name-longer-than-its-column"]
    assert objects == [
        {
            "event": "game_started",
            "version": VERSION,
            "names": names,
            "size": 9,
            "jumps": "official",
            "owners": [],
            "position": " /  / e1 e9 a5 i5 / 5 5 5 5 / 1",
            "move_time": 30.0,
            "ply_limit": 1000,
            "clocks": [[60.0, 1.5], [60.0, 1.5], None, [60.0, 1.5]],
            "first_move_time": 90.0,
        },
        {"event": "move_requested", "player": 1, "ply": 0, "left": 60.0},
        {
            "event": "move_made",
            "player": 1,
            "move": "(4, 1)",
            "ply": 1,
            "seconds": 0.25,
            "left": 60.0,
            "score": 35,
            "position": " /  / e2 e9 a5 i5 / 5 5 5 5 / 4",
        },
        {
            "event": "move_made",
            "player": 4,
            "move": "[(3, 7), h]",
            "ply": 2,
            "seconds": 61.0,
            "left": None,
            "score": None,
            "position": "d8 /  / e2 e9 a5 i5 / 5 5 5 4 / 2",
        },
        {"event": "turn_passed", "player": 2},
        {
            "event": "player_out",
            "player": 3,
            "termination": "unparsable_move",
            "sentence": "answered with something that is not a move",
            "phrase": None,
            "line": "TESUJI 'e3'",
            "hint": "",
            "hint_phrase": None,
            "move": None,
            "ply": 2,
            "position": "d8 /  / e2 e9 - i5 / 5 5 0 4 / 2",
        },
        {
            "event": "game_ended",
            "winner": None,
            "termination": "aborted",
            "sentence": "The game was aborted.",
            "phrase": None,
            "plies": 2,
            "line": "",
            "names": names,
            "position": "d8 /  / e2 e9 - i5 / 5 5 0 4 / 2",
            "times": [[1, 0.333333, 0.333333], [2, 0.666667, 0.5], [0, 0.0, 0.0], [1, 61.0, 61.0]],
        },
    ]


@pytest.mark.parametrize("players", [2, 4])
async def test_a_game_can_be_read_back_from_its_json(players: int) -> None:
    file = io.StringIO()
    async with open_display(DisplayKind.JSON, file) as listener:
        seated: list[Player[Position, Move]] = [RandomPlayer(seed) for seed in range(players)]
        result = await play_match(seated, MatchSettings(), [listener])
    objects = [json.loads(line) for line in file.getvalue().splitlines()]
    moves = [each for each in objects if each["event"] == "move_made"]
    assert [each["ply"] for each in moves] == list(range(1, result.plies + 1))
    for each in objects:
        if "position" in each and each["event"] != "game_ended":
            assert Position.from_line(each["position"]).players == players
    assert objects[-1]["winner"] == result.winner


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        (DisplayKind.USUAL, "Game on 9x9"),
        (DisplayKind.JSON, '{"event": "game_started"'),
        (DisplayKind.QUIET, "The game was aborted."),
    ],
)
async def test_each_kind_of_display_works_without_a_terminal(kind: DisplayKind, first: str) -> None:
    file = io.StringIO()
    async with open_display(kind, file) as listener:
        for event in story():
            listener(event)
    assert file.getvalue().startswith(first)


def test_a_closed_pipe_does_not_end_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as file:
        output = Output(file)
        output.write_line("nobody reads this")
        output.write_line("nor this")
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_reported_once_and_does_not_end_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    with Path("/dev/full").open("w", encoding="ascii") as file:
        output = Output(file)
        output.write_line("there is no room for this")
        output.write_line("nor for this")
    assert capsys.readouterr().err == (
        "Error: cannot write the output: No space left on device. The game continues without it.\n"
    )
