"""Reads replay files: by the grammar and by the rules, with line and column of the first mistake."""

from __future__ import annotations

from collections.abc import Iterator

from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.game import OUTCOME_KEYS, Replay
from quoridor_net.replay.grammar import format_square_and_way, parse_command, parse_metadata
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.setting import EXTENSION, Setting
from quoridor_net.rules import Jumps

#: Bytes that a file with recorded games has at most; nobody should read more of one. Thousands of games fit.
MAX_BYTES = 1 << 26


def decode(data: bytes) -> str:
    """Return the text of a file.

    Raises:
        ReplayError: it is not UTF-8, or has more than :data:`MAX_BYTES`.
    """
    if len(data) > MAX_BYTES:
        raise ReplayError(Fault.SYNTAX, f"the file is too large: more than {MAX_BYTES >> 20} MiB", 1, 1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise ReplayError(Fault.SYNTAX, "the file is no text (UTF-8)", line, column) from None


def text_lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield number, text and whether it was ended for each line; LF and CR LF end one."""
    *ended, last = text.split("\n")
    for number, line in enumerate(ended, 1):
        yield number, line.removesuffix("\r"), True
    if last:
        yield len(ended) + 1, last, False


def read_replay(
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
        self.lines = list(text_lines(text))
        self.strict = strict
        self.partial = partial
        self.setting = setting
        self.record: Record | None = None
        self.metadata: list[tuple[str, str]] = []
        # Lines of the metadata that have to agree with the game.
        self.places: dict[str, int] = {}

    def read(self) -> Replay:
        for number, text, is_ended in self.lines:
            if text.startswith("#"):
                self.comment(text, number)
            elif text or self.strict:
                try:
                    command = parse_command(text, number, self.setting.players, self.setting.size)
                except ReplayError:
                    if self.partial and not is_ended:
                        break
                    raise
                self.started().add(command.ply, command.place)
        record = self.started()
        number, text, _ = self.lines[-1] if self.lines else (1, "", False)
        end = Place(number, len(text) + 1)
        return record.finish(self.metadata, end, partial=self.partial, places=self.places)

    def started(self) -> Record:
        if self.record is None:
            self.record = Record(self.setting, format_square_and_way)
        return self.record

    def comment(self, text: str, number: int) -> None:
        metadata = parse_metadata(text)
        if metadata is None:
            return
        key, value = metadata
        if key == EXTENSION:
            self.extension(value, number)
            return
        if key in OUTCOME_KEYS:
            if key in self.places:
                sentence = f"{key} was given in line {self.places[key]} already"
                raise ReplayError(Fault.CONTRADICTION, sentence, number, 1)
            self.places[key] = number
        self.metadata.append((key, value))

    def extension(self, value: str, number: int) -> None:
        if self.strict:
            sentence = f"the extension {value!r} is not part of version 1 of the format"
            raise ReplayError(Fault.EXTENSION, sentence, number, 1)
        if self.record is not None:
            raise ReplayError(Fault.SYNTAX, "extensions are announced before the first move", number, 1)
        try:
            self.setting = self.setting.announced(value)
        except ValueError as error:
            raise ReplayError(Fault.SYNTAX, str(error), number, 1) from None
