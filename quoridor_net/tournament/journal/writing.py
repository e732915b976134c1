"""Writing the journal of a tournament: announced events are never lost, and no event is written twice."""

from __future__ import annotations

import itertools
import json
import os
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

import trio

from quoridor_net.match import MoveMade, MoveRequested, TurnPassed
from quoridor_net.shortage import lack_of
from quoridor_net.tournament.encoding import Record, as_object
from quoridor_net.tournament.events import Event, GameEvent
from quoridor_net.tournament.journal.errors import GoneError, HeldError, JournalError
from quoridor_net.tournament.journal.lock import ManagerLock
from quoridor_net.tournament.journal.reading import (
    check_pages,
    connect,
    explain_errors,
    explain_vacancy,
    is_vacant,
    read_records,
)
from quoridor_net.tournament.journal.requests import LATE
from quoridor_net.tournament.journal.schema import create_tables
from quoridor_net.tournament.journal.tables import Change, RecordedMove, Tables, checksum_of_transcript
from quoridor_net.tournament.state import TournamentState

T = TypeVar("T")

_LATE = "UPDATE requests SET answer = ? WHERE answer IS NULL"


def _now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """The journal of a tournament, open to write. Use it as a context manager, or close it.

    Create one with :meth:`create` or :meth:`resume`. Only one program at a time can hold a journal.

    :meth:`append` queues events; when :meth:`flush` returns, they and all events before them are in the file
    and survive a power cut.

    Args:
        path: the file, which exists.
        lock: proves that this program holds the tournament.
        clock: returns the time of events.
        events: number of events in the file.
        tables: a follower of these events.
    """

    def __init__(
        self,
        path: Path,
        lock: ManagerLock,
        clock: Callable[[], datetime] = _now,
        events: int = 0,
        tables: Tables | None = None,
    ) -> None:
        self.path = path
        self._lock = lock
        self._clock = clock
        # Used by only one thread at a time.
        self._connection = connect(path, check_same_thread=False)
        self._file = _identify(path)
        self._tables = Tables() if tables is None else tables
        self._number = events
        #: Whether the file contains any events.
        self.has_begun = events > 0
        self._changes: list[Change] = []
        self._appended = self._written = 0
        self._writing = trio.Lock()
        self._writer = trio.CapacityLimiter(1)

    @classmethod
    def create(cls, path: Path, clock: Callable[[], datetime] = _now) -> Journal:
        """Create a journal, or reuse the file of one that was interrupted before its first event.

        Raises:
            JournalError: the file exists or cannot be written.
        """
        exists = JournalError(f"{path} exists: resume it, or choose another file")
        if os.path.lexists(path) and not is_vacant(path):
            raise exists
        lock = ManagerLock.take(path)
        # Checked again, because another program may have created it in the meantime.
        if os.path.lexists(path) and not is_vacant(path):
            lock.release()
            raise exists
        try:
            _remove(path)
            with explain_errors(path), closing(connect(path, is_new=True)) as connection:
                create_tables(connection)
            with explain_errors(path):
                return cls(path, lock, clock)
        except BaseException:
            _remove(path)
            lock.release()
            raise

    @classmethod
    def create_beside(cls, path: Path) -> Journal:
        """Create a journal at ``path`` or, if that exists, at the first free of ``NAME-2``, ``NAME-3``...

        Raises:
            JournalError: no file can be written there.
        """
        others = (path.with_stem(f"{path.stem}-{number}") for number in itertools.count(2))
        for name in itertools.chain([path], others):
            if os.path.lexists(name):
                continue
            try:
                return cls.create(name)
            except HeldError:
                # Another program is about to create the file.
                continue
            except JournalError:
                if not os.path.lexists(name):
                    raise
        raise AssertionError("there are always more numbers")

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, TournamentState]:
        """Resume a journal; return it and the state of its tournament.

        Raises:
            JournalError: the file cannot be read or written, is damaged, or another program holds it.
        """
        # Before this program holds the tournament, and so would seem to wait for its beginning.
        if is_vacant(path):
            raise explain_vacancy(path)
        lock = ManagerLock.take(path)
        try:
            state, tables, events = TournamentState(), Tables(), 0
            for record in read_records(path, state):
                tables.follow(record)
                events += 1
            check_pages(path)
            with explain_errors(path):
                journal = cls(path, lock, _now, events, tables)
                # Requests to the previous program will get no other answer.
                journal._write([(_LATE, (LATE,))])
                return journal, state
        except BaseException:
            lock.release()
            raise

    def append(self, event: Event) -> None:
        """Queue an event for :meth:`flush`."""
        match event:
            case GameEvent(_, MoveRequested() | TurnPassed()):
                pass
            case GameEvent(game, MoveMade() as made):
                # Not encoded, because most of the object would be the position, which is not kept.
                self._tables.add_move(game, RecordedMove.of(made))
                self._appended += 1
            case _:
                self._add(as_object(event, self._clock()))

    def _add(self, record: Record) -> None:
        self._number += 1
        line = json.dumps(record, ensure_ascii=False, allow_nan=False)
        row = (self._number, record["time"], record["event"], record.get("game"), line)
        self._changes.append(
            ("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", (*row, checksum_of(self._number, line)))
        )
        self._changes += self._tables.changes(record)
        self._appended += 1

    def keep_transcript(self, game: int, seat: int, text: str) -> None:
        """Queue the transcript of a seat; a replayed game replaces it."""
        row = (game, seat, text, checksum_of_transcript(game, seat, text))
        self._changes.append(("INSERT OR REPLACE INTO transcripts VALUES (?, ?, ?, ?)", row))
        self._appended += 1

    async def flush(self) -> None:
        """Write everything queued so far, and wait until it would survive a power cut.

        Raises:
            JournalError: it cannot be written, for instance because the disk is full. The next flush retries.
                A :class:`GoneError` if it was removed.
        """
        wanted = self._appended
        with trio.CancelScope(shield=True):
            async with self._writing:
                if self._written >= wanted:
                    # A concurrent flush has written it.
                    return
                appended, changes = self._appended, self._changes
                self._changes = []
                try:
                    await self._in_thread(partial(self._write, changes))
                except BaseException:
                    self._changes = changes + self._changes
                    raise
                self._written = appended

    def _write(self, changes: list[Change]) -> None:
        connection = self._connection
        self.check_presence()
        with explain_errors(self.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                for statement, values in changes:
                    connection.execute(statement, values)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        self.has_begun = True

    def check_presence(self) -> None:
        """Check that the open file is still the one at ``path``; SQLite would not notice.

        Raises:
            GoneError: it is not.
        """
        if _identify(self.path) != self._file:
            raise GoneError(f"{self.path} was removed or replaced while the tournament was played")

    async def requests(self, after: int = 0) -> list[tuple[int, str, str]]:
        """Return open requests of other terminals after number ``after``: number, request and argument.

        Raises:
            JournalError: the file cannot be read, or was removed.
        """

        def read() -> list[tuple[int, str, str]]:
            self.check_presence()
            with explain_errors(self.path):
                rows = self._connection.execute(
                    "SELECT number, request, argument FROM requests"
                    " WHERE answer IS NULL AND number > ? ORDER BY number",
                    (after,),
                )
                return list(rows)

        async with self._writing:
            return await self._in_thread(read)

    async def _in_thread(self, call: Callable[[], T]) -> T:
        try:
            return await trio.to_thread.run_sync(call, limiter=self._writer)
        except RuntimeError as error:
            if lack_of(error) is None:
                raise
            # No thread is available: block for the disk, which is better than ending the tournament.
            return call()

    def answer(self, number: int, sentence: str) -> None:
        """Answer a request; the next flush writes it."""
        self._changes.append(("UPDATE requests SET answer = ? WHERE number = ?", (sentence, number)))
        self._appended += 1

    def close(self) -> None:
        """Close the journal, merging SQLite's log into it, and release the tournament.

        A journal without events is removed.
        """
        self._connection.close()
        if not self.has_begun and _identify(self.path) == self._file:
            _remove(self.path)
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _identify(path: Path) -> tuple[int, int] | None:
    """Return what distinguishes a file from others at the same path; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _remove(path: Path) -> None:
    """Remove a journal and SQLite's files next to it, as far as they exist."""
    for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(OSError):
            name.unlink()


def checksum_of(number: int, line: str) -> int:
    """Return the checksum of a row of ``events``."""
    return zlib.crc32(f"{number} {line}".encode())
