"""Recorded games: replay files read strictly and written as they happen, and the formats they convert to."""

from quoridor_net.replay.conversion import Format, format_of, read_game, write_game
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.game import Outcome, Replay
from quoridor_net.replay.reader import read_replay
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.text import decode
from quoridor_net.replay.writer import ReplayWriter, format_replay

__all__ = [
    "Fault",
    "Format",
    "Outcome",
    "Replay",
    "ReplayError",
    "ReplayWriter",
    "Setting",
    "decode",
    "format_of",
    "format_replay",
    "read_game",
    "read_replay",
    "write_game",
]
