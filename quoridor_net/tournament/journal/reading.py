"""Reads the journal of a tournament, also while it is written. Nothing damaged is used."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from quoridor_net.text import printable
from quoridor_net.tournament.encoding import RecordError, VersionError, parse_event, parse_object
from quoridor_net.tournament.journal.errors import PATIENCE, DamagedPageError, JournalError, reason_of
from quoridor_net.tournament.journal.schema import APPLICATION_ID, USER_VERSION, is_ours
from quoridor_net.tournament.state import StateError, TournamentState

#: What an event can be refused for.
_FAULTS = (VersionError, RecordError, StateError)

#: How every file of SQLite begins.
_HEADER = b"SQLite format 3\0"

#: How a journal is opened to be read. Mostly to be written as well, since only such a connection tidies up
#: after itself and others. On a full disk there is no room for what such connections share; one that is alone
#: needs none. On a medium that cannot be written it is read as it lies there, without the log beside it.
_WAYS_TO_READ = (
    ("mode=rw", "NORMAL"),
    ("mode=rw", "EXCLUSIVE"),
    ("mode=ro&immutable=1", "NORMAL"),
)

#: Steps of SQLite's machine to open a journal, and to read it for each byte. All commands take a tenth of
#: that; a file whose pages lead in circles takes any number.
_OPENING_STEPS = 10**7
_STEPS_FOR_EACH_BYTE = 100
_STEPS_AT_ONCE = 10_000

#: Bytes of the longest value: a round of a million games has half of them.
_LONGEST = 1 << 26

#: The events, each with the number of the last one, which SQLite keeps elsewhere in the file. It is one
#: statement, so that both are of one moment.
_EVENTS = """
SELECT number, object, checksum, (SELECT seq FROM sqlite_sequence WHERE name = 'events'), time, event, game
FROM events ORDER BY number
"""


def connect(path: Path, *, is_new: bool = False, check_same_thread: bool = True) -> sqlite3.Connection:
    """Open the file to write: what is committed survives a power cut, and readers are never in the way.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    mode = "rwc" if is_new else "rw"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=check_same_thread,
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


