"""Events with impossible values are refused, with the event number; unknown values are ignored."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.match.encoding import VERSION
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import JournalError, read_journal
from quoridor_net.tournament.encoding import MAX_NUMBER
from quoridor_net.tournament.journal.schema import create_tables
from quoridor_net.tournament.journal.writing import checksum_of

WON = Result(1, Termination.NO_MOVES, "ann wins: bob has no move.", 1)

RECORDS: tuple[dict[str, Any], ...] = (
    {
        "event": "tournament_started", "time": "", "version": VERSION, "rules": "clobber",
        "entrants": ["ann", "bob"], "addresses": [], "settings": {"columns": 10, "move_time": 30.0},
    },
    {"event": "round_paired", "time": "", "round": 1, "games": [[1, 0, 1, 2], [2, 0, 2, 1]], "byes": []},
    {"event": "game_started", "time": "", "game": 1},
    {"event": "move_made", "time": "", "game": 1, "player": 1, "move": "a1b1", "ply": 1, "seconds": 0.25},
    {
        "event": "game_ended", "time": "", "game": 1, "winner": 1, "termination": "no_moves",
        "sentence": WON.sentence, "plies": 1, "line": "",
    },
)  # fmt: skip
LINES = tuple(map(json.dumps, RECORDS))


def journal(path: Path, lines: Iterable[str]) -> Path:
    """Write a journal with these events and valid checksums."""
    with closing(sqlite3.connect(path)) as connection:
        create_tables(connection)
        with connection:
            for number, (line, record) in enumerate(zip(lines, RECORDS, strict=False), 1):
                row = (number, "", record["event"], record.get("game"), line, checksum_of(number, line))
                connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", row)
    return path


def test_unknown_values_are_ignored(tmp_path: Path) -> None:
    path = journal(tmp_path / "a.db", (json.dumps(record | {"spectators": 3}) for record in RECORDS))
    assert read_journal(path).decided == {1: WON}


def test_the_largest_number_is_read(tmp_path: Path) -> None:
    last = RECORDS[4] | {"plies": MAX_NUMBER}
    path = journal(tmp_path / "a.db", [*LINES[:4], json.dumps(last)])
    assert read_journal(path).decided[1].plies == MAX_NUMBER


@pytest.mark.parametrize(
    ("number", "changes", "reason"),
    [
        (1, {"version": 1}, f"is a journal of version 1, but this program reads version {VERSION}:"),
        (1, {"version": 3}, f"is a journal of version 3, but this program reads version {VERSION}:"),
        (1, {"version": 99}, "use the program that wrote it"),
        (1, {"version": True}, "version is missing, out of range or not an integer"),
        (1, {"entrants": ["ann"]}, "entrants has fewer than two names"),
        (1, {"entrants": ["ann", "ann"]}, "or one twice"),
        (1, {"entrants": ["ann", ""]}, "the name of an entrant is empty or not printable"),
        (1, {"entrants": ["ann", "\x1b[2J"]}, "the name of an entrant is empty or not printable"),
        (1, {"entrants": ["ann", "b\u202eob"]}, "the name of an entrant is empty or not printable"),
        (1, {"entrants": ["ann", ["bob"]]}, "the name of an entrant is empty or not printable"),
        (1, {"entrants": "ann"}, "entrants is missing or not a list"),
        (1, {"rules": 1}, "rules is missing or not a string"),
        (1, {"settings": []}, "settings is missing or not a JSON object"),
        (1, {"settings": {"columns": [10]}}, "a setting is not a string"),
        (1, {"settings": {"move_time": float("inf")}}, "Infinity is not a number"),
        (2, {"games": 3}, "games is missing or not a list"),
        (2, {"games": [[]]}, "a game is not a number, a pair and at least two entrants"),
        (2, {"games": [[1, 0, 1]]}, "a game is not a number, a pair and at least two entrants"),
        (2, {"games": [[1, 0, 1, 1]]}, "game 1 has an entrant twice"),
        (2, {"games": [[1, 0, 1, True]]}, "an entrant is not given by its number"),
        (2, {"round": 0}, "round is missing, out of range"),
        (3, {"game": "1"}, "game is missing, out of range or not an integer"),
        (3, {"game": 10**4000}, "game is missing, out of range"),
        (3, {"event": 3}, "event is missing or not a string"),
        (4, {"seconds": float("nan")}, "NaN is not a number"),
        (4, {"player": None}, "player is missing, out of range"),
        (5, {"winner": 0}, "winner is missing, out of range"),
        (5, {"winner": True}, "winner is missing, out of range"),
        (5, {"winner": float("-inf")}, "-Infinity is not a number"),
        (5, {"termination": "boredom"}, "the termination 'boredom' is unknown"),
        (5, {"termination": []}, "termination is missing or not a string"),
        (5, {"plies": MAX_NUMBER + 1}, "plies is missing, out of range or not an integer"),
        (5, {"plies": 1.5}, "plies is missing, out of range or not an integer"),
        (5, {"line": None}, "line is missing or not a string"),
        (5, {"times": 3}, "times is missing or not a list"),
        (5, {"times": [[1, 0.5]]}, "times lacks a number of moves and two durations for each player"),
        (5, {"times": [[1, 0.25, 0.5]]}, "times lacks a number of moves and two durations for each player"),
        (5, {"times": [[1, 10**4000, 0]]}, "times lacks a number of moves and two durations"),
        (5, {"times": [[-1, 0.5, 0.5]]}, "times lacks a number of moves and two durations"),
        (5, {"event": "exploded"}, "the event 'exploded' is unknown"),
    ],
)
def test_impossible_values_are_refused(
    number: int, changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    lines = [*LINES[: number - 1], json.dumps(RECORDS[number - 1] | changes)]
    check_refused(journal(tmp_path / "a.db", lines), number, reason)


def test_a_result_needs_its_winner(tmp_path: Path) -> None:
    ended = {name: value for name, value in RECORDS[4].items() if name != "winner"}
    check_refused(journal(tmp_path / "a.db", [*LINES[:4], json.dumps(ended)]), 5, "winner is missing")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("garbage", "it is not JSON"),
        ("", "it is not JSON"),
        ("[]", "it is not a JSON object"),
        ('{"event": "game_started", "time": "", "game": 1, "game": 2}', "a key occurs twice"),
        ('{"event": "game_started", "time": "", "game": 1' + "0" * 5000 + "}", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
    ],
)
def test_an_event_that_is_not_an_object_is_refused(line: str, reason: str, tmp_path: Path) -> None:
    check_refused(journal(tmp_path / "a.db", [*LINES[:2], line, *LINES[3:]]), 3, reason)


def check_refused(path: Path, number: int, reason: str) -> None:
    """Check that a journal is refused in one short line with the event and the reason."""
    with pytest.raises(JournalError) as error:
        read_journal(path)
    assert reason in str(error.value)
    assert len(str(error.value)) < 300 + len(str(path))
    assert f", event {number} is damaged" in str(error.value) or "version" in reason or "wrote it" in reason
