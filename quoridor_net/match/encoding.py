"""Encode events of a match as JSON objects, for ``--json`` and the journal of a tournament.

docs/reference/events.md documents the schema. Times are in seconds; players are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quoridor_net.clobber import ClobberPosition
from quoridor_net.events import (
    GameEnded,
    GameStarted,
    MatchEvent,
    MoveMade,
    MoveRequested,
    MovesTakenBack,
    PlayerOut,
    TurnPassed,
)
from quoridor_net.phrases import phrase_of
from quoridor_net.rules import Position

#: Version of the schema. It changes when a field is renamed, removed or given another meaning, but not when a
#: field is added.
VERSION = 4

Value = str | int | float | None | list[str] | list[list[float]] | Mapping[str, Any]


def as_object(event: MatchEvent[Any, Any]) -> dict[str, Value]:
    """Return ``event`` as a JSON object; its field ``event`` names the kind."""
    match event:
        case GameStarted():
            return {
                "event": "game_started",
                "version": VERSION,
                "names": list(event.names),
                **board(event.position),
                "position": line(event.position),
                "move_time": event.move_time,
                "ply_limit": event.ply_limit,
            }
        case MoveRequested():
            return {"event": "move_requested", "player": event.player, "ply": event.ply}
        case MoveMade():
            return {
                "event": "move_made",
                "player": event.player,
                "move": str(event.move),
                "ply": event.ply,
                # Clocks are not more precise than this.
                "seconds": round(event.seconds, 6),
                "position": line(event.position),
            }
        case TurnPassed():
            return {"event": "turn_passed", "player": event.player}
        case MovesTakenBack():
            return {
                "event": "moves_taken_back",
                "player": event.player,
                "plies": event.plies,
                "position": line(event.position),
            }
        case PlayerOut(fault=fault):
            return {
                "event": "player_out",
                "player": event.player,
                "termination": str(fault.termination),
                "sentence": fault.sentence,
                "phrase": phrase_of(fault.sentence),
                "line": fault.line,
                "hint": fault.hint,
                "hint_phrase": phrase_of(fault.hint),
                "move": None if fault.move is None else str(fault.move),
                "ply": event.ply,
                "position": line(event.position),
            }
        case GameEnded():
            result = event.result
            return {
                "event": "game_ended",
                "winner": result.winner,
                "termination": str(result.termination),
                "sentence": result.sentence,
                "phrase": phrase_of(result.sentence),
                "plies": result.plies,
                "line": result.line,
                "names": list(event.names),
                "position": line(event.position),
                "times": [
                    [each.moves, round(each.seconds, 6), round(each.longest, 6)] for each in event.times
                ],
            }


def board(position: Position | ClobberPosition) -> dict[str, Value]:
    """Return the fields that describe the board."""
    if isinstance(position, Position):
        return {"size": position.size, "jumps": str(position.jumps)}
    return {"columns": position.columns, "rows": position.rows}


def line(position: Position | ClobberPosition) -> str:
    """Return ``position`` in the one-line form of its game."""
    return position.to_line() if isinstance(position, Position) else str(position)
