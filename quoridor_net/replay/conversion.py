"""The formats of recorded games by name: which one a text is in, reading it, writing it."""

from __future__ import annotations

import enum
import re
from pathlib import Path

from quoridor_net.moves import require
from quoridor_net.replay import athens, athens_log, lan, standard
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.game import Replay
from quoridor_net.replay.grammar import parse_replay
from quoridor_net.replay.text import read_text
from quoridor_net.replay.writer import format_replay
from quoridor_net.rules import Jumps
from quoridor_net.text import BLANKS, split_words


class Format(enum.StrEnum):
    """The formats; the value is the name on the command line."""

    REPLAY = "replay"
    LAN = "lan"
    ATHENS = "athens"
    STANDARD = "standard"


_WORD = re.compile(rf"[^{BLANKS}]")
# Characters of a word that are looked at, as none that decides is longer, and lines of comments before it.
_LOOKED_AT = 40
_MOST_COMMENTS = 20_000
# The number of a round, or a move.
_STANDARD_WORD = re.compile(r"[0-9]|[a-z][0-9]")

_WRITERS = {
    Format.REPLAY: format_replay,
    Format.LAN: lan.write_transcript,
    Format.ATHENS: athens.write_commands,
    Format.STANDARD: standard.write_moves,
}

#: Words that begin the lines of Athens command lists.
_ATHENS_WORDS = athens.SKIPPED | {
    "boardsize", "clear_board", "walls", "playmove", "playwall", "genmove", "undo",
}  # fmt: skip


def format_of(text: str) -> Format:
    """Return the format that a text seems to be in, by its first line that is no comment."""
    word = _first_word(text)
    if word.startswith("["):
        return Format.LAN
    if word in _ATHENS_WORDS:
        return Format.ATHENS
    return Format.STANDARD if _STANDARD_WORD.match(word) else Format.REPLAY


def _first_word(text: str) -> str:
    """Return the first word of the first line that is not a comment; empty when there is none."""
    start = 0
    for _ in range(_MOST_COMMENTS):
        found = _WORD.search(text, start)
        if found is None:
            return ""
        word = text[found.start() : found.start() + _LOOKED_AT]
        if not word.startswith("#"):
            return split_words(word.partition("#")[0])[0]
        start = text.find("\n", found.start())
        if start < 0:
            return ""
    return ""


def parse_game(
    text: str,
    origin: Format | None = None,
    *,
    jumps: Jumps | None = None,
    partial: bool = False,
    number: int | None = None,
) -> Replay:
    """Return the game that a text tells.

    Args:
        text: the text.
        origin: its format; found out unless given.
        jumps: the jump rule where the text does not tell it; unless given it is the official one, or the
            classroom rule when the game breaks the official and keeps to that.
        partial: accept a game that is not played to its end.
        number: which game of a transcript, from 1.

    Raises:
        TypeError: it is no text.
        ReplayError: the text is not what it should be, or the game breaks the rules.
    """
    require("the text of a game", str, text)
    if _WORD.search(text) is None:
        raise ReplayError(Fault.UNFINISHED, RecordPhrase.EMPTY(), 1, 1)
    origin = origin or format_of(text)

    def read(rule: Jumps) -> Replay:
        match origin:
            case Format.LAN | Format.ATHENS if athens_log.is_athens_log(text):
                return athens_log.read_log(text, rule, partial, number)
            case Format.LAN:
                return lan.read_transcript(text, rule, partial, number)
            case Format.ATHENS:
                return athens.read_commands(text, rule, partial)
            case Format.STANDARD:
                return standard.read_moves(text, rule, partial)
        return parse_replay(text, partial=partial, jumps=rule)

    if jumps is not None:
        return read(jumps)
    try:
        return read(Jumps.OFFICIAL)
    except ReplayError as error:
        if error.fault not in {Fault.ILLEGAL, Fault.WRONG_TURN}:
            raise
        try:
            return read(Jumps.CLASSROOM)
        except ReplayError:
            raise error from None


def read(
    path: str | Path,
    origin: Format | None = None,
    *,
    jumps: Jumps | None = None,
    partial: bool = False,
    number: int | None = None,
) -> Replay:
    """Return the game that a file tells; everything but ``path`` is as for :func:`parse_game`.

    Raises:
        OSError: the file cannot be read.
        ReplayError: it is not what it should be, or the game breaks the rules.
    """
    with Path(path).open("rb") as file:
        text = read_text(file)
    return parse_game(text, origin, jumps=jumps, partial=partial, number=number)


def format_game(replay: Replay, target: Format = Format.REPLAY) -> str:
    """Return the text of a game in a format.

    Raises:
        TypeError: it is no :class:`Replay`.
        ReplayError: the format cannot tell such a game; ``fault`` is ``INEXPRESSIBLE``.
    """
    require("the game", Replay, replay)
    return _WRITERS[target](replay)
