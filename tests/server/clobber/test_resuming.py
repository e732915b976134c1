"""Journals that cannot be resumed are refused in one line; a finished one is only shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from click.testing import Result as Invocation

import server.clobber.command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import (
    Event,
    Pairing,
    RoundPaired,
    TournamentEnded,
    TournamentStarted,
)
from quoridor_net.tournament.formats import RoundRobin
from server.clobber.command import main
from tests.support.tournament_events import end_game, pair_all, start_game, write_journal

SETTINGS = {"columns": 4, "rows": 4, "move_time": 5.0, "rows_first": False, "games": 2}
WON = Result(1, Termination.NO_MOVES, "ann wins: bob has no move.", 1)


def resume(path: Path, *options: str) -> Invocation:
    return CliRunner().invoke(main, ["--port", "0", "--resume", str(path), *options])


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
        SETTINGS | {"games": 0},
        SETTINGS | {"games": True},
    ],
)
def test_settings_of_another_game_are_refused(settings: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write_journal(path, TournamentStarted("clobber", ("ann", "bob"), settings), *pair_all(RoundRobin(2), 2))
    before = path.read_bytes()
    result = resume(path)
    assert result.exit_code == 2
    assert "Error: the file is not the journal of a Clobber tournament.\n" in result.output
    assert path.read_bytes() == before


def test_games_of_more_than_two_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    three = RoundPaired(1, (Pairing(1, 1, (1, 2, 3)),))
    write_journal(path, TournamentStarted("clobber", ("ann", "bob", "eve"), SETTINGS), three)
    result = resume(path)
    assert result.exit_code == 2
    assert "the file is not the journal of a Clobber tournament." in result.output


def test_a_damaged_journal_is_named_in_a_whole_sentence(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    opened = TournamentStarted("clobber", ("ann", "bob"), SETTINGS)
    write_journal(path, opened, *pair_all(RoundRobin(1), 2), TournamentEnded())
    result = resume(path)
    assert result.exit_code == 2
    assert result.output.endswith(
        "event 3 contradicts the events before it: there are games without a result.\n"
    )


@pytest.mark.parametrize(
    "last",
    [[end_game(2, WON)], [end_game(2, WON), TournamentEnded()]],
)
def test_a_finished_tournament_is_shown_and_not_changed(last: list[Event], tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    opened = TournamentStarted("clobber", ("ann", "bob"), SETTINGS)
    write_journal(
        path, opened, *pair_all(RoundRobin(2), 2), start_game(1), end_game(1, WON), start_game(2), *last
    )
    before = path.read_bytes()
    result = resume(path)
    assert result.exit_code == 0
    assert "S-B" in result.output
    # With --json, the output is for programs.
    result = resume(path, "--json")
    assert (result.exit_code, result.output) == (0, "")
    assert path.read_bytes() == before


def test_an_unexpected_error_says_how_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_arguments: object) -> None:
        raise ValueError("a bug")

    path = tmp_path / "journal.db"
    write_journal(path, TournamentStarted("clobber", ("ann", "bob"), SETTINGS), *pair_all(RoundRobin(2), 2))
    monkeypatch.setattr(server.clobber.command, "_gather", fail)
    result = resume(path)
    assert result.exit_code == ExitStatus.ABORTED
    assert "Error: internal error: ValueError: a bug" in result.stderr
    assert result.stderr.endswith(f" clobber serve --port 0 --resume {path}\n")
