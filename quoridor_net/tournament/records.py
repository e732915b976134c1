"""The lines of a journal: one event each, as JSON that ends with a checksum of what stands before it.

A file is read as if anybody had written it: every value has to be of the right type and within its range,
so that whatever is read can be shown, counted and played.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament.events import (
    Began,
    Event,
    Finished,
    Played,
    Setting,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
)
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.standings import DRAW, LOSS, WIN, points_of

#: Version of the format, in the first line. In version 1 lines had no checksum.
FORMAT = 2
UNSEALED_FORMAT = 1

#: No whole number in a journal is larger; what is larger was not written by this program.
MAX_NUMBER = 10**9

_SEAL = re.compile(rb', "crc32": "([0-9a-f]{8})"\}')
_SEAL_LENGTH = 22

#: What the line of an event holds besides its kind and time.
_KEYS = {
    "opened": {"format", "game", "entrants", "settings", "pairings"},
    "resumed": set[str](),
    "began": {"game"},
    "played": {"game", "ply", "seat", "move", "seconds"},
    "finished": {"game", "points", "termination", "sentence", "plies", "line"},
    "closed": set[str](),
}

_KINDS: dict[type[Event], str] = {
    TournamentStarted: "opened",
    TournamentResumed: "resumed",
    Began: "began",
    Played: "played",
    Finished: "finished",
    TournamentEnded: "closed",
}


class RecordError(ValueError):
    """The line holds no event; the message says why."""


def encode_record(event: Event, time: datetime) -> bytes:
    """Return the line of an event, with its checksum and its line feed."""
    body = json.dumps(to_json(event, time), ensure_ascii=False, allow_nan=False).encode()[:-1]
    return body + b', "crc32": "%08x"}\n' % zlib.crc32(body)


class RecordReader:
    """Reads the lines of one journal in order. Once a journal has checksums, every line needs one."""

    def __init__(self) -> None:
        self._needs_seal: bool | None = None

    def read(self, line: bytes) -> Event:
        """Return the event of a line; its time is not kept.

        Args:
            line: the line without its line feed.

        Raises:
            RecordError: the line is damaged or holds no event.
        """
        body, seal = line[:-_SEAL_LENGTH], _SEAL.fullmatch(line[-_SEAL_LENGTH:])
        if seal is not None:
            if int(seal[1], 16) != zlib.crc32(body):
                raise RecordError("its checksum does not match")
            line = body + b"}"
        record = _parse(line)
        if self._needs_seal is None:
            self._needs_seal = record.get("format") == FORMAT
        if seal is None and self._needs_seal:
            raise RecordError("it has no checksum")
        return from_json(record)


def may_be_cut_off(rest: bytes) -> bool:
    """Return whether ``rest``, which ends without a line feed, can be the beginning of a line.

    It can not if it holds a whole line already: then its line feed was damaged.
    """
    return _SEAL.search(rest) is None


def to_json(event: Event, time: datetime) -> dict[str, Any]:
    """Return what the line of an event contains, without its checksum."""
    line: dict[str, Any] = {
        "event": _KINDS[type(event)],
        "time": time.isoformat(timespec="milliseconds"),
    }
    match event:
        case TournamentStarted(game, entrants, pairings, settings):
            games = [[pairing.round, *pairing.seats] for pairing in pairings]
            line |= {"format": FORMAT, "game": game, "entrants": list(entrants)}
            line |= {"settings": dict(settings), "pairings": games}
        case Began(game):
            line |= {"game": game}
        case Played(game, ply, seat, move, seconds):
            line |= {"game": game, "ply": ply, "seat": seat, "move": move, "seconds": round(seconds, 6)}
        case Finished(game, result):
            line |= {
                "game": game,
                "points": list(points_of(Pairing(1, 1, (1, 2, 3)[: max(result.winner or 0, 2)]), result)),
                "termination": str(result.termination),
                "sentence": result.sentence,
                "plies": result.plies,
                "line": result.line,
            }
    return line


def from_json(record: dict[str, Any]) -> Event:
    """Return the event of a line that was parsed.

    Raises:
        RecordError: it holds none.
    """
    kind = _text(record.get("event"))
    if kind not in _KEYS:
        raise RecordError(f"the event {kind[:20]!r} is unknown")
    if record.keys() != _KEYS[kind] | {"event", "time"}:
        raise RecordError(f"the event {kind!r} holds other values than it should")
    _text(record["time"])
    match kind:
        case "opened":
            return _opened(record)
        case "resumed":
            return TournamentResumed()
        case "began":
            return Began(_number(record["game"], 1))
        case "played":
            return Played(
                _number(record["game"], 1),
                _number(record["ply"], 1),
                _number(record["seat"], 1),
                _text(record["move"]),
                _seconds(record["seconds"]),
            )
        case "finished":
            return Finished(_number(record["game"], 1), _result(record))
    return TournamentEnded()


def _parse(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(
            line.decode(), object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, RecordError) else "it is not JSON"
        raise RecordError(reason) from None
    if not isinstance(record, dict):
        raise RecordError("it is not a JSON object")
    return record


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RecordError("a name occurs twice")
    return found


def _refuse_constant(name: str) -> float:
    raise RecordError(f"{name} is not a number")


def _opened(record: dict[str, Any]) -> TournamentStarted:
    journal_format = _number(record["format"], 1)
    if journal_format not in {UNSEALED_FORMAT, FORMAT}:
        raise RecordError(f"its format is {journal_format}, and this program reads formats up to {FORMAT}")
    entrants = tuple(_text(name) for name in _list(record["entrants"]))
    if len(entrants) < 2 or len(set(entrants)) != len(entrants):
        raise RecordError("it names fewer than two entrants, or one twice")
    if not all(name.isprintable() and name for name in entrants):
        raise RecordError("a name is empty or cannot be shown")
    games = _list(record["pairings"])
    pairings = tuple(_pairing(number, game, len(entrants)) for number, game in enumerate(games, 1))
    if not pairings:
        raise RecordError("it names no games")
    settings = record["settings"]
    if not isinstance(settings, dict):
        raise RecordError("its settings are not a JSON object")
    kept = {name: _setting(value) for name, value in settings.items()}
    return TournamentStarted(_text(record["game"]), entrants, pairings, kept)


def _pairing(number: int, game: Any, entrants: int) -> Pairing:
    played_in, *seats = (_number(value, 1) for value in _list(game) or [None])
    if len(seats) < 2 or len(set(seats)) != len(seats) or max(seats) > entrants:
        raise RecordError(f"game {number} is not between entrants of this tournament")
    return Pairing(number, played_in, tuple(seats))


def _result(record: dict[str, Any]) -> Result:
    points = tuple(_real(each) for each in _list(record["points"]))
    if sorted(points) not in _scores(len(points)):
        raise RecordError("its points are not those of a game")
    named = _text(record["termination"])
    if named not in {str(termination) for termination in Termination}:
        raise RecordError(f"the termination {named[:20]!r} is unknown")
    winner = points.index(WIN) + 1 if WIN in points else None
    return Result(
        winner,
        Termination(named),
        _text(record["sentence"]),
        _number(record["plies"], 0),
        _text(record["line"]),
    )


def _scores(seats: int) -> Iterable[list[float]]:
    """Return what a game may count for its players, sorted: one wins, all draw, or nobody came."""
    return ([*[LOSS] * (seats - 1), WIN], [DRAW] * seats, [LOSS] * seats)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise RecordError("a text is missing or of another type")
    return value


def _number(value: Any, least: int) -> int:
    # To Python a truth value is an integer.
    if type(value) is not int or not least <= value <= MAX_NUMBER:
        raise RecordError("a number is missing, out of range or of another type")
    return value


def _real(value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    return float(_number(value, 0))


def _seconds(value: Any) -> float:
    seconds = _real(value)
    if seconds < 0:
        raise RecordError("a time is negative")
    return seconds


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise RecordError("a list is missing or of another type")
    return value


def _setting(value: Any) -> Setting:
    if value is not None and not isinstance(value, str | bool):
        _real(value)
    setting: Setting = value
    return setting
