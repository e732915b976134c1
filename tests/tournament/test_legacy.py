"""Journals of earlier versions, lines of JSON, are read; a crash may have cut them; damage is reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import JournalError, read_journal
from tests.support.tournament_events import sealed

WON = Result(1, Termination.NO_MOVES, "ann wins: bob has no move.", 1)
FORFEIT = Result(2, Termination.UNPARSABLE_MOVE, "ann wins: bob sent junk.", 0, "\\xe9")


def started(game: int) -> dict[str, Any]:
    """Return the start of a game of Clobber."""
    about = {"names": ["ann", "bob"], "columns": 2, "rows": 1, "position": "xo b", "move_time": 30.0}
    return {"event": "game_started", "time": "", "game": game, "version": 3, **about, "ply_limit": 1000}


def ended(game: int, result: Result) -> dict[str, Any]:
    """Return the end of a game."""
    told: dict[str, Any] = {
        "winner": result.winner,
        "termination": str(result.termination),
        "sentence": result.sentence,
    }
    told |= {"plies": result.plies, "line": result.line, "names": ["ann", "bob"], "position": ".x w"}
    return {"event": "game_ended", "time": "", "game": game, **told}


RECORDS: tuple[dict[str, Any], ...] = (
    {
        "event": "tournament_started",
        "time": "2026-03-15T13:02:10.000+00:00",
        "version": 3,
        "rules": "clobber",
        "entrants": ["ann", "bob"],
        "settings": {"columns": 10, "rows": 10, "move_time": 30.0, "rows_first": False},
        "pairings": [[1, 1, 2], [2, 2, 1]],
    },
    started(1),
    {"event": "move_made", "time": "", "game": 1, "player": 1, "move": "a1b1", "ply": 1, "seconds": 0.25},
    ended(1, WON),
    started(2),
    {"event": "tournament_resumed", "time": ""},
    started(2),
    ended(2, FORFEIT),
    {"event": "tournament_ended", "time": ""},
)
LINES = tuple(map(sealed, RECORDS))


def written(path: Path, lines: bytes | bytearray) -> Path:
    """Return a journal of these lines."""
    path.write_bytes(lines)
    return path


def test_everything_is_read(tmp_path: Path) -> None:
    state = read_journal(written(tmp_path / "journal.jsonl", b"".join(LINES)))
    assert (state.rules, state.entrants, state.rounds) == ("clobber", ("ann", "bob"), 2)
    assert [state.pairing(game).seats for game in (1, 2)] == [(1, 2), (2, 1)]
    assert state.decided == {1: WON, 2: FORFEIT}
    assert state.is_over


def test_a_crash_at_any_byte_loses_one_line_at_most(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = b"".join(LINES)
    for length in range(len(LINES[0]), len(whole)):
        # A line that lacks only its line feed is whole.
        survived = whole[: length + 1].count(b"\n")
        decided = read_journal(written(path, whole[:length])).decided
        results = [record["game"] for record in RECORDS[:survived] if record["event"] == "game_ended"]
        assert list(decided) == results


def test_no_flipped_bit_changes_anything_silently(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = b"".join(LINES)
    state = read_journal(written(path, whole))
    unnoticed = []
    # The first byte says what kind of file it is.
    for bit in range(8, 8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            read = read_journal(written(path, flipped))
        except JournalError:
            continue
        assert vars(read) == vars(state)
        unnoticed.append(bit)
    assert not unnoticed


def test_a_line_without_a_checksum(tmp_path: Path) -> None:
    path = written(
        tmp_path / "journal.jsonl", b"".join(LINES[:2]) + b'{"event": "tournament_resumed", "time": ""}\n'
    )
    with pytest.raises(JournalError, match=r"line 3 is damaged.*it has no checksum"):
        read_journal(path)


@pytest.mark.parametrize("version", [1, 2])
def test_journals_of_the_first_versions_are_refused(version: int, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    old = {"event": "opened", "time": "", "format": version, "game": "clobber", "entrants": ["ann", "bob"]}
    path.write_bytes(sealed(old) if version == 2 else json.dumps(old).encode() + b"\n")
    with pytest.raises(JournalError) as error:
        read_journal(path)
    assert str(error.value) == (
        f"{path} is a journal of version {version}, and this program reads version 4:"
        " use the program that wrote it"
    )


def test_unknown_values_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = [sealed(record | {"spectators": 3}) for record in RECORDS]
    path.write_bytes(b"".join(lines))
    assert read_journal(path).decided == {1: WON, 2: FORFEIT}


@pytest.mark.parametrize(
    ("number", "changes", "reason"),
    [
        (0, {"version": 99}, "is a journal of version 99, and this program reads version 4"),
        (0, {"version": True}, "version is missing, out of range or not a whole number"),
        (0, {"entrants": ["ann"]}, "entrants names fewer than two"),
        (0, {"entrants": ["ann", "ann"]}, "or one twice"),
        (0, {"entrants": ["ann", ""]}, "the name of an entrant is empty or cannot be shown"),
        (0, {"entrants": ["ann", "\x1b[2J"]}, "the name of an entrant is empty or cannot be shown"),
        (0, {"entrants": ["ann", "b\u202eob"]}, "the name of an entrant is empty or cannot be shown"),
        (0, {"entrants": ["ann", ["bob"]]}, "the name of an entrant is empty or cannot be shown"),
        (0, {"entrants": "ann"}, "entrants is missing or not a list"),
        (0, {"pairings": 3}, "pairings is missing or not a list of games"),
        (0, {"pairings": [[]]}, "pairings is missing or not a list of games"),
        (0, {"pairings": [[[1], 1, 2]]}, "pairings is missing or not a list of games"),
        (0, {"pairings": [[1, 1]]}, "one of games is not a number, a pair and at least two entrants"),
        (0, {"pairings": [[1, 1, 1]]}, "game 1 has an entrant twice"),
        (0, {"pairings": [[1, 1, True]]}, "entrants are given otherwise than by their numbers"),
        (0, {"pairings": [[0, 1, 2]]}, "round is missing, out of range"),
        (0, {"rules": 1}, "rules is missing or not text"),
        (0, {"settings": []}, "settings is missing or not a JSON object"),
        (0, {"settings": {"columns": [10]}}, "a setting is neither text, number"),
        (0, {"settings": {"move_time": float("inf")}}, "Infinity is not a number"),
        (1, {"game": "1"}, "game is missing, out of range or not a whole number"),
        (1, {"game": 10**4000}, "game is missing, out of range"),
        (1, {"event": 3}, "event is missing or not text"),
        (2, {"seconds": float("nan")}, "NaN is not a number"),
        (2, {"player": None}, "player is missing, out of range"),
        (3, {"winner": 0}, "winner is missing, out of range"),
        (3, {"winner": True}, "winner is missing, out of range"),
        (3, {"winner": float("-inf")}, "-Infinity is not a number"),
        (3, {"termination": "boredom"}, "the termination 'boredom' is unknown"),
        (3, {"termination": []}, "termination is missing or not text"),
        (3, {"plies": 1.5}, "plies is missing, out of range or not a whole number"),
        (3, {"line": None}, "line is missing or not text"),
        (3, {"event": "exploded"}, "the event 'exploded' is unknown"),
    ],
)
def test_values_that_cannot_be(number: int, changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = [dict(record) for record in RECORDS]
    lines[number] |= changes
    path.write_bytes(b"".join(map(sealed, lines[: number + 1])))
    with pytest.raises(JournalError) as error:
        read_journal(path)
    assert reason in str(error.value)
    assert len(str(error.value)) < 300
    if "version 99" not in reason:
        assert f"line {number + 1} is damaged" in str(error.value)


def test_a_result_needs_its_winner(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = [dict(record) for record in RECORDS]
    del lines[3]["winner"]
    path.write_bytes(b"".join(map(sealed, lines)))
    with pytest.raises(JournalError, match=r"line 4 is damaged.*winner is missing"):
        read_journal(path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"garbage", "it is not JSON"),
        (b"", "it is not JSON"),
        (b"[]", "it is not a JSON object"),
        (b"{}", "it has no checksum"),
        (b'{"event": "game_started", "time": "", "game": 1, "game": 2}', "a name occurs twice"),
        (b'{"event": "game_started", "time": "", "game": 1' + b"0" * 5000 + b"}", "it is not JSON"),
        (b"\xff", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
    ],
)
def test_a_damaged_line_is_named(line: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = b"".join(LINES[:3])
    for more in (b"", sealed({"event": "tournament_ended", "time": ""})):
        path.write_bytes(whole + line + b"\n" + more)
        with pytest.raises(JournalError, match="line 4 is damaged") as error:
            read_journal(path)
        assert reason in str(error.value)
