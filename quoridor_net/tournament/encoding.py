"""Conversion of tournament events to and from JSON objects, documented in docs/reference/events.md.

Objects are untrusted: every value that is used must have the right type and be within its range.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from quoridor_net.events import GameEnded, GameStarted, MoveMade, MoveTimes, PlayerOut, TurnPassed
from quoridor_net.match import encoding
from quoridor_net.match.encoding import VERSION
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable, phrase_of, translatable
from quoridor_net.tournament.events import (
    EntrantAway,
    EntrantBack,
    EntrantEvent,
    EntrantJoined,
    EntrantRenewed,
    EntrantReturned,
    EntrantWithdrawn,
    Event,
    GameEvent,
    RoundPaired,
    Setting,
    SettingChanged,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentStopping,
)
from quoridor_net.tournament.schedule import Pairing

#: Largest integer in a journal; this program writes no larger ones.
MAX_NUMBER = 10**9

#: Created once, because creating it for each game would slow down reading large journals.
_STARTED = GameStarted((), None, None, 0)

T = TypeVar("T")
Record = Mapping[str, Any]
_TERMINATIONS = {str(termination): termination for termination in Termination}
_KINDS: dict[type, str] = {list: "a list", dict: "a JSON object"}


class RecordError(ValueError):
    """The object is not an event; the message says why."""


class VersionError(ValueError):
    """The journal is of another version; the message says so, without a subject."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"is a journal of version {version}, but this program reads version {VERSION}:"
            " use the program that wrote it"
        )


def as_object(event: Event, time: datetime) -> dict[str, Any]:
    """Return ``event``, which happened at ``time``, as an object for JSON."""
    stamp = {"time": time.isoformat(timespec="milliseconds")}
    match event:
        case TournamentStarted(rules, entrants, settings, addresses):
            return {
                "event": "tournament_started",
                **stamp,
                "version": VERSION,
                "rules": rules,
                "entrants": list(entrants),
                "addresses": list(addresses),
                "settings": dict(settings),
            }
        case RoundPaired(number, pairings, byes, half_byes):
            return {
                "event": "round_paired",
                **stamp,
                "round": number,
                "games": [[pairing.number, pairing.pair, *pairing.seats] for pairing in pairings],
                "byes": list(byes),
                "half_byes": list(half_byes),
            }
        case SettingChanged(name, value):
            return {"event": "setting_changed", **stamp, "name": name, "value": value}
        case TournamentResumed():
            return {"event": "tournament_resumed", **stamp}
        case TournamentStopping():
            return {"event": "tournament_stopping", **stamp}
        case GameEvent(game, inner):
            fields = encoding.as_object(inner)
            return {"event": fields.pop("event"), **stamp, "game": game, **fields}
        case TournamentEnded():
            return {"event": "tournament_ended", **stamp}
        case _:
            fields = _entrant_fields(event)
            return {"event": fields.pop("event"), **stamp, **fields}


def _entrant_fields(event: EntrantEvent) -> dict[str, Any]:
    """Return the fields of the event of an entrant, without its time."""
    match event:
        case EntrantJoined(name, address, half_byes):
            return {
                "event": "entrant_joined",
                "name": name,
                "address": address,
                "half_byes": list(half_byes),
            }
        case EntrantWithdrawn(entrant):
            return {"event": "entrant_withdrawn", "entrant": entrant}
        case EntrantReturned(entrant, address):
            return {"event": "entrant_returned", "entrant": entrant, "address": address}
        case EntrantAway(entrant, sentence):
            told = {"entrant": entrant, "sentence": sentence, "phrase": phrase_of(sentence)}
            return {"event": "entrant_away", **told}
        case EntrantBack(entrant):
            return {"event": "entrant_back", "entrant": entrant}
        case EntrantRenewed(entrant, version, address, elo):
            told = {"entrant": entrant, "version": version, "address": address, "elo": elo}
            return {"event": "entrant_renewed", **told}


