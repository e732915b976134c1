"""Events of a tournament as objects for JSON, and the lines of a journal made of them.

An object is documented in docs/reference/events.md. A line of a journal is one object that ends with a
checksum of what stands before it. A journal is read as if anybody had written it: every value that is used
has to be of the right type and within its range, so that it can be shown, counted and played.
"""

from __future__ import annotations

import json
import re
import zlib
from datetime import datetime
from typing import Any, TypeVar

from quoridor_net.match import encoding
from quoridor_net.match.encoding import VERSION
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament.events import (
    Event,
    GameEvent,
    Setting,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
)
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.state import TournamentState

#: No whole number in a journal is larger; what is larger was not written by this program.
MAX_NUMBER = 10**9

T = TypeVar("T")
_KINDS: dict[type, str] = {str: "text", list: "a list", dict: "a JSON object"}

_CHECKSUM = re.compile(rb', "crc32": "([0-9a-f]{8})"\}')
_CHECKSUM_LENGTH = 22

#: The first line of journals before version 3.
_OLD_START = "opened"


class RecordError(ValueError):
    """The line holds no event; the message says why."""


class VersionError(ValueError):
    """The journal is of another version; the message says so, without a subject."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"is a journal of version {version}, and this program reads version {VERSION}:"
            " use the program that wrote it"
        )


def as_object(event: Event, time: datetime) -> dict[str, Any]:
    """Return ``event``, which happened at ``time``, as an object for JSON."""
    stamp = {"time": time.isoformat(timespec="milliseconds")}
    match event:
        case TournamentStarted(rules, entrants, pairings, settings):
            return {
                "event": "tournament_started",
                **stamp,
                "version": VERSION,
                "rules": rules,
                "entrants": list(entrants),
                "settings": dict(settings),
                "pairings": [[pairing.round, *pairing.seats] for pairing in pairings],
            }
        case TournamentResumed():
            return {"event": "tournament_resumed", **stamp}
        case GameEvent(game, inner):
            fields = encoding.as_object(inner)
            return {"event": fields.pop("event"), **stamp, "game": game, **fields}
        case TournamentEnded():
            return {"event": "tournament_ended", **stamp}


def journal_line(event: Event, time: datetime) -> bytes:
    """Return the line of an event, with its checksum and its line feed."""
    body = json.dumps(as_object(event, time), ensure_ascii=False, allow_nan=False).encode()[:-1]
    return body + b', "crc32": "%08x"}\n' % zlib.crc32(body)


def apply_line(state: TournamentState, line: bytes) -> None:
    """Apply the event of a line of a journal, without its line feed, to ``state``.

    Raises:
        RecordError: the line is damaged or holds no event.
        VersionError: the journal is of another version.
        StateError: the event cannot follow those before it.
    """
    record = _checked(line)
    kind = _text(record, "event")
    match kind:
        case "tournament_started":
            state.start(_plan(record))
        case "tournament_resumed":
            state.resume()
        case "game_started":
            state.start_game(_number(record, "game", 1))
        case "move_made":
            state.make_move(*(_number(record, name, 1) for name in ("game", "player", "ply")))
        case "game_ended":
            state.end_game(_number(record, "game", 1), _result(record))
        case "tournament_ended":
            state.end()
        case "turn_passed" | "player_out":
            pass
        case _:
            raise RecordError(f"the event {kind[:20]!r} is unknown")


def may_be_cut_off(rest: bytes) -> bool:
    """Return whether ``rest``, which ends without a line feed, can be the beginning of a line.

    It cannot if it holds a whole line already: then its line feed was damaged.
    """
    return _CHECKSUM.search(rest) is None


def _checked(line: bytes) -> dict[str, Any]:
    """Return the object in a line whose checksum is right."""
    body, checksum = line[:-_CHECKSUM_LENGTH], _CHECKSUM.fullmatch(line[-_CHECKSUM_LENGTH:])
    if checksum is not None and int(checksum[1], 16) != zlib.crc32(body):
        raise RecordError("its checksum does not match")
    record = _parse(line if checksum is None else body + b"}")
    if record.get("event") == _OLD_START:
        raise VersionError(_number(record, "format", 1))
    if checksum is None:
        raise RecordError("it has no checksum")
    return record


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


def _plan(record: dict[str, Any]) -> TournamentStarted:
    version = _number(record, "version", 1)
    if version != VERSION:
        raise VersionError(version)
    entrants = tuple(_value(record, "entrants", list))
    if len(entrants) < 2 or len(set(map(str, entrants))) != len(entrants):
        raise RecordError("entrants names fewer than two, or one twice")
    if not all(isinstance(name, str) and name and name.isprintable() for name in entrants):
        raise RecordError("a name in entrants is empty or cannot be shown")
    games = _value(record, "pairings", list)
    pairings = tuple(_pairing(number, game, len(entrants)) for number, game in enumerate(games, 1))
    if not pairings:
        raise RecordError("pairings is empty")
    return TournamentStarted(_text(record, "rules"), entrants, pairings, _settings(record))


def _settings(record: dict[str, Any]) -> dict[str, Setting]:
    settings = _value(record, "settings", dict)
    if not all(value is None or isinstance(value, str | int | float) for value in settings.values()):
        raise RecordError("a setting is neither text, number, truth value nor null")
    return settings


def _pairing(number: int, game: Any, entrants: int) -> Pairing:
    is_list = isinstance(game, list) and len(game) > 2
    # To Python a truth value is an integer.
    if not (is_list and all(type(value) is int and 1 <= value <= MAX_NUMBER for value in game)):
        raise RecordError(f"game {number} in pairings is not a round and at least two entrants")
    played_in, *seats = game
    if len(set(seats)) != len(seats) or max(seats) > entrants:
        raise RecordError(f"game {number} in pairings is not between entrants of this tournament")
    return Pairing(number, played_in, tuple(seats))


def _result(record: dict[str, Any]) -> Result:
    winner = None if record.get("winner", 0) is None else _number(record, "winner", 1)
    named = _text(record, "termination")
    if named not in {str(termination) for termination in Termination}:
        raise RecordError(f"the termination {named[:20]!r} is unknown")
    return Result(
        winner,
        Termination(named),
        _text(record, "sentence"),
        _number(record, "plies", 0),
        _text(record, "line"),
    )


def _value(record: dict[str, Any], name: str, kind: type[T]) -> T:
    value = record.get(name)
    if not isinstance(value, kind):
        raise RecordError(f"{name} is missing or not {_KINDS[kind]}")
    return value


def _text(record: dict[str, Any], name: str) -> str:
    return _value(record, name, str)


def _number(record: dict[str, Any], name: str, least: int) -> int:
    value = record.get(name)
    if type(value) is not int or not least <= value <= MAX_NUMBER:
        raise RecordError(f"{name} is missing, out of range or not a whole number")
    return value
