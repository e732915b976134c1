"""Recorded games: read and write replay files, and convert them from and to other formats.

The modules of other formats load on first use, so that programs that only record games start quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.grammar import parse_replay
from quoridor_net.replay.replay import Outcome, Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.text import decode
from quoridor_net.replay.writer import ReplayWriter

if TYPE_CHECKING:
    from quoridor_net.replay.conversion import format_game, parse_game, read
    from quoridor_net.replay.formats import FORMATS, WRITTEN, RecordFormat, format_of

#: The module that defines each name that loads the formats.
_HOMES = {
    **dict.fromkeys(("format_game", "parse_game", "read"), "conversion"),
    **dict.fromkeys(("FORMATS", "WRITTEN", "RecordFormat", "format_of"), "formats"),
}

__all__ = [
    "FORMATS",
    "WRITTEN",
    "Fault",
    "Outcome",
    "RecordFormat",
    "Replay",
    "ReplayError",
    "ReplayWriter",
    "Setting",
    "decode",
    "format_game",
    "format_of",
    "parse_game",
    "parse_replay",
    "read",
]

# Hidden from type checkers, so that they report misspelled names.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return value
