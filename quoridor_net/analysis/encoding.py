"""JSON objects of an analysis, for ``quoridor analyze --json`` and for pages in a browser.

docs/reference/analysis.md documents the schema. Moves are in standard notation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quoridor_net.analysis.game_analysis import BestLine, PlyAnalysis
from quoridor_net.analysis.marks import accuracy_of
from quoridor_net.notation.standard import format_move
from quoridor_net.replay import Replay

#: Version of the schema. It changes when a field is renamed, removed or redefined, not when one is added.
VERSION = 1

#: Significant decimal places of a chance.
_DIGITS = 4


def document(replay: Replay, plies: Sequence[PlyAnalysis]) -> dict[str, Any]:
    """Return the analysis of a game, or of some of its plies, as one object."""
    position = replay.setting.position()
    return {
        "version": VERSION,
        "names": list(replay.names),
        "size": position.size,
        "jumps": str(position.jumps),
        "position": position.to_line(),
        "accuracy": accuracies_of(replay, plies),
        "plies": [as_object(ply) for ply in plies],
    }


def accuracies_of(replay: Replay, plies: Sequence[PlyAnalysis]) -> list[float | None]:
    """Return the accuracy of each player in per cent, by player number; None for a player without moves."""
    found = (
        accuracy_of([ply.loss for ply in plies if ply.player == player and ply.loss is not None])
        for player in range(1, replay.setting.players + 1)
    )
    return [None if accuracy is None else round(accuracy, 1) for accuracy in found]


def as_object(ply: PlyAnalysis) -> dict[str, Any]:
    """Return the analysis of one ply as an object."""
    played = ply.played
    return {
        "ply": ply.ply,
        "player": ply.player,
        "move": None if ply.move is None else format_move(ply.move),
        "score": None if played is None else played.score,
        "chance": None if played is None else round(played.chance, _DIGITS),
        "wins_in": None if played is None else played.wins_in,
        "best": [line_as_object(line) for line in ply.best],
        "loss": None if ply.loss is None else round(ply.loss, _DIGITS),
        "mark": None if ply.mark is None else str(ply.mark),
    }


def line_as_object(line: BestLine) -> dict[str, Any]:
    """Return a line of play as an object."""
    return {
        "moves": [format_move(move) for move in line.moves],
        "score": line.score,
        "chance": round(line.chance, _DIGITS),
        "wins_in": line.wins_in,
    }
