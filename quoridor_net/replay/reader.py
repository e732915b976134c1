"""Reads replay files: by the grammar and by the rules, with line and column of the first mistake."""

from __future__ import annotations

from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.game import Replay
from quoridor_net.replay.grammar import REPLAY, is_cut_off, parse_command
from quoridor_net.replay.metadata import Metadata, parse_metadata
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.setting import EXTENSION, Setting
from quoridor_net.replay.text import text_lines
from quoridor_net.rules import Jumps
from quoridor_net.text import quoted


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
        ReplayError: the text breaks the grammar or the rules, is not one complete game, or contradicts
            itself.
    """
    return _Reader(text, Setting(jumps=jumps), strict, partial).read()


class _Reader:
    def __init__(self, text: str, setting: Setting, strict: bool, partial: bool) -> None:
        self.text = text
        self.strict = strict
        self.partial = partial
        self.setting = setting
        self.record: Record | None = None
        self.metadata = Metadata()

    def read(self) -> Replay:
        number, text = 1, ""
        for number, text, is_ended in text_lines(self.text):
            if text.startswith("#"):
                self.comment(text, number)
            elif text or self.strict:
                try:
                    self.command(text, number)
                except ReplayError:
                    if self.partial and not is_ended and is_cut_off(text):
                        break
                    raise
        return self.started().finish(self.metadata, Place(number, len(text) + 1), partial=self.partial)

    def started(self) -> Record:
        if self.record is None:
            self.record = Record(self.setting, REPLAY)
        return self.record

    def command(self, text: str, number: int) -> None:
        command = parse_command(text, number, self.setting.players, self.setting.size)
        self.started().add(command.ply, command.place)

    def comment(self, text: str, number: int) -> None:
        metadata = parse_metadata(text)
        if metadata is None:
            return
        key, value = metadata
        if key == EXTENSION:
            self.extension(value, number)
        else:
            self.metadata.add(key, value, number)

    def extension(self, value: str, number: int) -> None:
        if self.strict:
            sentence = f"the extension {quoted(value)} is not part of version 1 of the format"
            raise ReplayError(Fault.EXTENSION, sentence, number, 1)
        self.setting = self.setting.announced_in(value, number, is_begun=self.record is not None)