@contextmanager
def explain_errors(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite into sentences.

    Raises:
        JournalError: instead of any of them.
    """
    try:
        yield
    except UnicodeDecodeError:
        raise JournalError(f"{path} is damaged: it has text that is none") from None
    except sqlite3.Error as error:
        raise JournalError(f"{path} {reason_of(error)}") from None


def read_journal(path: Path) -> TournamentState:
    """Return what is known from a journal, also of one that is being written.

    Raises:
        JournalError: the file cannot be read, holds no tournament, or is damaged.
    """
    state = TournamentState()
    for _ in read_records(path, state):
        pass
    if not state.has_started:
        raise JournalError(f"{path} holds no tournament")
    return state


def is_vacant(path: Path) -> bool:
    """Return whether nothing is in the file, so that a new journal may take its place.

    That is what a program leaves behind that was killed while it began one.
    """
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
        if header != _HEADER:
            return not header
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            _limit(connection, _OPENING_STEPS)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application != APPLICATION_ID or not is_ours(connection):
                return connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None
            # Also one whose events were lost is none that may be replaced.
            written = "SELECT 1 FROM events UNION ALL SELECT 1 FROM sqlite_sequence"
            return connection.execute(written).fetchone() is None
    except (OSError, sqlite3.Error):
        # Whatever it is, it is something.
        return False


def read_records(path: Path, state: TournamentState) -> Iterator[dict[str, Any]]:
    """Yield the events of a journal as objects, after each was applied to ``state``.

    Raises:
        JournalError: the file cannot be read, or is damaged.
    """
    with explain_errors(path), closing(open_to_read(path)) as connection:
        yield from records_of(path, connection, state)


def check_pages(path: Path) -> None:
    """Refuse a file whose pages do not hang together, also those that the events are not on.

    Which values are in the rows is not looked at: that takes as long as reading all games.

    Raises:
        DamagedPageError: a page is damaged.
        JournalError: the file cannot be read.
    """
    with explain_errors(path), closing(open_to_read(path)) as connection:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        # Before it stands which database SQLite means, in a line of its own.
        reason = printable(found.splitlines()[-1].encode())
        raise DamagedPageError(f"{path} is damaged: {reason}")


def records_of(
    path: Path, connection: sqlite3.Connection, state: TournamentState
) -> Iterator[dict[str, Any]]:
    """Yield the same through a connection that is open, so that it agrees with what else is read there.

    Raises:
        JournalError: the file is damaged; also errors of SQLite, for :func:`explain_errors`.
    """
    read = written = 0
    for number, line, checksum, last, *columns in connection.execute(_EVENTS):
        read, written = read + 1, last
        if number != read:
            raise JournalError(f"{path}, event {read} is missing")
        if not isinstance(line, str) or zlib.crc32(f"{number} {line}".encode()) != checksum:
            raise JournalError(f"{path}, event {read} is damaged: its checksum does not match")
        try:
            record = parse_object(line)
            state.apply(parse_event(record))
        except _FAULTS as error:
            raise _explanation(error, path, f"event {read}") from None
        get = record.get
        if columns != [get("time"), get("event"), get("game")]:
            raise JournalError(f"{path}, event {read} is damaged: its columns do not match")
        yield record
    if read != written:
        raise JournalError(f"{path} is damaged: it has {read} events and not the number that were written")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the file so that nothing in it can be changed.

    Raises:
        sqlite3.Error: it cannot be opened.
        JournalError: it is no journal.
    """
    log = path.with_name(f"{path.name}-wal")
    for mode, locking in _WAYS_TO_READ:
        if mode != "mode=rw" and _is_filled(log):
            raise JournalError(
                f"{path} cannot be read where nothing can be written: copy it and {log.name} elsewhere"
            )
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=PATIENCE)
        try:
            _limit(connection, _OPENING_STEPS)
            connection.execute(f"PRAGMA locking_mode = {locking}")
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            break
        except sqlite3.OperationalError as error:
            connection.close()
            is_busy = error.sqlite_errorname.startswith("SQLITE_BUSY")
            if is_busy or (mode, locking) == _WAYS_TO_READ[-1] or not path.is_file():
                raise
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID:
            raise JournalError(f"{path} is not the journal of a tournament")
        if version != USER_VERSION:
            raise JournalError(f"{path} is of another version: use the program that wrote it")
        if not is_ours(connection):
            raise JournalError(
                f"{path} is damaged, or this is not a journal: its tables are not those of one"
            )
        _limit(connection, _OPENING_STEPS + _STEPS_FOR_EACH_BYTE * path.stat().st_size)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        # What is in the log need not be in the file yet.
        if path.stat().st_size < pages * page and not _is_filled(log):
            raise JournalError(f"{path} is damaged: its end is missing")
    except BaseException:
        connection.close()
        raise
    return connection


def _limit(connection: sqlite3.Connection, steps: int) -> None:
    """Limit the cost of a hostile file: steps, the size of a value, no temporary files."""
    left = steps // _STEPS_AT_ONCE

    def is_too_long() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(is_too_long, _STEPS_AT_ONCE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA temp_store = MEMORY")


def _is_filled(log: Path) -> bool:
    return log.exists() and log.stat().st_size > 0


def _explanation(error: Exception, path: Path, where: str) -> JournalError:
    """Return what to tell instead of one of ``_FAULTS``, which the part ``where`` of the file led to."""
    match error:
        case VersionError():
            return JournalError(f"{path} {error}")
        case RecordError():
            reason = f"is damaged, or this is not a tournament's journal: {error}"
        case _:
            reason = f"contradicts what stands before it: {error}"
    return JournalError(f"{path}, {where} {reason}")
