"""The journal: every event of a tournament as one line of JSON, written when it happens.

It is the only record there is: tables are made from it, and an interrupted tournament goes on from it. A
crash can cut off its last line, which then is as good as not written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from quoridor_net.rules.termination import Termination
from quoridor_net.tournament.events import Began, Closed, Event, Finished, Opened, Played, Resumed
from quoridor_net.tournament.ledger import Ledger, LedgerError
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.verdict import Verdict

#: Version of the format, in the first line.
FORMAT = 1

# After these the file is forced onto the disk: at most the moves of games going on are lost with the power.
_KEPT = (Opened, Finished, Closed)


class JournalError(Exception):
    """The file is no journal that can be used; the message names the line and says what is wrong."""


def _now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """Appends events to a file. Use it as a context manager, or close it.

    Make one with :meth:`create` or :meth:`resume`.

    Args:
        path: the file.
        clock: returns the time for the lines.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime] = _now) -> None:
        # Without a buffer: what could not be written is not tried again when the file is closed.
        self._file = path.open("ab", buffering=0)
        self._clock = clock

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Begin a new journal.

        Raises:
            JournalError: the file exists or cannot be written.
        """
        try:
            path.touch(exist_ok=False)
            return cls(path)
        except FileExistsError:
            raise JournalError(f"{path} exists: continue it with --resume, or name another file") from None
        except OSError as error:
            raise JournalError(f"{path} cannot be written: {error.strerror}") from None

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, Ledger]:
        """Cut off what a crash left of the last line; return the journal, to append to, and what it tells.

        Raises:
            JournalError: the file cannot be read or written, or a line before the last is damaged.
        """
        ledger, length = _read(path)
        try:
            os.truncate(path, length)
            return cls(path), ledger
        except OSError as error:
            raise JournalError(f"{path} cannot be written: {error.strerror}") from None

    def append(self, event: Event) -> None:
        """Write one event; it is in the file when this returns.

        Raises:
            JournalError: it could not be written, as when the disk is full.
        """
        line = json.dumps(to_json(event, self._clock()), ensure_ascii=False).encode() + b"\n"
        try:
            # A disk that is nearly full takes a part and refuses the rest.
            while line:
                line = line[self._file.write(line) :]
            if isinstance(event, _KEPT):
                os.fsync(self._file.fileno())
        except OSError as error:
            raise JournalError(f"{self._file.name} cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_journal(path: Path) -> Ledger:
    """Return what a journal tells, without what a crash left of its last line.

    Raises:
        JournalError: the file cannot be read, or a line before the last is damaged.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[Ledger, int]:
    """Return what the journal tells, and how many bytes of it do so."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}") from None
    ledger, length = Ledger(), 0
    for number, line in enumerate(lines, 1):
        try:
            event = from_json(json.loads(line))
        except (ValueError, TypeError, KeyError, RecursionError):
            if number == len(lines) > 1:
                break
            raise JournalError(
                f"{path}, line {number} is damaged; is this the journal of a tournament?"
            ) from None
        if not line.endswith(b"\n"):
            break
        try:
            ledger.apply(event)
        except LedgerError as error:
            raise JournalError(f"{path}, line {number} contradicts the lines before it: {error}") from None
        length += len(line)
    if ledger.opened is None:
        raise JournalError(f"{path} holds no tournament")
    return ledger, length


def to_json(event: Event, time: datetime) -> dict[str, Any]:
    """Return what the line of an event contains."""
    line: dict[str, Any] = {
        "event": type(event).__name__.lower(),
        "time": time.isoformat(timespec="milliseconds"),
    }
    match event:
        case Opened(game, entrants, pairings, settings):
            games = [[pairing.round, *pairing.seats] for pairing in pairings]
            line |= {"format": FORMAT, "game": game, "entrants": list(entrants), "settings": dict(settings)}
            line |= {"pairings": games}
        case Began(game):
            line |= {"game": game}
        case Played(game, ply, seat, move, seconds):
            line |= {"game": game, "ply": ply, "seat": seat, "move": move, "seconds": round(seconds, 6)}
        case Finished(game, verdict):
            line |= {
                "game": game,
                "points": list(verdict.points),
                "termination": str(verdict.termination),
                "sentence": verdict.sentence,
                "plies": verdict.plies,
                "line": verdict.line,
            }
    return line


def from_json(line: dict[str, Any]) -> Event:
    """Return the event of a line; its time is not kept.

    Raises:
        KeyError, TypeError, ValueError: the line holds none.
    """
    match line["event"]:
        case "opened" if line["format"] == FORMAT:
            pairings = tuple(
                Pairing(number, int(game[0]), tuple(int(seat) for seat in game[1:]))
                for number, game in enumerate(line["pairings"], 1)
            )
            entrants = tuple(str(name) for name in line["entrants"])
            if any(not 1 <= seat <= len(entrants) for pairing in pairings for seat in pairing.seats):
                raise ValueError("a pairing names an entrant that there is not")
            return Opened(str(line["game"]), entrants, pairings, dict(line["settings"]))
        case "resumed":
            return Resumed()
        case "began":
            return Began(int(line["game"]))
        case "played":
            return Played(
                int(line["game"]),
                int(line["ply"]),
                int(line["seat"]),
                str(line["move"]),
                float(line["seconds"]),
            )
        case "finished":
            verdict = Verdict(
                tuple(float(points) for points in line["points"]),
                Termination(line["termination"]),
                str(line["sentence"]),
                int(line["plies"]),
                str(line["line"]),
            )
            return Finished(int(line["game"]), verdict)
        case "closed":
            return Closed()
    raise ValueError(f"unknown event {line['event']!r}")
