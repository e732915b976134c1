"""The registry of all formats of recorded games.

Options, messages and documentation list the formats from this registry.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping
from functools import cached_property

from attrs import define, evolve, frozen

from quoridor_net.replay import (
    arena,
    athens,
    athens_log,
    barricade,
    bga,
    compact,
    lan,
    standard,
    tq1,
)
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.grammar import parse_replay
from quoridor_net.replay.metadata import parse_metadata
from quoridor_net.replay.move_list import parse_count, parts, strip_marks
from quoridor_net.replay.reading import READINGS, Reading
from quoridor_net.replay.record import MAX_PLIES
from quoridor_net.replay.replay import Replay
from quoridor_net.replay.setting import EXTENSION, Setting
from quoridor_net.replay.writer import format_replay
from quoridor_net.rules import MIN_SIZE, Jumps, Step
from quoridor_net.text import BLANKS, UnparsableError, split_words
from quoridor_net.text_file import unify_line_ends


class RecordFormat(enum.StrEnum):
    """The formats; the values are the names on the command line."""

    REPLAY = "replay"
    LAN = "lan"
    ATHENS = "athens"
    STANDARD = "standard"
    COMMA = "comma"
    NUMBERED = "numbered"
    BARRICADE = "barricade"
    TOP = "top"
    TQ1 = "tq1"
    COMPACT = "compact"
    BGA = "bga"
    ARENA = "arena"


@frozen
class Request:
    """The options for reading a text.

    Attributes:
        jumps: the jump rule if the text has none.
        partial: whether to accept an unfinished game.
        number: the number of the game in a text with several.
        reading: the meaning of squares and walls.
    """

    jumps: Jumps
    partial: bool
    number: int | None
    reading: Reading


@frozen
class FormatInfo:
    """A format: its description, detector, reader and optional writer.

    Attributes:
        summary: a description for people.
        example: an example line.
        detected: how it is detected, for people.
        recognises: returns whether a text looks like this format; called in the order of :data:`FORMATS`.
        read: returns the game of a text.
        write: returns the text of a game; None if games can only be read.
        readings: the possible meanings of squares and walls, the usual one first.
        is_settled: whether all programs use the usual reading, so that another one must be evident.
    """

    summary: str
    example: str
    detected: str
    recognises: Callable[[TextFeatures], bool]
    read: Callable[[str, Request], Replay]
    write: Callable[[Replay], str] | None = None
    readings: tuple[Reading, ...] = (READINGS[0],)
    is_settled: bool = True


_WORD = re.compile(rf"[^{BLANKS}]")
# Maximum number of characters of a word to examine, and of comment lines before it.
_LOOKED_AT = 40
_MOST_COMMENTS = 20_000

_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[\]{\"'])")
_JSON_LIST = re.compile(r"\s*\[\s*[\"']")
_COMMAND = re.compile(r"^[PWX][ \t]+[1-4](?:\s|\Z)", re.MULTILINE | re.IGNORECASE)
# The number of a round, a move, a wall with its letter first, or the letter alone.
_LISTED = re.compile(r"[0-9]+(?:[.):\u2026]|$)|[hv]?[a-y][1-9]|[hv]$", re.ASCII | re.IGNORECASE)
_DIVIDER = re.compile(r"[,;]")
_DIVIDED = re.compile(r"[a-z0-9!?+#][\"']?\s*[,;]", re.ASCII | re.IGNORECASE)

#: First words of lines in Athens command lists.
_ATHENS_WORDS = athens.SKIPPED | {
    "boardsize", "clear_board", "walls", "playmove", "playwall", "genmove", "undo",
}  # fmt: skip


@define(slots=False)
class TextFeatures:
    """The features of a text for the detectors.

    Attributes:
        text: the text, with LF as line ends.
    """

    text: str

    @cached_property
    def word(self) -> str:
        """The first word outside comment lines; empty if there is none."""
        start = 0
        for _ in range(_MOST_COMMENTS):
            found = _WORD.search(self.text, start)
            if found is None:
                return ""
            word = self.text[found.start() : found.start() + _LOOKED_AT]
            if not word.startswith("#"):
                return split_words(word)[0]
            start = self.text.find("\n", found.start())
            if start < 0:
                return ""
        return ""

    @cached_property
    def is_json(self) -> bool:
        """Whether the text begins like an object or list in JSON."""
        return _JSON.match(self.text) is not None

    @cached_property
    def list_format(self) -> RecordFormat | None:
        """The format of a list of moves; None if the text is not one."""
        if (self.is_json or self.word.startswith("[")) and not _JSON_LIST.match(self.text):
            return None
        try:
            words = (word for word, _ in parts(self.text) if not word.startswith("#"))
            word = next(words, "")
        except ReplayError:
            # The reader will report the error.
            word = self.word
        return _kind_of_list(self.text) if _LISTED.match(word[:_LOOKED_AT]) else None


def _kind_of_list(text: str) -> RecordFormat:
    """Return the format of a list of moves, from its first step, walls, numbers and commas."""
    setting, plies, has_prefix, is_numbered, number = Setting(), 0, False, False, ("", -1)
    first: Step | None = None
    try:
        for word, _ in parts(text):
            if word.startswith("#"):
                key, value = parse_metadata(word) or ("", "")
                setting = setting.add_extension(value) if key == EXTENSION else setting
                continue
            counted = parse_count(word)
            if counted is not None:
                digits, is_continued = counted
                is_numbered |= (digits, plies - 1) == number and not is_continued
                number = digits, plies
                continue
            has_prefix |= standard.is_prefixed(strip_marks(word))
            if word in standard.LONE_LETTERS:
                continue
            move = standard.parse_word(strip_marks(word), setting.size)
            if first is None and plies % 2 == 0 and isinstance(move, Step):
                first = move
            plies += 1
            if plies > MAX_PLIES:
                break
    except (UnparsableError, ReplayError, ValueError):
        # Use the features so far; the reader will report the error.
        pass
    if setting.players > 2 or setting.start is not None:
        return RecordFormat.STANDARD
    # Not on the smallest board, where the first step from either end may lead to the middle or beyond.
    if first is not None and setting.size > MIN_SIZE and first.square.row > setting.size // 2:
        return RecordFormat.TOP
    if has_prefix:
        return RecordFormat.BARRICADE
    if is_numbered:
        return RecordFormat.NUMBERED
    return RecordFormat.COMMA if _DIVIDED.search(text) else RecordFormat.STANDARD


def _is_replay(look: TextFeatures) -> bool:
    return not look.word or look.word.upper() in {"P", "W", "X"} or _COMMAND.search(look.text) is not None


def _is_kind(kind: RecordFormat) -> Callable[[TextFeatures], bool]:
    return lambda look: look.list_format is kind


def _read_replay(text: str, asked: Request) -> Replay:
    return parse_replay(text, partial=asked.partial, jumps=asked.jumps)


def _read_wire(text: str, asked: Request) -> Replay:
    if athens_log.is_athens_log(text):
        return athens_log.read_log(text, asked.jumps, asked.partial, asked.number)
    return lan.read_transcript(text, asked.jumps, asked.partial, asked.number)


def _read_commands(text: str, asked: Request) -> Replay:
    if athens_log.is_athens_log(text):
        return athens_log.read_log(text, asked.jumps, asked.partial, asked.number)
    return athens.read_commands(text, asked.jumps, asked.partial)


def _read_list(text: str, asked: Request) -> Replay:
    return standard.read_moves(text, asked.jumps, asked.partial, asked.reading)


def _read_from_top(text: str, asked: Request) -> Replay:
    return _read_list(text, evolve(asked, reading=evolve(asked.reading, flips=True)))


def _read_tq1(text: str, asked: Request) -> Replay:
    return _read_list(tq1.moves_of(text), asked)


def _read_barricade(text: str, asked: Request) -> Replay:
    if not barricade.is_barricade(text):
        return _read_list(text, asked)
    return barricade.read_barricade(
        text,
        lambda moves, setting: standard.read_moves(moves, asked.jumps, asked.partial, asked.reading, setting),
    )


#: The formats in the order of detection.
FORMATS: Mapping[RecordFormat, FormatInfo] = {
    RecordFormat.REPLAY: FormatInfo(
        "replay files, the format of this project",
        "P 1 E2",
        "lines that begin with P, W or X and a player number",
        _is_replay,
        _read_replay,
        format_replay,
    ),
    RecordFormat.STANDARD: FormatInfo(
        "numbered moves in standard notation",
        "1. e2 e8 2. e3h d5v",
        "begins with a number or a move",
        _is_kind(RecordFormat.STANDARD),
        _read_list,
        standard.write_moves,
        READINGS,
    ),
    RecordFormat.LAN: FormatInfo(
        "wire transcripts of the 2016 protocol, and logs of the referee",
        "[   0.561] C->S1 b'ATARI 1 (4, 1)\\n'",
        "begins with a time in square brackets",
        lambda look: look.word.startswith("[") and not look.is_json,
        _read_wire,
        lan.write_transcript,
    ),
    RecordFormat.ATHENS: FormatInfo(
        "commands of the Athens protocol",
        "playmove black E8",
        "begins with a command of the protocol",
        lambda look: look.word.partition("#")[0] in _ATHENS_WORDS,
        _read_commands,
        athens.write_commands,
    ),
    RecordFormat.COMMA: FormatInfo(
        "moves in standard notation between commas or semicolons",
        "e2,e8,e3h,d5v",
        "a list with commas or semicolons",
        _is_kind(RecordFormat.COMMA),
        _read_list,
        readings=READINGS,
    ),
    RecordFormat.NUMBERED: FormatInfo(
        "the number of the round before each ply",
        "1.e2 1.e8 2.e3h 2.d5v",
        "a list that repeats numbers",
        _is_kind(RecordFormat.NUMBERED),
        _read_list,
        readings=READINGS,
    ),
    RecordFormat.BARRICADE: FormatInfo(
        "walls with their letter first, and the JSON of barricade.gg",
        "1. e2 e8 2. he3 vd5",
        "a list with such walls, or JSON with historyCsv",
        lambda look: look.list_format is RecordFormat.BARRICADE or barricade.is_barricade(look.text),
        _read_barricade,
        readings=READINGS,
    ),
    RecordFormat.TOP: FormatInfo(
        "ranks counted from the far end: the first mover starts at e9",
        "1. e8 e2 2. e6h d4v",
        "a list whose first step leads to a square near e9",
        _is_kind(RecordFormat.TOP),
        _read_from_top,
        readings=READINGS,
    ),
    RecordFormat.TQ1: FormatInfo(
        "replay codes",
        "tq1 e2 e8 e3h d5v",
        "a line begins with tq1",
        lambda look: tq1.is_tq1(look.text),
        _read_tq1,
        readings=READINGS,
    ),
    RecordFormat.COMPACT: FormatInfo(
        "round, colour, column and row from 0, wall letter",
        "1b.41;1w.47 2b.42h;2w.34v",
        "begins with such a ply",
        lambda look: compact.is_ply(_DIVIDER.split(look.word)[0]),
        lambda text, asked: compact.read_compact(text, asked.jumps, asked.partial, asked.reading),
        readings=(READINGS[1], READINGS[0], *READINGS[2:]),
        is_settled=False,
    ),
    RecordFormat.BGA: FormatInfo(
        "logs of Board Game Arena, as JSON or in a saved page",
        '{"data": {"data": [{"data": [{"type": "playToken", "args": {...}}]}]}}',
        "JSON with playToken or playWall, or g_gamelogs",
        lambda look: bga.is_bga(look.text),
        lambda text, asked: bga.read_bga(text, asked.jumps, asked.partial),
    ),
    RecordFormat.ARENA: FormatInfo(
        "JSON of an arena of engines, eval_replay_v1",
        '{"schema_version": "eval_replay_v1", "actions": [{"player_id": "P1", "action_type": "pawn", ...}]}',
        "JSON with eval_replay_v1",
        lambda look: arena.is_arena(look.text),
        lambda text, asked: arena.read_arena(text, asked.jumps, asked.partial),
    ),
}
assert set(FORMATS) == set(RecordFormat), "every format is registered"

#: The formats that can also be written.
WRITTEN = tuple(form for form, info in FORMATS.items() if info.write is not None)


def format_of(text: str) -> RecordFormat:
    """Detect the format of a text; one with only comments is a replay file without moves.

    Raises:
        ReplayError: the format is unknown; ``fault`` is ``UNKNOWN``.
    """
    look = TextFeatures(unify_line_ends(text).removeprefix("\ufeff"))
    for form, info in FORMATS.items():
        if info.recognises(look):
            return form
    sentence = RecordPhrase.UNKNOWN_FORMAT(formats=tuple(map(str, FORMATS)))
    raise ReplayError(Fault.UNKNOWN, sentence, 1, 1)
