"""Requests to the program that plays a tournament, passed through the journal."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from quoridor_net.tournament.journal.errors import JournalError
from quoridor_net.tournament.journal.lock import is_held
from quoridor_net.tournament.journal.reading import connect, explain_errors, open_to_read

#: Seconds between two checks for an answer.
_POLL = 0.1

#: Prefix of answers that refuse a request.
REFUSED = "refused: "

#: Answer to requests that the previous program left open.
LATE = f"{REFUSED}the program that was asked ended"


class NotHeldError(JournalError):
    """No program plays the tournament, or it ended before answering; the request has no effect."""


def ask(path: Path, request: str, argument: str, patience: float) -> str:
    """Send a request and return the answer.

    Args:
        path: the journal.
        request: ``stop``, ``concurrency``, ``withdraw`` or ``add``.
        argument: of the request; empty for ``stop``.
        patience: timeout for the answer, in seconds.

    Raises:
        NotHeldError: no program plays the tournament any more.
        JournalError: no answer arrived in time.
    """
    with explain_errors(path):
        # Checked first, so that nothing is written into a file that is not a journal.
        open_to_read(path).close()
        if not is_held(path):
            raise NotHeldError(f"{path} is not being played, so the request has no effect")
        with closing(connect(path)) as connection:
            _refuse_ended(path, connection)
            asked = connection.execute(
                "INSERT INTO requests (time, request, argument) VALUES (?, ?, ?)",
                (datetime.now(UTC).isoformat(timespec="milliseconds"), request, argument),
            )
            deadline = time.monotonic() + patience
            is_last = False
            while not is_last:
                # The program may end as soon as it has answered, so check once more after its end.
                is_played = is_held(path)
                is_last = not is_played or time.monotonic() >= deadline
                row = connection.execute(
                    "SELECT answer FROM requests WHERE number = ?", (asked.lastrowid,)
                ).fetchone()
                if row[0] is not None and row[0] != LATE:
                    return str(row[0])
                _refuse_ended(path, connection)
                if row[0] == LATE or (not is_played and _take_back(connection, asked.lastrowid)):
                    raise NotHeldError(f"{path}: the program that played it ended without an answer")
                time.sleep(_POLL)
    raise JournalError(f"{path}: no answer within {patience:g} s; the request may still take effect later")


def _refuse_ended(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse requests after the last game; a web page may keep the program running.

    Raises:
        JournalError: the tournament is over.
    """
    last = connection.execute("SELECT event FROM events ORDER BY number DESC LIMIT 1").fetchone()
    if last == ("tournament_ended",):
        raise JournalError(f"the tournament in {path} is over")


def _take_back(connection: sqlite3.Connection, number: int | None) -> bool:
    """Remove an unanswered request; return whether there was one."""
    taken = connection.execute("DELETE FROM requests WHERE number = ? AND answer IS NULL", (number,))
    return taken.rowcount > 0
