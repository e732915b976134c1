"""The journal: every event of a tournament as one line of JSON, written when it happens.

Tables are made from it, and an interrupted tournament goes on from it. A crash can cut off its last line,
which then counts as not written. Any other damage is found by the checksums of the lines.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from quoridor_net.match import GameEnded, MoveRequested
from quoridor_net.tournament.encoding import (
    RecordError,
    VersionError,
    apply_line,
    journal_line,
    may_be_cut_off,
)
from quoridor_net.tournament.events import Event, GameEvent, TournamentEnded, TournamentStarted
from quoridor_net.tournament.state import StateError, TournamentState


class JournalError(Exception):
    """The file cannot be used as a journal; the message names the line and says what is wrong."""


def _now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """Appends events to a file. Use it as a context manager, or close it.

    Make one with :meth:`create` or :meth:`resume`.

    Args:
        path: the file.
        clock: returns the time for the lines.
        is_new: whether the file must not exist yet.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime] = _now, *, is_new: bool = False) -> None:
        self.path = path
        # Without a buffer: what could not be written is not tried again when the file is closed.
        self._file = path.open("xb" if is_new else "ab", buffering=0)
        self._clock = clock

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Begin a new journal.

        Raises:
            JournalError: the file exists or cannot be written.
        """
        try:
            return cls(path, is_new=True)
        except FileExistsError:
            raise JournalError(f"{path} exists: continue it with --resume, or name another file") from None
        except OSError as error:
            raise JournalError(f"{path} cannot be written: {error.strerror}") from None

    @classmethod
    def create_beside(cls, path: Path) -> Journal:
        """Begin a new journal at ``path``; where that exists, at the first free of ``NAME-2``, ``NAME-3``...

        Raises:
            JournalError: no file can be written there.
        """
        others = (path.with_stem(f"{path.stem}-{number}") for number in itertools.count(2))
        return cls.create(next(name for name in itertools.chain([path], others) if not os.path.lexists(name)))

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, TournamentState]:
        """Cut off what a crash left of the last line; return the journal, to append to, and its state.

        Raises:
            JournalError: the file cannot be read or written, or a line is damaged.
        """
        state, kept = _read(path)
        try:
            os.truncate(path, len(kept))
            journal = cls(path)
        except OSError as error:
            raise JournalError(f"{path} cannot be written: {error.strerror}") from None
        if not kept.endswith(b"\n"):
            journal._write(b"\n")
        return journal, state

    def append(self, event: Event) -> None:
        """Write one event; it is in the file when this returns.

        Raises:
            JournalError: it could not be written, as when the disk is full.
        """
        match event:
            case GameEvent(_, MoveRequested()):
                # Nothing has happened yet.
                return
            case TournamentStarted() | TournamentEnded() | GameEvent(_, GameEnded()):
                # With the power only moves of running games can be lost.
                self._write(journal_line(event, self._clock()), is_synced=True)
            case _:
                self._write(journal_line(event, self._clock()))

    def _write(self, data: bytes, *, is_synced: bool = False) -> None:
        try:
            # A disk that is nearly full takes a part and refuses the rest.
            while data:
                data = data[self._file.write(data) :]
            if is_synced:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_journal(path: Path) -> TournamentState:
    """Return the state that follows from a journal, without what a crash left of its last line.

    Raises:
        JournalError: the file cannot be read, or a line is damaged.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[TournamentState, bytes]:
    """Return the state that follows from the journal, and the bytes that were used."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}") from None
    *lines, rest = data.split(b"\n")
    state = TournamentState()
    for number, line in enumerate(lines, 1):
        _apply(state, line, path, number)
    kept = data[: len(data) - len(rest)]
    if rest and not may_be_cut_off(rest):
        # Only the line feed is missing; or it was there and is damaged.
        _apply(state, rest, path, len(lines) + 1)
        kept = data
    if state.plan is None:
        raise JournalError(f"{path} holds no tournament")
    return state, kept


def _apply(state: TournamentState, line: bytes, path: Path, number: int) -> None:
    where = f"{path}, line {number}"
    try:
        apply_line(state, line)
    except VersionError as error:
        raise JournalError(f"{path} {error}") from None
    except RecordError as error:
        raise JournalError(f"{where} is damaged, or this is not a tournament's journal: {error}") from None
    except StateError as error:
        raise JournalError(f"{where} contradicts the lines before it: {error}") from None
