"""Reading the journal of a tournament, also while it is written. Damaged journals are refused."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from quoridor_net.text import printable
from quoridor_net.tournament.encoding import RecordError, VersionError, parse_event, parse_object
from quoridor_net.tournament.errors import StateError
from quoridor_net.tournament.journal.errors import (
    PATIENCE,
    DamagedPageError,
    JournalError,
    NotBegunError,
    explain,
)
from quoridor_net.tournament.journal.lock import is_held
from quoridor_net.tournament.journal.schema import APPLICATION_ID, USER_VERSION, is_ours
from quoridor_net.tournament.state import TournamentState

#: The errors of a refused event.
_FAULTS = (VersionError, RecordError, StateError)

#: The first bytes of every SQLite file.
_HEADER = b"SQLite format 3\0"

#: Ways to open a journal for reading, in the order of attempts: for writing, because only such a connection
#: cleans up after itself and others; then exclusively, because on a full disk there is no room for SQLite's
#: shared memory; then, on a read-only medium, without the log next to it.
_WAYS_TO_READ = (
    ("mode=rw", "NORMAL"),
    ("mode=rw", "EXCLUSIVE"),
    ("mode=ro&immutable=1", "NORMAL"),
)

#: Maximum steps of SQLite's virtual machine, to open a journal and to read each byte. All commands need at
#: most a tenth of that; a file whose pages form a cycle would need an unlimited number.
_OPENING_STEPS = 10**7
_STEPS_FOR_EACH_BYTE = 100
_STEPS_AT_ONCE = 10_000

#: Maximum size of a value, in bytes, twice that of a round of a million games.
_LONGEST = 1 << 26

#: The events, each with the number of the last one, which SQLite stores elsewhere in the file. One statement
#: reads both, so that they are consistent.
_EVENTS = """
SELECT number, object, checksum, (SELECT seq FROM sqlite_sequence WHERE name = 'events'), time, event, game
FROM events ORDER BY number
"""


def connect(path: Path, *, is_new: bool = False, check_same_thread: bool = True) -> sqlite3.Connection:
    """Open the file to write; commits survive a power cut, and readers never block them.

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
    """Convert the errors of SQLite to readable ones.

    Raises:
        JournalError: in place of each.
    """
    try:
        yield
    except UnicodeDecodeError:
        raise JournalError(f"{path} is damaged: it contains invalid UTF-8") from None
    except sqlite3.Error as error:
        raise explain(path, error) from None


def read_journal(path: Path) -> TournamentState:
    """Return the state of a tournament from its journal, also while that is being written.

    Raises:
        JournalError: the file cannot be read, contains no tournament, or is damaged.
    """
    state = TournamentState()
    for _ in read_records(path, state):
        pass
    return state


def is_vacant(path: Path) -> bool:
    """Return whether the file contains no events and never did, so that a new journal may replace it.

    A program that is killed while it creates a journal leaves such a file behind.
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
            return _has_no_events(connection)
    except (OSError, sqlite3.Error, UnicodeDecodeError):
        # Unreadable is not empty.
        return False


def _has_no_events(connection: sqlite3.Connection) -> bool:
    """Return whether a database contains no events and never did.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID or not is_ours(connection):
        return connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None
    # A file that has lost its events must not be replaced.
    written = "SELECT 1 FROM events UNION ALL SELECT 1 FROM sqlite_sequence WHERE name = 'events'"
    return connection.execute(written).fetchone() is None


def explain_vacancy(path: Path) -> NotBegunError:
    """Return the error for a file without events: its program waits for the first one, or has ended."""
    if is_held(path):
        return NotBegunError(
            f"the tournament in {path} has not begun: wait for its first game, which after --gather"
            " follows the start by the lecturer's link, or end its program with Ctrl-C"
        )
    return NotBegunError(
        f"{path} contains no tournament, because its program ended before the first game: start it again"
    )


def read_records(path: Path, state: TournamentState) -> Iterator[dict[str, Any]]:
    """Apply the events of a journal to ``state``, and yield each as an object.

    Raises:
        JournalError: the file cannot be read, or is damaged.
    """
    with explain_errors(path), closing(open_to_read(path)) as connection:
        yield from records_of(path, connection, state)


def check_pages(path: Path) -> None:
    """Refuse a file with inconsistent pages, including pages without events.

    The values in the rows are not checked, because that would take as long as reading all games.

    Raises:
        DamagedPageError: a page is damaged.
        JournalError: the file cannot be read.
    """
    with explain_errors(path), closing(open_to_read(path)) as connection:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        # The line before it names the database.
        reason = printable(found.splitlines()[-1].encode())
        raise DamagedPageError(f"{path} is damaged: {reason}")


