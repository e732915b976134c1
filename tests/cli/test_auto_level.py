"""The level that follows a person's results from game to game."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoridor_net.cli.auto_level import follow_result, read_level
from quoridor_net.outcome import Result, Termination

PERSON, ENGINE = 1, 2


@pytest.fixture(autouse=True)
def record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Keep the level in a folder that does not exist yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "quoridor-net" / "level"


def end(winner: int | None) -> Result:
    termination = Termination.PLY_LIMIT if winner is None else Termination.GOAL
    return Result(winner, termination, "The game is over.", 40)


def test_the_first_game_is_at_the_usual_level() -> None:
    assert read_level() == 4


@pytest.mark.parametrize(
    ("level", "winner", "following", "sentence"),
    [
        (4, PERSON, 5, "Your next game with --level auto is one level higher: 5."),
        (4, ENGINE, 3, "Your next game with --level auto is one level lower: 3."),
        (4, None, 4, "Your next game with --level auto is at level 4 again."),
        (10, PERSON, 10, "Your next game with --level auto is at level 10 again."),
        (1, ENGINE, 1, "Your next game with --level auto is at level 1 again."),
    ],
)
def test_a_result_decides_the_next_level(
    level: int, winner: int | None, following: int, sentence: str
) -> None:
    assert follow_result(level, PERSON, end(winner)) == sentence
    assert read_level() == following


@pytest.mark.parametrize("content", [b"", b"11", b"0", b"four", b"\xff", b"5 6"])
def test_a_damaged_record_counts_as_none(content: bytes, record: Path) -> None:
    record.parent.mkdir(parents=True)
    record.write_bytes(content)
    assert read_level() == 4


def test_a_level_that_cannot_be_recorded_is_reported_with_a_way_out(record: Path) -> None:
    record.mkdir(parents=True)
    told = follow_result(4, PERSON, end(PERSON))
    assert told == (
        f"The level of your next game cannot be recorded: {record}: Is a directory. Use --level 5 then."
    )
    assert read_level() == 4


def test_without_a_home_folder_every_game_begins_at_the_usual_level(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("quoridor_net.cli.auto_level.find_state_folder", find_no_home)
    assert read_level() == 4
    told = follow_result(5, PERSON, end(ENGINE))
    assert told.startswith("The level of your next game cannot be recorded: no home folder: ")
