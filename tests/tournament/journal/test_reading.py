"""A damaged journal or another file is refused in one sentence, and never read partially."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quoridor_net.tournament import Journal, JournalError, read_journal
from quoridor_net.tournament.journal import reading
from quoridor_net.tournament.journal.reading import explain_errors
from tests.tournament.journal.test_writing import EVENTS, write


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    try:
        with connection:
            connection.execute(statement)
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (
            "UPDATE events SET object = replace(object, '\"winner\": 1', '\"winner\": 2')",
            "its checksum does not match",
        ),
        ("UPDATE events SET checksum = checksum + 1 WHERE number = 4", "event 4 is damaged: its checksum"),
        ("DELETE FROM events WHERE number = 3", "event 3 is missing"),
        ("DELETE FROM events WHERE number = 1", "event 1 is missing"),
        ("DELETE FROM events WHERE number > 12", "is damaged: it contains 12 events"),
        ("DELETE FROM sqlite_sequence", "is damaged: it contains"),
        ("DELETE FROM events", "is damaged: its events are missing"),
        (
            "UPDATE events SET object = CAST(x'fffe' AS TEXT) WHERE number = 2",
            "cannot be used: Could not decode",
        ),
        ("DROP TABLE events", "its tables differ from those of a journal"),
        ("PRAGMA application_id = 3", "is not the journal of a tournament"),
        ("PRAGMA user_version = 9", "is of another version: use the program that wrote it"),
    ],
)
async def test_damage_is_named(statement: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    await write(path, *EVENTS)
    change(path, statement)
    with pytest.raises(JournalError) as error:
        read_journal(path)
    assert reason in str(error.value)
    with pytest.raises(JournalError):
        Journal.resume(path)


async def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    await write(path, *EVENTS)
    whole = path.read_bytes()
    for length in range(1, len(whole), 997):
        path.write_bytes(whole[:length])
        with pytest.raises(JournalError) as error:
            read_journal(path)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("data", [b"garbage", b"\0" * 4096, b"SQLite format 3\0" + b"\xff" * 100])
def test_other_files_are_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    path.write_bytes(data)
    with pytest.raises(JournalError):
        read_journal(path)
    with pytest.raises(JournalError):
        Journal.resume(path)
    assert path.read_bytes() == data


def test_missing_files_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.db", tmp_path):
        with pytest.raises(JournalError, match="cannot be"):
            read_journal(path)
        with pytest.raises(JournalError, match="cannot be"):
            Journal.resume(path)


async def test_a_journal_on_a_read_only_medium_is_read(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "event.db"
    path.parent.mkdir()
    await write(path, *EVENTS)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        assert read_journal(path).is_over
    finally:
        path.parent.chmod(0o755)


async def test_broken_constraints_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await write(path, *EVENTS)
    with pytest.raises(JournalError, match=r"a\.db is damaged\Z"), explain_errors(path):
        change(path, "INSERT INTO moves VALUES (1, 1, 1, NULL, 0.0, NULL, NULL)")


async def test_a_journal_that_another_program_locks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.db"
    await write(path, *EVENTS)
    monkeypatch.setattr(reading, "PATIENCE", 0.001)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="another program has locked it for 10 s"):
            read_journal(path)
    assert read_journal(path).games == 2


async def test_a_log_on_a_read_only_medium_is_not_overlooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.db"
    await write(path, *EVENTS)
    (*_, as_it_lies) = reading._WAYS_TO_READ
    monkeypatch.setattr(reading, "_WAYS_TO_READ", (as_it_lies,))
    assert read_journal(path).games == 2
    path.with_name("event.db-wal").write_bytes(b"the latest events")
    with pytest.raises(JournalError, match=r"read-only or full disk: copy it and event\.db-wal elsewhere"):
        read_journal(path)
