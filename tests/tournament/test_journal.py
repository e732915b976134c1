"""The journal holds everything, survives a crash at any byte, and is refused when it is damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quoridor_net.rules import Termination
from quoridor_net.tournament import (
    Began,
    Closed,
    Event,
    Finished,
    Journal,
    JournalError,
    Ledger,
    LedgerError,
    Opened,
    Played,
    Resumed,
    Verdict,
    read_journal,
    round_robin,
)

OPENED = Opened("clobber", ("ann", "bob"), round_robin(2, 2), {"board": "10x10", "move_time": 30.0})
WON = Verdict((1.0, 0.0), Termination.NO_MOVES, "ann wins: bob has no move.", 1)
FORFEIT = Verdict((0.0, 1.0), Termination.UNPARSABLE_MOVE, "ann wins: bob sent “é”.", 0, "\\xe9")
EVENTS: tuple[Event, ...] = (
    OPENED,
    Began(1),
    Played(1, 1, 1, "a1b1", 0.25),
    Finished(1, WON),
    Began(2),
    Resumed(),
    Began(2),
    Finished(2, FORFEIT),
    Closed(),
)


def write(path: Path, *events: Event) -> None:
    with Journal.create(path) as journal:
        for event in events:
            journal.append(event)


def test_everything_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    ledger = read_journal(path)
    assert ledger.opened == OPENED
    assert ledger.verdicts == {1: WON, 2: FORFEIT}
    assert ledger.is_closed
    assert ledger.pending == ()


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
    assert lines[2] == {**played, "time": lines[2]["time"]}


def test_a_crash_at_any_byte_loses_one_line_at_most(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole)):
        path.write_bytes(whole[:length])
        journal, ledger = Journal.resume(path)
        with journal:
            survived = whole[:length].count(b"\n")
            assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:survived])
            assert ledger.verdicts == Ledger(EVENTS[:survived]).verdicts
            journal.append(Resumed())
        assert len(read_journal(path).pending) == len(ledger.pending)


def test_games_that_were_going_on_are_pending() -> None:
    ledger = Ledger(EVENTS[:5])
    assert list(ledger.moves) == [2]
    assert [pairing.number for pairing in ledger.pending] == [2]
    ledger.apply(Resumed())
    assert ledger.moves == {}


def test_a_void_game_stays_pending() -> None:
    void = Verdict((0.0, 0.0), Termination.ABORTED, "The game was aborted.")
    ledger = Ledger((OPENED, Began(1), Finished(1, void)))
    assert len(ledger.pending) == 2


@pytest.mark.parametrize(
    "events",
    [
        (Began(1),),
        (OPENED, OPENED),
        (OPENED, Began(3)),
        (OPENED, Began(0)),
        (OPENED, Finished(1, WON)),
        (OPENED, Played(1, 1, 1, "a1b1", 0.0)),
        (OPENED, Began(1), Finished(1, WON), Began(1)),
        (OPENED, Closed(), Began(1)),
    ],
)
def test_events_that_contradict_each_other(events: tuple[Event, ...], tmp_path: Path) -> None:
    with pytest.raises(LedgerError):
        Ledger(events)
    path = tmp_path / "journal.jsonl"
    write(path, *events)
    with pytest.raises(JournalError, match=f"line {len(events)} contradicts"):
        read_journal(path)


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b"[]",
        b"{}",
        b'{"event": "began"}',
        b'{"event": "began", "game": "x"}',
        b'{"event": "exploded"}',
        b'{"event": "opened", "format": 99}',
        b"\xff",
        b"[" * 100_000,
    ],
)
def test_a_damaged_line_is_named(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS[:3])
    path.write_bytes(path.read_bytes() + line + b"\n" + b'{"event": "closed"}\n')
    with pytest.raises(JournalError, match="line 4 is damaged"):
        read_journal(path)


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
