"""The display for scripts: one JSON object on a line for every event.

Every object has ``event``; the other keys depend on it:

``game_started``
    ``names`` (list, by player number), ``size``, ``jumps``, ``position``, ``move_time`` (seconds or null),
    ``ply_limit``.
``move_requested``
    ``player``, ``ply`` (moves made so far).
``move_made``
    ``player``, ``move`` (2016 notation: ``(4, 1)``, ``[(3, 1), h]``), ``ply`` (from 1), ``seconds``,
    ``position``.
``turn_passed``
    ``player``, who has no legal move.
``player_out``
    ``player``, ``termination``, ``sentence`` (what the player did, without a subject), ``line`` (the
    offending answer, or empty), ``hint`` (usual causes, or empty), ``move`` (the move that was refused, in
    2016 notation, or null), ``position``.
``game_ended``
    ``winner`` (player number, or null when the game is drawn or void), ``termination``, ``sentence`` (a whole
    one), ``plies``, ``names``, ``position``.

``position`` is the one-line form of the position after the event, ``termination`` a word of
:class:`~quoridor_net.rules.Termination`.
"""

from __future__ import annotations

import json

from quoridor_net.match import Event, GameEnded, GameStarted, MoveMade, MoveRequested, PlayerOut, TurnPassed
from quoridor_net.output import Output

Value = str | int | float | None | list[str]


class JsonDisplay:
    """Writes one JSON object for each event.

    Args:
        output: where the lines go.
    """

    def __init__(self, output: Output) -> None:
        self._output = output

    def listen(self, event: Event) -> None:
        """Write the object of ``event``."""
        self._output.write_line(json.dumps(as_object(event)))


def as_object(event: Event) -> dict[str, Value]:
    """Return ``event`` as an object for JSON, with the keys of this module's description."""
    match event:
        case GameStarted():
            return {
                "event": "game_started",
                "names": list(event.names),
                "size": event.position.size,
                "jumps": str(event.position.jumps),
                "position": event.position.to_line(),
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
                # More digits than a clock of the network can mean would only make the lines long.
                "seconds": round(event.seconds, 6),
                "position": event.position.to_line(),
            }
        case TurnPassed():
            return {"event": "turn_passed", "player": event.player}
        case PlayerOut():
            return {
                "event": "player_out",
                "player": event.player,
                "termination": str(event.termination),
                "sentence": event.sentence,
                "line": event.line,
                "hint": event.hint,
                "move": None if event.move is None else str(event.move),
                "position": event.position.to_line(),
            }
        case GameEnded():
            return {
                "event": "game_ended",
                "winner": event.result.winner,
                "termination": str(event.result.termination),
                "sentence": event.result.sentence,
                "plies": event.result.plies,
                "names": list(event.names),
                "position": event.position.to_line(),
            }
