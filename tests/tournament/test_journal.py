"""The journal holds everything, survives a crash at any byte, and is refused when it is damaged."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import (
    Began,
    Event,
    Finished,
    Journal,
    JournalError,
    Played,
    StateError,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentState,
    read_journal,
    round_robin,
)

OPENED = TournamentStarted(
    "clobber", ("ann", "bob"), round_robin(2, 2), {"board": "10x10", "move_time": 30.0}
)
WON = Result(1, Termination.NO_MOVES, "ann wins: bob has no move.", 1)
FORFEIT = Result(2, Termination.UNPARSABLE_MOVE, "ann wins: bob sent “é”.", 0, "\\xe9")
EVENTS: tuple[Event, ...] = (
    OPENED,
    Began(1),
    Played(1, 1, 1, "a1b1", 0.25),
    Finished(1, WON),
    Began(2),
    TournamentResumed(),
    Began(2),
    Finished(2, FORFEIT),
    TournamentEnded(),
)


def write(path: Path, *events: Event) -> None:
    with Journal.create(path) as journal:
        for event in events:
            journal.append(event)


def test_everything_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    state = read_journal(path)
    assert state.plan == OPENED
    assert state.decided == {1: WON, 2: FORFEIT}
    assert state.is_over
    assert state.pending == ()


def test_lines_are_json_with_a_time_and_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal.create(path) as journal:
        for count, event in enumerate(EVENTS, 1):
            journal.append(event)
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            assert len(lines) == count
    assert all(line["time"].endswith("+00:00") for line in lines)
    assert lines[0]["entrants"] == ["ann", "bob"]
    assert lines[0]["pairings"] == [[1, 1, 2], [2, 2, 1]]
    played = {"event": "played", "game": 1, "ply": 1, "seat": 1, "move": "a1b1", "seconds": 0.25}
    assert lines[2] == {**played, "time": lines[2]["time"], "crc32": lines[2]["crc32"]}
    assert lines[0]["format"] == 2


def test_a_crash_at_any_byte_loses_one_line_at_most(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole)):
        path.write_bytes(whole[:length])
        journal, state = Journal.resume(path)
        with journal:
            # A line that lacks only its line feed is whole.
            survived = whole[: length + 1].count(b"\n")
            assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:survived])
            assert state.decided == TournamentState(EVENTS[:survived]).decided
            if not state.is_over:
                journal.append(TournamentResumed())
        assert len(read_journal(path).pending) == len(state.pending)


def test_games_that_were_going_on_are_pending() -> None:
    state = TournamentState(EVENTS[:5])
    assert list(state.moves) == [2]
    assert [pairing.number for pairing in state.pending] == [2]
    state.apply(TournamentResumed())
    assert state.moves == {}


def test_games_are_counted_from_1() -> None:
    with pytest.raises(StateError, match="there is no game 0"):
        TournamentState((OPENED, Began(0)))


def test_a_void_game_stays_pending_and_keeps_no_tournament_open() -> None:
    void = Result(None, Termination.ABORTED, "The game was aborted.", 0)
    state = TournamentState((OPENED, Began(1), Finished(1, void)))
    assert len(state.pending) == 2
    with pytest.raises(StateError, match="games without a result"):
        state.apply(TournamentEnded())
    for event in (Began(2), Finished(2, FORFEIT), TournamentEnded()):
        state.apply(event)
    assert state.is_over


@pytest.mark.parametrize(
    "events",
    [
        (Began(1),),
        (OPENED, OPENED),
        (OPENED, Began(3)),
        (OPENED, Finished(1, WON)),
        (OPENED, Played(1, 1, 1, "a1b1", 0.0)),
        (OPENED, Began(1), Finished(1, WON), Began(1)),
        (OPENED, Began(1), Played(1, 2, 1, "a1b1", 0.0)),
        (OPENED, Began(1), Played(1, 1, 3, "a1b1", 0.0)),
        (OPENED, Began(1), Finished(1, Result(3, Termination.GOAL, "Who?", 0))),
        (OPENED, TournamentEnded()),
        (OPENED, Began(1), Finished(1, WON), TournamentEnded()),
        (*EVENTS, Began(1)),
        (*EVENTS, TournamentResumed()),
    ],
)
def test_events_that_contradict_each_other(events: tuple[Event, ...], tmp_path: Path) -> None:
    with pytest.raises(StateError):
        TournamentState(events)
    path = tmp_path / "journal.jsonl"
    write(path, *events)
    with pytest.raises(JournalError, match=f"line {len(events)} contradicts"):
        read_journal(path)


def test_no_flipped_bit_changes_anything_silently(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    whole, state = path.read_bytes(), TournamentState(EVENTS)
    unnoticed = []
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        try:
            read = read_journal(path)
        except JournalError:
            continue
        assert vars(read) == vars(state)
        unnoticed.append(bit)
    assert not unnoticed


#: A journal of the first format, without checksums, as lines of JSON.
OLD: tuple[dict[str, Any], ...] = (
    {
        "event": "opened",
        "time": "2026-03-15T13:02:10.000+00:00",
        "format": 1,
        "game": "clobber",
        "entrants": ["ann", "bob"],
        "settings": {"columns": 10, "rows": 10, "move_time": 30.0, "rows_first": False},
        "pairings": [[1, 1, 2]],
    },
    {"event": "began", "time": "", "game": 1},
    {"event": "played", "time": "", "game": 1, "ply": 1, "seat": 1, "move": "a1b1", "seconds": 0.25},
    {
        "event": "finished",
        "time": "",
        "game": 1,
        "points": [1.0, 0],
        "termination": "no_moves",
        "sentence": "ann wins: bob has no move.",
        "plies": 1,
        "line": "",
    },
)


def write_old(path: Path, *records: dict[str, Any] | bytes) -> None:
    lines = (record if isinstance(record, bytes) else json.dumps(record).encode() for record in records)
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def test_a_journal_without_checksums_is_read_and_continued_with_them(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write_old(path, *OLD)
    journal, state = Journal.resume(path)
    with journal:
        journal.append(TournamentResumed())
        journal.append(TournamentEnded())
    assert state.decided == {1: WON}
    assert read_journal(path).is_over
    damaged = path.read_bytes().replace(b'"closed"', b'"chosed"')
    path.write_bytes(damaged)
    with pytest.raises(JournalError, match=r"line 6 is damaged.*its checksum does not match"):
        read_journal(path)


def test_a_line_without_a_checksum_in_a_journal_that_has_them(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS[:2])
    with path.open("ab") as file:
        file.write(b'{"event": "resumed", "time": ""}\n')
    with pytest.raises(JournalError, match=r"line 3 is damaged.*it has no checksum"):
        read_journal(path)


@pytest.mark.parametrize(
    ("number", "changes", "reason"),
    [
        (0, {"format": 99}, "its format is 99, and this program reads formats up to 2"),
        (0, {"format": True}, "a number is missing, out of range or of another type"),
        (0, {"entrants": ["ann"]}, "fewer than two entrants"),
        (0, {"entrants": ["ann", "ann"]}, "or one twice"),
        (0, {"entrants": ["ann", ""]}, "a name is empty or cannot be shown"),
        (0, {"entrants": ["ann", "\x1b[2J"]}, "a name is empty or cannot be shown"),
        (0, {"entrants": ["ann", "b\u202eob"]}, "a name is empty or cannot be shown"),
        (0, {"entrants": "ann"}, "a list is missing or of another type"),
        (0, {"pairings": []}, "it names no games"),
        (0, {"pairings": [[]]}, "a number is missing"),
        (0, {"pairings": [[1, 1]]}, "game 1 is not between entrants of this tournament"),
        (0, {"pairings": [[1, 1, 1]]}, "game 1 is not between entrants"),
        (0, {"pairings": [[1, 1, 2], [1, 3, 1]]}, "game 2 is not between entrants"),
        (0, {"pairings": [[1, 1, True]]}, "another type"),
        (0, {"pairings": [[0, 1, 2]]}, "out of range"),
        (0, {"settings": []}, "its settings are not a JSON object"),
        (0, {"settings": {"columns": [10]}}, "a number is missing"),
        (0, {"settings": {"move_time": float("inf")}}, "Infinity is not a number"),
        (1, {"game": "1"}, "another type"),
        (1, {"game": 10**4000}, "out of range"),
        (1, {"crowd": 3}, "the event 'began' holds other values than it should"),
        (1, {"time": 3}, "a text is missing or of another type"),
        (2, {"seconds": float("nan")}, "NaN is not a number"),
        (2, {"seconds": -1.0}, "a time is negative"),
        (2, {"move": None}, "a text is missing"),
        (3, {"points": [9.0, 0.0]}, "its points are not those of a game"),
        (3, {"points": [1.0, 1.0]}, "its points are not those of a game"),
        (3, {"points": [True, 0.0]}, "another type"),
        (3, {"points": [float("-inf"), 0.0]}, "-Infinity is not a number"),
        (3, {"termination": "boredom"}, "the termination 'boredom' is unknown"),
        (3, {"termination": []}, "a text is missing"),
        (3, {"plies": 1.5}, "another type"),
        (3, {"event": "exploded"}, "the event 'exploded' is unknown"),
    ],
)
def test_values_that_cannot_be(number: int, changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write_old(path, *OLD[:number], OLD[number] | changes)
    with pytest.raises(JournalError, match=f"line {number + 1} is damaged") as error:
        read_journal(path)
    assert reason in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"garbage", "it is not JSON"),
        (b"", "it is not JSON"),
        (b"[]", "it is not a JSON object"),
        (b"{}", "a text is missing"),
        (b'{"event": "began"}', "holds other values than it should"),
        (b'{"event": "began", "time": "", "game": 1, "game": 2}', "a name occurs twice"),
        (b'{"event": "began", "time": "", "game": 1' + b"0" * 5000 + b"}", "it is not JSON"),
        (b"\xff", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
    ],
)
def test_a_damaged_line_is_named(line: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    for more in ((), (b'{"event": "closed"}',)):
        write_old(path, *OLD[:3], line, *more)
        with pytest.raises(JournalError, match="line 4 is damaged") as error:
            read_journal(path)
        assert reason in str(error.value)


class Stingy(io.FileIO):
    """A file on a disk that takes a few bytes at a time."""

    def write(self, data: Any) -> int:
        return super().write(bytes(data)[:7])


def test_a_line_that_is_written_in_parts_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", lambda path, mode, buffering=-1: Stingy(path, mode))  # noqa: ARG005
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    assert read_journal(path).is_over


def test_what_decides_is_forced_onto_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    synced: list[int] = []
    # What is on the disk by then, in lines.
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.read_bytes().count(b"\n")))
    write(path, *EVENTS)
    kept = [
        number
        for number, event in enumerate(EVENTS, 1)
        if isinstance(event, TournamentStarted | Finished | TournamentEnded)
    ]
    assert synced == kept


def test_journals_that_begin_together_have_names_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "clobber-20260315-140210.jsonl"
    journals = [Journal.create_beside(path) for _ in range(3)]
    for journal in journals:
        journal.close()
    assert [journal.path.name for journal in journals] == [
        "clobber-20260315-140210.jsonl",
        "clobber-20260315-140210-2.jsonl",
        "clobber-20260315-140210-3.jsonl",
    ]
    with pytest.raises(JournalError, match="cannot be written: No such file"):
        Journal.create_beside(tmp_path / "nowhere" / "journal.jsonl")


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with pytest.raises(JournalError, match="cannot be read: No such file"):
        Journal.resume(path)
    path.write_bytes(b"")
    with pytest.raises(JournalError, match="holds no tournament"):
        Journal.resume(path)
    with pytest.raises(JournalError, match="exists: continue it with --resume"):
        Journal.create(path)
    with pytest.raises(JournalError, match="cannot be written"):
        Journal.create(tmp_path / "nowhere" / "journal.jsonl")
