"""Games in standard notation: numbered rounds of moves, ``1. e2 e8``, after the same metadata as in replays.

In games for four, ``x3`` says that player 3 is out of the game.
"""

from __future__ import annotations

import re

from quoridor_net.notation import Unparsable
from quoridor_net.notation.standard import format_move, parse_move
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.game import OUTCOME_KEYS, Replay
from quoridor_net.replay.grammar import format_metadata, parse_metadata
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.setting import EXTENSION, Setting
from quoridor_net.replay.writer import header_lines
from quoridor_net.rules import Jumps, Ply

# A number of a round, perhaps glued to the first move, or a word.
_WORD = re.compile(r"[0-9]+\.+|[^\s]+")
_NUMBER = re.compile(r"[0-9]+\.+", re.ASCII)
_OUT = re.compile(r"x([1-4])", re.ASCII)


def read_moves(text: str, *, jumps: Jumps = Jumps.OFFICIAL, partial: bool = False) -> Replay:
    """Return the game that a list of moves in standard notation plays.

    Args:
        text: the moves, separated by blanks and line ends; rounds may be numbered.
        jumps: the jump rule of the game unless the text announces one.
        partial: accept a game that is not played to its end.

    Raises:
        ReplayError: the text is no such list, or the game breaks the rules.
    """
    setting = Setting(jumps=jumps)
    metadata: list[tuple[str, str]] = []
    record: Record | None = None
    number = 1
    for number, line in enumerate(text.split("\n"), 1):
        said = parse_metadata(line.rstrip("\r")) if line.startswith("#") else None
        if said is not None and said[0] == EXTENSION and record is None:
            setting = _announced(setting, said[1], number)
        elif said is not None:
            metadata.append(said)
        words, _, _ = line.partition("#")
        for word in _WORD.finditer(words):
            if not _NUMBER.fullmatch(word[0]):
                record = record or Record(setting, format_move)
                _play(record, word[0], Place(number, *[word.start() + 1] * 3))
    record = record or Record(setting, format_move)
    return record.finish(metadata, Place(number), partial=partial)


def _announced(setting: Setting, announcement: str, line: int) -> Setting:
    try:
        return setting.announced(announcement)
    except ValueError as error:
        raise ReplayError(Fault.SYNTAX, str(error), line, 1) from None


def _play(record: Record, word: str, place: Place) -> None:
    out = _OUT.fullmatch(word)
    if out is not None and record.setting.players > 2:
        record.add(Ply(int(out[1]), None), place)
        return
    try:
        move = parse_move(word, record.setting.size)
    except Unparsable as error:
        raise ReplayError(Fault.SYNTAX, str(error), place.line, place.move) from None
    # Who moves is not written, so it is nobody's wrong turn; a game that is over says so itself.
    record.add(Ply(record.position.turn or 1, move), place)


def write_moves(replay: Replay) -> str:
    """Return the moves of a game, one round on each line, with its metadata."""
    lines = header_lines(replay.setting, replay.metadata)
    order = replay.setting.position().order
    for start in range(0, len(replay.plies), len(order)):
        plies = replay.plies[start : start + len(order)]
        words = [f"x{ply.player}" if ply.move is None else format_move(ply.move) for ply in plies]
        lines.append(f"{start // len(order) + 1}. {' '.join(words)}")
    lines += [format_metadata(key, value) for key, value in replay.metadata if key in OUTCOME_KEYS]
    return "".join(f"{line}\n" for line in lines)