def parse_event(record: Record) -> Event:
    """Return the event in ``record``, without names and positions, which a state does not need.

    Raises:
        RecordError: it is not an event.
        VersionError: the journal is of another version.
    """
    match kind := _text(record, "event"):
        # The most frequent ones first.
        case "game_ended":
            return GameEvent(
                whole_number(record, "game", 1), GameEnded(_result(record), (), None, _times(record))
            )
        case "game_started":
            return GameEvent(whole_number(record, "game", 1), _STARTED)
        case "move_made":
            game, player, ply = (whole_number(record, name, 1) for name in ("game", "player", "ply"))
            return GameEvent(game, MoveMade(player, _text(record, "move"), ply, 0.0, None))
        case "turn_passed":
            player = whole_number(record, "player", 1)
            return GameEvent(whole_number(record, "game", 1), TurnPassed(player))
        case "player_out":
            player, fault = whole_number(record, "player", 1), _fault(record)
            return GameEvent(whole_number(record, "game", 1), PlayerOut(player, fault, None))
        case _:
            return _event_between_games(kind, record)


def _event_between_games(kind: str, record: Record) -> Event:
    match kind:
        case "tournament_started":
            return _start(record)
        case "round_paired":
            number = whole_number(record, "round", 1)
            byes = _entrants(_value(record, "byes", list))
            return RoundPaired(number, _pairings(record, number), byes, _half_byes(record))
        case "setting_changed":
            return SettingChanged(_text(record, "name"), _setting(record.get("value")))
        case "tournament_resumed":
            return TournamentResumed()
        case "tournament_stopping":
            return TournamentStopping()
        case "tournament_ended":
            return TournamentEnded()
        case _:
            return _event_of_entrant(kind, record)


def _event_of_entrant(kind: str, record: Record) -> Event:
    if kind == "entrant_joined":
        name, address = _name(_text(record, "name")), _text(record, "address")
        return EntrantJoined(name, address, _half_byes(record))
    kinds: dict[str, Callable[[int], Event]] = {
        "entrant_withdrawn": EntrantWithdrawn,
        "entrant_returned": lambda entrant: EntrantReturned(entrant, _text(record, "address")),
        "entrant_away": lambda entrant: EntrantAway(entrant, _sentence(record)),
        "entrant_back": EntrantBack,
        "entrant_renewed": lambda entrant: _renew(entrant, record),
    }
    if kind not in kinds:
        raise RecordError(f"the event {kind[:20]!r} is unknown")
    return kinds[kind](whole_number(record, "entrant", 1))


def parse_object(text: str | bytes) -> dict[str, Any]:
    """Parse a line of JSON and return its object.

    Raises:
        RecordError: it is not a JSON object.
    """
    try:
        record = _DECODER.decode(text if isinstance(text, str) else text.decode())
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, RecordError) else "it is not JSON"
        raise RecordError(reason) from None
    if not isinstance(record, dict):
        raise RecordError("it is not a JSON object")
    return record


def whole_number(record: Record, name: str, least: int) -> int:
    """Return an integer field.

    Raises:
        RecordError: it is not an integer from ``least`` to :data:`MAX_NUMBER`.
    """
    value = record.get(name)
    # isinstance() would accept bool.
    if type(value) is not int or not least <= value <= MAX_NUMBER:
        raise RecordError(f"{name} is missing, out of range or not an integer")
    return value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RecordError("a key occurs twice")
    return found


def _refuse_constant(name: str) -> float:
    raise RecordError(f"{name} is not a number")


# Shared, because ``json.loads`` creates one for every line.
_DECODER = json.JSONDecoder(object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)


def _start(record: Record) -> TournamentStarted:
    version = whole_number(record, "version", 1)
    if version != VERSION:
        raise VersionError(version)
    entrants = tuple(_name(name) for name in _value(record, "entrants", list))
    if len(entrants) < 2 or len(set(entrants)) != len(entrants):
        raise RecordError("entrants has fewer than two names, or one twice")
    addresses = tuple(_value(record, "addresses", list))
    if not all(isinstance(address, str) for address in addresses) or len(addresses) not in {0, len(entrants)}:
        raise RecordError("addresses is not one string for each entrant")
    rules = _text(record, "rules")
    if not rules:
        raise RecordError("rules is empty")
    return TournamentStarted(rules, entrants, _settings(record), addresses)


