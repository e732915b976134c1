"""Quoridor over the network: rules, notations, protocols, players, matches and displays.

The names most users need can be imported from here, all others from the subpackages. Importing this package
loads no subpackage: names are looked up on first use, so that programs start quickly.

The subpackages form floors: each imports only from the floors below it (see ``docs/architecture.md``).
"""

from importlib import import_module
from typing import TYPE_CHECKING

from quoridor_net.lazy import load_on_first_use

if TYPE_CHECKING:
    from quoridor_net import replay
    from quoridor_net.engine import Analysis, AnalysisStream, Choice, Engine, Limits
    from quoridor_net.match import play_match
    from quoridor_net.moves import Jumps, Move, Orientation, Ply, Square, Step, Wall
    from quoridor_net.notation.reading import parse_move
    from quoridor_net.outcome import ForfeitError, Result, Termination
    from quoridor_net.players import Clock, Player
    from quoridor_net.players.source import make_player
    from quoridor_net.replay import ReplayError
    from quoridor_net.rules import IllegalMoveError, Position
    from quoridor_net.text import UnparsableError

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "AnalysisStream",
    "Choice",
    "Clock",
    "Engine",
    "ForfeitError",
    "IllegalMoveError",
    "Jumps",
    "Limits",
    "Move",
    "Orientation",
    "Player",
    "Ply",
    "Position",
    "ReplayError",
    "Result",
    "Square",
    "Step",
    "Termination",
    "UnparsableError",
    "Wall",
    "__version__",
    "make_player",
    "parse_move",
    "play_match",
    "replay",
]

if not TYPE_CHECKING:
    _load = load_on_first_use(
        __name__,
        {
            "engine": ("Analysis", "AnalysisStream", "Choice", "Engine", "Limits"),
            "match": ("play_match",),
            "moves": ("Jumps", "Move", "Orientation", "Ply", "Square", "Step", "Wall"),
            "notation.reading": ("parse_move",),
            "outcome": ("ForfeitError", "Result", "Termination"),
            "players": ("Clock", "Player"),
            "players.source": ("make_player",),
            "replay": ("ReplayError",),
            "rules": ("IllegalMoveError", "Position"),
            "text": ("UnparsableError",),
        },
    )

    def __getattr__(name: str) -> object:
        return import_module("quoridor_net.replay") if name == "replay" else _load(name)


def __dir__() -> list[str]:
    return sorted(__all__)
