"""Quoridor over the network: rules, notations, protocols, players, matches and displays.

What most users of the library need can be imported from here; everything else from the subpackages. Importing
this package loads none of them: each name is looked up when it is first used, so that every program starts
quickly.

The subpackages form floors; each imports only from those before it (see ``docs/architecture.md``).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quoridor_net import replay as replay
    from quoridor_net.engine import Engine as Engine
    from quoridor_net.engine import Limits as Limits
    from quoridor_net.match import play_match as play_match
    from quoridor_net.moves import Jumps as Jumps
    from quoridor_net.moves import Move as Move
    from quoridor_net.moves import Orientation as Orientation
    from quoridor_net.moves import Square as Square
    from quoridor_net.moves import Step as Step
    from quoridor_net.moves import Wall as Wall
    from quoridor_net.notation.reading import parse_move as parse_move
    from quoridor_net.outcome import ForfeitError as ForfeitError
    from quoridor_net.outcome import Result as Result
    from quoridor_net.outcome import Termination as Termination
    from quoridor_net.players import Clock as Clock
    from quoridor_net.players import Player as Player
    from quoridor_net.players.registry import make_player as make_player
    from quoridor_net.replay import ReplayError as ReplayError
    from quoridor_net.rules import IllegalMoveError as IllegalMoveError
    from quoridor_net.rules import Position as Position
    from quoridor_net.text import UnparsableError as UnparsableError

__version__ = "0.1.0"

#: Where each name comes from.
_HOMES = {
    "Clock": "quoridor_net.players",
    "Engine": "quoridor_net.engine",
    "ForfeitError": "quoridor_net.outcome",
    "IllegalMoveError": "quoridor_net.rules",
    "Jumps": "quoridor_net.moves",
    "Limits": "quoridor_net.engine",
    "Move": "quoridor_net.moves",
    "Orientation": "quoridor_net.moves",
    "Player": "quoridor_net.players",
    "Position": "quoridor_net.rules",
    "ReplayError": "quoridor_net.replay",
    "Result": "quoridor_net.outcome",
    "Square": "quoridor_net.moves",
    "Step": "quoridor_net.moves",
    "Termination": "quoridor_net.outcome",
    "UnparsableError": "quoridor_net.text",
    "Wall": "quoridor_net.moves",
    "make_player": "quoridor_net.players.registry",
    "parse_move": "quoridor_net.notation.reading",
    "play_match": "quoridor_net.match",
}

__all__ = [
    "Clock",
    "Engine",
    "ForfeitError",
    "IllegalMoveError",
    "Jumps",
    "Limits",
    "Move",
    "Orientation",
    "Player",
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

# Type checkers read the imports above, and so know when a name is misspelled.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "replay":
            return import_module("quoridor_net.replay")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
