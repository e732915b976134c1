"""The lock that lets only one program at a time play a tournament.

The lock is an open transaction in a small database next to the journal. The system ends it with the process
that holds it, however that process dies, so nobody has to remove a stale lock. It works wherever SQLite's own
locks do.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import stat
import sys
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from quoridor_net.text import visible
from quoridor_net.tournament.journal.errors import HeldError, JournalError, explain

_TABLE = "CREATE TABLE manager (host TEXT, process INTEGER, since TEXT)"

#: Seconds to wait for programs that hold the lock briefly, to look at it or before they are refused.
_MOMENT = 0.25

#: SQLite's possible errors for a file that was removed while it was open or being opened.
_REMOVED = ("SQLITE_READONLY_DBMOVED", "SQLITE_IOERR", "SQLITE_ERROR", "SQLITE_CANTOPEN")

#: After this many attempts, such an error must mean something else; and seconds between two of them. A limit
#: of time would be too short for programs that compete for a lock on a busy machine.
_ATTEMPTS = 200
_PAUSE = 0.01


class _RemovedError(JournalError):
    """The lock may have been removed in the meantime; ``meaning`` is the error otherwise."""

    def __init__(self, meaning: JournalError) -> None:
        super().__init__(str(meaning))
        self.meaning = meaning


class ManagerLock:
    """A lock, held from :meth:`take` until :meth:`release` or the end of the process."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    @classmethod
    def take(cls, journal: Path) -> ManagerLock:
        """Take the lock of a journal.

        Raises:
            HeldError: another program holds it.
            JournalError: the lock cannot be written.
        """
        path = _path_beside(journal)
        failed = 0
        while True:
            # The previous holder may remove the file after it was opened here.
            try:
                connection = _lock_file(journal, path)
            except _RemovedError as error:
                failed += 1
                if failed == _ATTEMPTS:
                    raise error.meaning from None
                time.sleep(_PAUSE)
                continue
            if path.exists() and _is_same(connection, path):
                return cls(path, connection)
            connection.close()

    def release(self) -> None:
        """Release the lock."""
        with suppress(OSError):
            # Removed while locked, so that no other program can have locked it. Windows does not allow that.
            self._path.unlink()
        self._connection.close()
        if sys.platform == "win32":
            with suppress(OSError):
                self._path.unlink()


def is_held(journal: Path) -> bool:
    """Return whether a program holds the tournament of a journal."""
    path = _path_beside(journal)
    # An obstacle in place of the lock is reported by the program that takes the lock.
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(path.absolute(), isolation_level=None, timeout=0)) as connection:
            connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        return _is_busy(error)
    return False


def _path_beside(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-manager")


def _is_busy(error: sqlite3.Error) -> bool:
    return error.sqlite_errorname.startswith("SQLITE_BUSY")


def _lock_file(journal: Path, path: Path) -> sqlite3.Connection:
    """Lock the file at ``path``.

    Raises:
        HeldError: another program holds the lock.
        JournalError: the lock cannot be written.
    """
    connection: sqlite3.Connection | None = None
    refusal: JournalError
    before = _status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise JournalError(f"{path} is not a file, but the lock of {journal} belongs there: move it away")
    # On a full disk, a lock may have been created but not written.
    is_new = before is None or not before.st_size
    try:
        # Absolute, because SQLite takes a relative name that begins with "file:" for a URI.
        connection = sqlite3.connect(
            path.absolute(), isolation_level=None, timeout=_MOMENT, check_same_thread=False
        )
        tables = [row[0] for row in connection.execute("SELECT sql FROM sqlite_master LIMIT 2")]
        if tables not in ([], [_TABLE]):
            # Refused, because a trigger or a view could make the statements below run for ever.
            connection.close()
            raise JournalError(f"{path} is not the lock of a tournament: move it away")
        if not tables:
            connection.execute(_TABLE.replace("TABLE", "TABLE IF NOT EXISTS"))
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM manager")
        since = datetime.now(UTC).isoformat()
        holder = (socket.gethostname(), os.getpid(), since)
        connection.execute("INSERT INTO manager VALUES (?, ?, ?)", holder)
        connection.execute("COMMIT")
        # Lets readers in, so that a program that is refused can name the holder.
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        if _is_busy(error):
            refusal = HeldError(f"{journal} is being played by another program{_find_holder(connection)}")
        else:
            refusal = explain(journal if is_new else path, error)
            if error.sqlite_errorname.startswith(_REMOVED):
                refusal = _RemovedError(refusal)
            if is_new:
                _remove(path, connection)
        if connection is not None:
            connection.close()
        raise refusal from None
    return connection


def _status(path: Path) -> os.stat_result | None:
    """Return the status of a file; None if it does not exist."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _remove(path: Path, connection: sqlite3.Connection | None) -> None:
    """Remove a lock that could not be written, unless another program holds it by now."""
    if connection is None:
        return
    with suppress(sqlite3.Error, OSError):
        # A holder has written into it, or will notice that the file was removed.
        if path.stat().st_size and not connection.in_transaction:
            connection.execute("BEGIN IMMEDIATE")
        path.unlink()


def _is_same(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file at ``path`` is the open one, by comparing their contents."""
    with suppress(sqlite3.Error):
        other = sqlite3.connect(path.absolute(), timeout=0)
        try:
            query = "SELECT host, process, since FROM manager"
            ours, theirs = connection.execute(query).fetchone(), other.execute(query).fetchone()
            return bool(ours == theirs)
        finally:
            other.close()
    return False


def _find_holder(connection: sqlite3.Connection | None) -> str:
    """Return the holder of the lock, for a message; empty if it is unknown."""
    row = None
    with suppress(sqlite3.Error):
        if connection is not None:
            row = connection.execute("SELECT host, process, since FROM manager").fetchone()
    if row is None:
        return ""
    host, process, since = (visible(str(value)) for value in row)
    return f" (process {process} on {host}, since {since[:19]} UTC)"
