"""Read games in the JSON of an arena of engines, ``eval_replay_v1``: actions with columns and rows from 0.

``P1`` starts at (4, 0). An action moves the pawn (``pawn``) or places a wall (``hwall``, ``vwall``), whose
anchor is the lower column and row around its middle.
"""

from __future__ import annotations

from typing import Any

from quoridor_net.moves import Orientation, Square, Step, Wall
from quoridor_net.notation.lan import LAN
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.json_text import Occurrences, objects_in, parse_json, text_in
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.replay import Outcome, Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.rules import STANDARD_SIZE, Jumps, Move, Ply, Termination
from quoridor_net.text import quote

_SCHEMA = "eval_replay_v1"
_PLAYERS = {"P1": 1, "P2": 2}
_WALLS = {"hwall": Orientation.HORIZONTAL, "vwall": Orientation.VERTICAL}


def is_arena(text: str) -> bool:
    """Return whether ``text`` looks like such a record."""
    return text.lstrip()[:1] == "{" and f'"{_SCHEMA}"' in text


def read_arena(text: str, jumps: Jumps, partial: bool) -> Replay:
    """Return the game of such a record; see :func:`parse_game`."""
    data = parse_json(text)
    actions = objects_in(data, "actions")
    if not actions:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.NO_RECORD(reason="no actions"), 1, 1)
    record = Record(Setting(jumps=jumps), lambda _size: LAN)
    places, place = Occurrences(text), Place(1)
    names: dict[str, str] = {}
    for number, action in enumerate(actions, 1):
        place = places.next("action_type")
        player = text_in(action, "player_id")
        names.setdefault(player, text_in(action, "actor_name"))
        try:
            record.add(_ply(action, player, place), place)
        except ReplayError as error:
            sentence = RecordPhrase.AT_PLY(ply=number, reason=error.sentence)
            raise ReplayError(error.fault, sentence, error.line, error.column, error.reason) from None
    if all(names.get(player) for player in _PLAYERS):
        record.metadata.add("Players", " vs ".join(names[player] for player in _PLAYERS), 1)
    _add_result(data, record, place)
    return record.finish(place, partial=partial)


def _ply(action: dict[str, Any], player: str, place: Place) -> Ply:
    kind, column, row = (action.get(key) for key in ("action_type", "x", "y"))
    if player not in _PLAYERS:
        raise ReplayError(Fault.SYNTAX, f"{quote(player)} is not P1 or P2", place.line, place.move)
    numbers = range(STANDARD_SIZE)
    if type(column) is not int or type(row) is not int or column not in numbers or row not in numbers:
        raise ReplayError(Fault.SYNTAX, "x and y are not numbers from 0 to 8", place.line, place.move)
    move: Move
    if kind == "pawn":
        move = Step(Square(column, row))
    elif isinstance(kind, str) and kind in _WALLS:
        move = Wall(column, row, _WALLS[kind])
    else:
        sentence = f"{quote(str(kind))} is not pawn, hwall or vwall"
        raise ReplayError(Fault.SYNTAX, sentence, place.line, place.move)
    return Ply(_PLAYERS[player], move)


def _add_result(data: Any, record: Record, place: Place) -> None:
    """Add the stated result to the metadata, so that it is compared with the board."""
    winner = _PLAYERS.get(text_in(data, "winner"))
    is_over = record.position.ending is not None
    if winner is not None:
        outcome = Outcome(winner, str(record.position.ending or Termination.PUT_OUT))
    elif text_in(data, "termination_reason") == "timeout" and not is_over:
        # The arena's word for a game that reached its ply limit.
        outcome = Outcome(None, str(Termination.PLY_LIMIT))
    else:
        return
    for key, value in outcome.metadata:
        record.metadata.add(key, value, place.line)
