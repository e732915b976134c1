"""What can be wrong with a journal."""

from __future__ import annotations

import sqlite3

from quoridor_net.text import printable

#: Seconds for which another program's transaction is waited for.
PATIENCE = 10.0

#: What the errors of SQLite whose names begin like that say of a journal; the first is meant.
_REASONS = {
    "SQLITE_FULL": "cannot be written: the disk is full",
    "SQLITE_IOERR_SHMSIZE": "cannot be written: the disk is full",
    "SQLITE_NOTADB": "is not the journal of a tournament",
    "SQLITE_CORRUPT": "is damaged",
    # Somewhere is nothing, or something twice, where this program writes neither.
    "SQLITE_CONSTRAINT": "is damaged",
    "SQLITE_INTERRUPT": "is damaged: reading it would take too long",
    "SQLITE_TOOBIG": "is damaged: it has a value that is too large",
    "SQLITE_CANTOPEN": "cannot be opened (is there such a folder, and may you write there?)",
    "SQLITE_IOERR": "cannot be read or written: disk I/O error",
    "SQLITE_READONLY": "cannot be written: it is read-only",
    "SQLITE_BUSY": f"cannot be written: another program has kept it for {PATIENCE:g} s",
}


class JournalError(Exception):
    """The file cannot be used as a journal; the message names it and says what is wrong."""


class HeldError(JournalError):
    """Another program holds the tournament, or is about to."""


class DamagedPageError(JournalError):
    """The events are whole, and a page of the file that other tables are on is not."""


def reason_of(error: sqlite3.Error) -> str:
    """Return what an error of SQLite says of a journal, to be put after its name."""
    name = getattr(error, "sqlite_errorname", "")
    told = [reason for code, reason in _REASONS.items() if name.startswith(code)]
    # What SQLite says may quote what is damaged.
    return told[0] if told else f"cannot be used: {printable(str(error).encode())}"
