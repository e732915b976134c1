"""The errors of journals."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from quoridor_net.text import printable

#: Timeout for another program's transaction, in seconds.
PATIENCE = 10.0

#: Meanings of SQLite's errors, by the beginnings of their names; the first match counts.
_REASONS = {
    "SQLITE_FULL": "cannot be written: the disk is full",
    "SQLITE_IOERR_SHMSIZE": "cannot be written: the disk is full",
    "SQLITE_NOTADB": "is not the journal of a tournament",
    "SQLITE_CORRUPT": "is damaged",
    # A missing or repeated value, which this program never writes.
    "SQLITE_CONSTRAINT": "is damaged",
    "SQLITE_INTERRUPT": "is damaged: reading it would take too long",
    "SQLITE_TOOBIG": "is damaged: it contains a value that is too large",
    "SQLITE_CANTOPEN": "cannot be opened: check that the folder exists and that you may write there",
    "SQLITE_IOERR": "cannot be read or written: disk I/O error",
    "SQLITE_READONLY": "cannot be written: it is read-only",
    "SQLITE_BUSY": f"cannot be written: another program has locked it for {PATIENCE:g} s",
}


#: Errors that say nothing about the contents of the file.
_UNWRITABLE = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_BUSY")


class JournalError(Exception):
    """The file cannot be used as a journal; the message names it and the reason."""


class NotBegunError(JournalError):
    """The file contains no event yet, or its program ended before the first one."""


class HeldError(JournalError):
    """Another program holds the tournament, or is about to."""


class UnwritableError(JournalError):
    """The machine does not let the file be read or written, for instance because the disk is full."""


class GoneError(JournalError):
    """The file was removed, moved or replaced while it was open, so that later events would be lost."""


class DamagedPageError(JournalError):
    """The events are intact, but a page of the file with other tables is damaged."""


def explain(path: Path, error: sqlite3.Error) -> JournalError:
    """Return a readable error for an error of SQLite in the file at ``path``."""
    name = getattr(error, "sqlite_errorname", "")
    told = [reason for code, reason in _REASONS.items() if name.startswith(code)]
    # SQLite's message may quote damaged bytes.
    reason = told[0] if told else f"cannot be used: {printable(str(error).encode())}"
    # A missing folder is a mistake in the name.
    is_unwritable = name.startswith(_UNWRITABLE) and path.absolute().parent.is_dir()
    return (UnwritableError if is_unwritable else JournalError)(f"{path} {reason}")
