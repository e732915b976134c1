"""Journals that a tournament cannot go on from are refused in one line; a finished one is only shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from click.testing import Result as Invocation

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import (
    Event,
    Journal,
    Pairing,
    TournamentEnded,
    TournamentStarted,
    round_robin,
)
from server.clobber.command import main
from tests.support.tournament_events import ended, sealed, started

SETTINGS = {"columns": 4, "rows": 4, "move_time": 5.0, "rows_first": False}
WON = Result(1, Termination.NO_MOVES, "ann wins: bob has no move.", 1)
VOID = Result(None, Termination.ABORTED, "The game was aborted.", 0)


def resume(path: Path) -> Invocation:
    return CliRunner().invoke(main, ["--port", "0", "--resume", str(path)])


def write(path: Path, *events: Event) -> None:
    with Journal.create(path) as journal:
        for event in events:
            journal.append(event)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        SETTINGS | {"columns": 0},
        SETTINGS | {"columns": 27},
        SETTINGS | {"rows": 27},
        SETTINGS | {"rows": True},
        SETTINGS | {"columns": "4"},
        SETTINGS | {"columns": 4.0},
        SETTINGS | {"move_time": 0},
        SETTINGS | {"move_time": -1.0},
        SETTINGS | {"move_time": True},
        SETTINGS | {"move_time": "5"},
        SETTINGS | {"rows_first": 1},
    ],
)
def test_settings_that_are_not_those_of_clobber(settings: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, TournamentStarted("clobber", ("ann", "bob"), round_robin(2, 2), settings))
    before = path.read_bytes()
    result = resume(path)
    assert result.exit_code == 2
    assert "Error: that is not the journal of a Clobber tournament.\n" in result.output
    assert path.read_bytes() == before


def test_games_of_more_than_two(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, TournamentStarted("clobber", ("ann", "bob", "eve"), (Pairing(1, 1, (1, 2, 3)),), SETTINGS))
    result = resume(path)
    assert result.exit_code == 2
    assert "that is not the journal of a Clobber tournament." in result.output


def test_a_damaged_journal_is_named_in_a_whole_sentence(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, TournamentStarted("clobber", ("ann", "bob"), round_robin(2, 1), SETTINGS), TournamentEnded())
    result = resume(path)
    assert result.exit_code == 2
    assert result.output.endswith(
        "line 2 contradicts the lines before it: there are games without a result.\n"
    )
    record = json.loads(path.read_bytes().splitlines()[0])
    path.write_bytes(sealed(record | {"settings": SETTINGS | {"move_time": float("inf")}}))
    result = resume(path)
    assert result.exit_code == 2
    assert result.output.endswith("a tournament's journal: Infinity is not a number.\n")


@pytest.mark.parametrize(
    "last",
    [[ended(2, WON)], [ended(2, WON), TournamentEnded()], [ended(2, VOID), TournamentEnded()]],
)
def test_a_tournament_that_is_over_is_shown_and_not_changed(last: list[Event], tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    opened = TournamentStarted("clobber", ("ann", "bob"), round_robin(2, 2), SETTINGS)
    write(path, opened, started(1), ended(1, WON), started(2), *last)
    before = path.read_bytes()
    result = resume(path)
    assert result.exit_code == 0
    assert "S-B" in result.output
    assert path.read_bytes() == before
