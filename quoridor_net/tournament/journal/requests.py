"""What one program asks of the one that holds the tournament, through the journal."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from quoridor_net.tournament.journal.errors import JournalError
from quoridor_net.tournament.journal.lock import is_held
from quoridor_net.tournament.journal.reading import connect, explained, open_to_read

#: Seconds between two looks for an answer.
_POLL = 0.1


def ask(path: Path, request: str, argument: str, patience: float) -> str:
    """Ask for something and return the answer.

    Args:
        path: the journal.
        request: ``stop``, ``concurrency``, ``withdraw`` or ``add``.
        argument: what it is about.
        patience: seconds for the answer.

    Raises:
        JournalError: nobody plays the tournament, or the answer does not come in time.
    """
    with explained(path):
        # Nothing is written into a file that is no journal.
        open_to_read(path).close()
        if not is_held(path):
            raise JournalError(f"{path} is not being played: nobody is there to do that")
        with closing(connect(path)) as connection:
            _refuse_ended(path, connection)
            asked = connection.execute(
                "INSERT INTO requests (time, request, argument) VALUES (?, ?, ?)",
                (datetime.now(UTC).isoformat(timespec="milliseconds"), request, argument),
            )
            deadline = time.monotonic() + patience
            is_last = False
            while not is_last:
                # The program may end as soon as it has answered: then there is one more look.
                is_played = is_held(path)
                is_last = not is_played or time.monotonic() >= deadline
                row = connection.execute(
                    "SELECT answer FROM requests WHERE number = ?", (asked.lastrowid,)
                ).fetchone()
                if row[0] is not None:
                    return str(row[0])
                _refuse_ended(path, connection)
                time.sleep(_POLL)
    if not is_played:
        raise JournalError(f"{path}: the program that played it ended and did not answer")
    raise JournalError(f"{path}: no answer within {patience:g} s; the program that plays it may still do it")


def _refuse_ended(path: Path, connection: sqlite3.Connection) -> None:
    """Ask for nothing where all games are played, though a page that shows them keeps the program running.

    Raises:
        JournalError: the tournament is over.
    """
    last = connection.execute("SELECT event FROM events ORDER BY number DESC LIMIT 1").fetchone()
    if last == ("tournament_ended",):
        raise JournalError(f"the tournament in {path} is over")