def _name(name: object) -> str:
    if not isinstance(name, str) or not name or not name.isprintable():
        raise RecordError("the name of an entrant is empty or not printable")
    return name


def _renew(entrant: int, record: Record) -> EntrantRenewed:
    elo = record.get("elo")
    # isinstance() would accept bool.
    if type(elo) not in {float, int, type(None)} or abs(elo or 0) > MAX_NUMBER:
        raise RecordError("elo is not a number or null")
    return EntrantRenewed(entrant, _name(_text(record, "version")), _text(record, "address"), elo)


def _settings(record: Record) -> dict[str, Setting]:
    settings = _value(record, "settings", dict)
    return {name: _setting(value) for name, value in settings.items()}


def _setting(value: object) -> Setting:
    if value is not None and not isinstance(value, str | int | float):
        raise RecordError("a setting is not a string, a number, a boolean or null")
    return value


def _entrants(numbers: list[Any]) -> tuple[int, ...]:
    if not all(type(number) is int and 1 <= number <= MAX_NUMBER for number in numbers):
        raise RecordError("an entrant is not given by its number")
    return tuple(numbers)


def _half_byes(record: Record) -> tuple[int, ...]:
    # Optional in journals.
    return _entrants(_value(record, "half_byes", list)) if "half_byes" in record else ()


def _pairings(record: Record, number_of_round: int) -> tuple[Pairing, ...]:
    pairings = []
    for game in _value(record, "games", list):
        if not (isinstance(game, list) and len(game) > 3 and type(game[1]) is int and game[1] >= 0):
            raise RecordError("a game is not a number, a pair and at least two entrants")
        number, *seats = _entrants([game[0], *game[2:]])
        if len(set(seats)) != len(seats):
            raise RecordError(f"game {number} has an entrant twice")
        pairings.append(Pairing(number, number_of_round, tuple(seats), game[1]))
    return tuple(pairings)


def _result(record: Record) -> Result:
    winner = None if record.get("winner", 0) is None else whole_number(record, "winner", 1)
    plies = whole_number(record, "plies", 0)
    return Result(winner, _termination(record), _sentence(record), plies, _text(record, "line"))


def _times(record: Record) -> tuple[MoveTimes, ...]:
    found = []
    # Optional in journals.
    for times in _value(record, "times", list) if "times" in record else ():
        match times:
            case [int(moves), int() | float() as seconds, int() | float() as longest] if (
                0 <= moves <= MAX_NUMBER and 0 <= longest <= seconds <= MAX_NUMBER
            ):
                found.append(MoveTimes(moves, float(seconds), float(longest)))
            case _:
                raise RecordError("times lacks a number of moves and two durations for each player")
    return tuple(found)


def _fault(record: Record) -> ForfeitError:
    line, hint = _text(record, "line"), _text(record, "hint")
    return ForfeitError(_termination(record), _sentence(record), line, hint)


def _termination(record: Record) -> Termination:
    named = _text(record, "termination")
    termination = _TERMINATIONS.get(named)
    if termination is None:
        raise RecordError(f"the termination {named[:20]!r} is unknown")
    return termination


def _sentence(record: Record) -> Translatable:
    try:
        return translatable(_text(record, "sentence"), record.get("phrase"))
    except ValueError as error:
        raise RecordError(f"the phrase is invalid: {error}") from None


def _value(record: Record, name: str, kind: type[T]) -> T:
    value = record.get(name)
    if not isinstance(value, kind):
        raise RecordError(f"{name} is missing or not {_KINDS[kind]}")
    return value


def _text(record: Record, name: str) -> str:
    # Not by _value, which would add a call to the most frequent lookup.
    value = record.get(name)
    if not isinstance(value, str):
        raise RecordError(f"{name} is missing or not a string")
    return value
