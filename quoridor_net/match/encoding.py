"""Encode events of a match as JSON objects, for ``--json`` and the journal of a tournament.

docs/reference/events.md documents the schema. Times are in seconds; players are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
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
from quoridor_net.moves import Wall
from quoridor_net.phrases import phrase_of
from quoridor_net.rules import Position

#: Version of the schema. It changes when a field is renamed, removed or given another meaning, but not when a
#: field is added.
VERSION = 4

Value = str | int | float | None | Sequence[str] | Sequence[int | list[float] | None] | Mapping[str, Any]


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
                "clocks": [
                    None if clock is None else [clock.seconds, clock.increment] for clock in event.clocks
                ],
                "first_move_time": event.first_move_time,
            }
        case MoveRequested():
            return {
                "event": "move_requested",
                "player": event.player,
                "ply": event.ply,
                "left": _digits(event.left),
            }
        case MoveMade():
            return {
                "event": "move_made",
                "player": event.player,
                "move": str(event.move),
                "ply": event.ply,
                "seconds": _digits(event.seconds),
                "left": _digits(event.left),
                "score": event.score,
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


def _digits(seconds: float | None) -> float | None:
    """Return seconds with as many digits as clocks have."""
    return None if seconds is None else round(seconds, 6)


def board(position: Position | ClobberPosition) -> dict[str, Value]:
    """Return the fields that describe the board."""
    if isinstance(position, Position):
        return {"size": position.size, "jumps": str(position.jumps), "owners": owners(position)}
    return {"columns": position.columns, "rows": position.rows}


def line(position: Position | ClobberPosition) -> str:
    """Return ``position`` in the one-line form of its game."""
    return position.to_line() if isinstance(position, Position) else str(position)


def owners(position: Position) -> list[int | None]:
    """Return who placed each wall, in the order of the line; None for those of a set-up position."""
    placed_by = {ply.move: ply.player for ply in position.history if isinstance(ply.move, Wall)}
    walls = sorted(position.walls, key=attrgetter("orientation", "row", "column"))
    return [placed_by.get(wall) for wall in walls]
