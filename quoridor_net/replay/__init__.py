"""Recorded games: read and write replay files, and convert them from and to other formats.

The modules of other formats load on first use, so that programs that only record games start quickly.
"""

from typing import TYPE_CHECKING

from quoridor_net.lazy import load_on_first_use
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.grammar import parse_replay
from quoridor_net.replay.replay import Outcome, Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.text import decode
from quoridor_net.replay.writer import ReplayWriter

if TYPE_CHECKING:
    from quoridor_net.replay.conversion import format_game, parse_game, read
    from quoridor_net.replay.formats import FORMATS, WRITTEN, RecordFormat, format_of

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

if not TYPE_CHECKING:
    __getattr__ = load_on_first_use(
        __name__,
        {
            "conversion": ("format_game", "parse_game", "read"),
            "formats": ("FORMATS", "WRITTEN", "RecordFormat", "format_of"),
        },
    )
