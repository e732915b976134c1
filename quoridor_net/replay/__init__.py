"""Recorded games: read and write replay files, and convert them from and to other formats."""

from quoridor_net.replay.conversion import format_game, parse_game, read
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.formats import FORMATS, WRITTEN, RecordFormat, format_of
from quoridor_net.replay.grammar import parse_replay
from quoridor_net.replay.replay import Outcome, Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.text import decode
from quoridor_net.replay.writer import ReplayWriter

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