def back_up(path: Path, copy: Path) -> None:
    """Write a copy of a journal, also while it is written; the copy is that of one moment.

    Args:
        path: the journal.
        copy: the file to create; a copy that is there already is replaced once the new one is complete.

    Raises:
        JournalError: a file cannot be read or written, or ``copy`` is a file that must stay.
        OSError: the folder of ``copy`` cannot be written.
    """
    if copy.exists():
        if not copy.is_file():
            raise JournalError(f"{copy} is not a file")
        if path.exists() and copy.samefile(path):
            raise JournalError(f"{copy} is the journal itself: choose another name")
        if is_held(copy):
            raise JournalError(f"{copy} is the journal of a tournament that is being played")
    with explain_errors(path), closing(open_to_read(path)) as connection:
        # The limits on hostile files are too low for copying.
        connection.set_progress_handler(None, 0)
        descriptor, name = tempfile.mkstemp(prefix=f"{copy.name}-", dir=copy.parent)
        os.close(descriptor)
        partial = Path(name)
        try:
            # Absolute, because SQLite takes a relative name that begins with "file:" for a URI.
            with explain_errors(copy), closing(sqlite3.connect(partial.absolute())) as target:
                connection.backup(target)
            shutil.copymode(path, partial)
            partial.replace(copy)
        finally:
            partial.unlink(missing_ok=True)


def records_of(
    path: Path, connection: sqlite3.Connection, state: TournamentState
) -> Iterator[dict[str, Any]]:
    """Do the same as :func:`read_records` through an open connection, consistent with other reads there.

    Raises:
        JournalError: the file is damaged.
        sqlite3.Error: it cannot be read; see :func:`explain_errors`.
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
            raise _explain(error, path, f"event {read}") from None
        get = record.get
        if columns != [get("time"), get("event"), get("game")]:
            raise JournalError(f"{path}, event {read} is damaged: its columns do not match")
        yield record
    if not read:
        raise JournalError(f"{path} is damaged: its events are missing")
    if read != written:
        raise JournalError(f"{path} is damaged: it contains {read} events, not the number that was written")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the file for queries only.

    Raises:
        sqlite3.Error: it cannot be opened.
        JournalError: it is not a journal, or contains no events.
    """
    if path.is_file() and not path.stat().st_size:
        raise explain_vacancy(path)
    log = path.with_name(f"{path.name}-wal")
    # SQLite would put its log and shared memory next to a read-only file, with the same permissions. Once the
    # journal may be written again, they still could not be.
    is_sealed = not os.access(path, os.W_OK) and not log.exists()
    for mode, locking in _WAYS_TO_READ[-1:] if is_sealed else _WAYS_TO_READ:
        if mode != "mode=rw" and _is_filled(log):
            raise JournalError(
                f"{path} cannot be read on a read-only or full disk: copy it and {log.name} elsewhere"
            )
        # An iterator over games that is abandoned may be closed by any thread.
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=PATIENCE, check_same_thread=False
        )
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
        if _has_no_events(connection):
            raise explain_vacancy(path)
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID:
            raise JournalError(f"{path} is not the journal of a tournament")
        if version != USER_VERSION:
            raise JournalError(f"{path} is of another version: use the program that wrote it")
        if not is_ours(connection):
            raise JournalError(
                f"{path} is not a journal, or it is damaged: its tables differ from those of a journal"
            )
        _limit(connection, _OPENING_STEPS + _STEPS_FOR_EACH_BYTE * path.stat().st_size)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        # Pages in the log may not be in the file yet.
        if path.stat().st_size < pages * page and not _is_filled(log):
            raise JournalError(f"{path} is damaged: it is truncated")
    except BaseException:
        connection.close()
        raise
    return connection


def _limit(connection: sqlite3.Connection, steps: int) -> None:
    """Limit the cost of a hostile file: steps and sizes of values; keep temporary data in memory."""
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


def _explain(error: Exception, path: Path, where: str) -> JournalError:
    """Convert one of ``_FAULTS``, caused by the part ``where`` of the file, to a readable error."""
    match error:
        case VersionError():
            return JournalError(f"{path} {error}")
        case RecordError():
            reason = f"is damaged, or this is not the journal of a tournament: {error}"
        case _:
            reason = f"contradicts the events before it: {error}"
    return JournalError(f"{path}, {where} {reason}")
