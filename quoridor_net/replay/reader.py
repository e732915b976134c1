"""Reads replay files: by the grammar and by the rules, with line and column of the first mistake."""

from __future__ import annotations

from quoridor_net.moves import require
from quoridor_net.replay.errors import ReplayError
from quoridor_net.replay.game import Replay
from quoridor_net.replay.grammar import REPLAY, is_cut_off, parse_command
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.text import text_lines
from quoridor_net.rules import Jumps


def parse_replay(
    text: str, *, strict: bool = False, partial: bool = False, jumps: Jumps = Jumps.OFFICIAL
) -> Replay:
    """Return the game that a replay file tells.

    Args:
        text: the contents of the file.
        strict: accept version 1 to the letter: no extensions and no empty lines.
        partial: accept a game that is not played to its end, and drop a last line that is cut off.
        jumps: the jump rule unless the file announces one.

    Raises:
        TypeError: it is no text.
        ReplayError: the text breaks the grammar or the rules, is not one complete game, or contradicts
            itself.
    """
    require("the text of a game", str, text)
    record = Record(Setting(jumps=jumps), REPLAY, strict=strict)
    number, line = 1, ""
    for number, line, is_ended in text_lines(text):
        if line.startswith("#"):
            record.comment(line, number)
        elif line or strict:
            try:
                record.add(*parse_command(line, number, record.setting.players, record.setting.size))
            except ReplayError:
                if partial and not is_ended and is_cut_off(line):
                    break
                raise
    return record.finish(Place(number, len(line) + 1), partial=partial)
