"""Parse replay files strictly (qtp-replay-2026 sections 4, 5 and 7), with the places of errors.

``P 1 E2`` moves a pawn, ``W 2 E6 h`` places a wall, lines that begin with ``#`` are comments, and a comment
of the form ``# Key: value`` is metadata (:mod:`quoridor_net.replay.metadata`). Case matters, and exactly one
space separates the parts. In games for four, which are an extension, ``X 3`` eliminates player 3.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache

from quoridor_net.moves import require
from quoridor_net.notation import Notation, standard
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.replay import Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.text import text_lines
from quoridor_net.rules import Jumps, Move, Orientation, Ply, Square, Step, Wall
from quoridor_net.text import quote
from quoridor_net.text_file import unify_line_ends

# A command that was cut off when a program or machine stopped while writing it.
_CUT_OFF = re.compile(r"[PWX](?: (?:[1-4](?: (?:[A-Y](?:[1-9][0-9]?(?: [hv]?)?)?)?)?)?)?")

_MOST_PARTS = 6


def format_square(square: Square) -> str:
    """Return ``square`` as ``E2``."""
    return standard.format_square(square).upper()


def format_move(move: Move) -> str:
    """Return ``move`` as in a command line: ``E2`` or ``E6 h``."""
    text = standard.format_move(move)
    return text.upper() if isinstance(move, Step) else f"{text[:-1].upper()} {text[-1]}"


#: The notation of replay files.
REPLAY = Notation(format_square, format_move)


def format_ply(ply: Ply) -> str:
    """Return the command line for ``ply``."""
    if ply.move is None:
        return f"X {ply.player}"
    command = "P" if isinstance(ply.move, Step) else "W"
    return f"{command} {ply.player} {format_move(ply.move)}"


def parse_replay(
    text: str, *, strict: bool = False, partial: bool = False, jumps: Jumps = Jumps.OFFICIAL
) -> Replay:
    """Parse a replay file.

    Args:
        text: the contents of the file.
        strict: whether to accept only version 1, without extensions and empty lines.
        partial: whether to accept an unfinished game, and to drop a last line that is cut off.
        jumps: the jump rule unless the file has one.

    Raises:
        TypeError: ``text`` is not a string.
        ReplayError: the text breaks the grammar or the rules, is not one complete game, or contradicts
            itself.
    """
    require("the text of a game", str, text)
    if not strict:
        text = unify_line_ends(text)
    record = Record(Setting(jumps=jumps), lambda _size: REPLAY, strict=strict)
    number, line = 1, ""
    for number, line, is_ended in text_lines(text):
        if line.startswith("#"):
            record.comment(line, number)
        elif line or strict:
            try:
                record.add(*_parse_command(line, number, record.setting.players, record.setting.size))
            except ReplayError:
                if partial and not is_ended and _CUT_OFF.fullmatch(line):
                    break
                raise
    return record.finish(Place(number, len(line) + 1), partial=partial)


def _parse_command(text: str, line: int, players: int, size: int) -> tuple[Ply, Place]:
    """Parse a command line, with number ``line``; return the ply and its place."""
    tab = text.find("\t")
    if tab >= 0:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.TAB(), line, tab + 1)
    try:
        ply, columns = _parse(text, players, size)
    except ReplayError as error:
        raise ReplayError(error.fault, error.sentence, line, error.column) from None
    return ply, Place(line, *columns)


# Cached, because long games repeat the same lines.
@lru_cache(maxsize=4096)
def _parse(text: str, players: int, size: int) -> tuple[Ply, tuple[int, int, int]]:
    return _CommandLine(text, players, size).parse()


@cache
def _squares(size: int) -> dict[str, Square]:
    squares = (Square(column, row) for column in range(size) for row in range(size))
    return {format_square(square): square for square in squares}


class _CommandLine:
    """The parts of a line and their columns."""

    def __init__(self, text: str, players: int, size: int) -> None:
        self.players = players
        self.size = size
        # No command has this many parts; do not split the rest of a longer line.
        self.parts = text.split(" ", _MOST_PARTS)
        self.columns = [1]
        for part in self.parts:
            self.columns.append(self.columns[-1] + len(part) + 1)

    def parse(self) -> tuple[Ply, tuple[int, int, int]]:
        names = "PW" if self.players == 2 else "PWX"
        name = self.parts[0]
        if name not in names or len(name) != 1:
            raise self.error(0, self._about_command(name, names))
        numbers = [str(number) for number in range(1, self.players + 1)]
        kind = f"a player: expected {', '.join(numbers[:-1])} or {numbers[-1]}"
        if self.players == 2 and self.parts[1:2] in (["3"], ["4"]):
            kind += "; a game of four begins with '# Extension: players 4'"
        player = int(self.part(1, numbers, f"a player number, 1 to {self.players}", kind))
        move: Move | None = None
        if name == "P":
            move = Step(self.square())
        elif name == "W":
            square = self.square()
            orientation = self.part(3, ("h", "v"), "h or v", "an orientation: expected h or v")
            move = Wall(square.column, square.row, Orientation(orientation))
        self.expect_end({"X": 2, "P": 3, "W": 4}[name])
        command, who, where = self.columns[:3]
        return Ply(player, move), (command, who, where)

    def _about_command(self, name: str, names: str) -> str:
        if not name:
            return "a space at the start of the line" if len(self.parts) > 1 else "an empty line"
        expected = " or ".join(names) if len(names) == 2 else "P, W or X"
        if name.upper() in names and len(name) == 1:
            return f"unknown command {quote(name)}: write commands in capitals, {expected}"
        return f"unknown command {quote(name)}: expected {expected}"

    def square(self) -> Square:
        last = format_square(Square(self.size - 1, self.size - 1))
        text = "".join(self.parts[2:3])
        hint = ", in capitals" if text.upper() != text else ""
        kind = f"a square: expected one from A1 to {last}{hint}"
        squares = _squares(self.size)
        return squares[self.part(2, squares, f"a square, A1 to {last}", kind)]

    def expect_end(self, count: int) -> None:
        rest = " ".join(self.parts[count:])
        if rest.strip():
            raise self.error(count, RecordPhrase.NOTHING_FOLLOWS(text=quote(rest)))
        if len(self.parts) > count:
            sentence = RecordPhrase.LAST_BLANK()
            raise ReplayError(Fault.SYNTAX, sentence, column=self.columns[count] - 1)

    def part(self, index: int, allowed: Collection[str], expected: str, kind: str) -> str:
        """Return a part, which must be in ``allowed``; ``expected`` and ``kind`` describe it in errors."""
        if index >= len(self.parts):
            sentence = RecordPhrase.ENDS_EARLY(expected=expected)
            raise ReplayError(Fault.SYNTAX, sentence, column=self.columns[-1] - 1)
        if not self.parts[index]:
            is_last = not any(self.parts[index:])
            what = RecordPhrase.ENDS_EARLY(expected=expected) if is_last else RecordPhrase.BLANKS()
            raise self.error(index, what)
        if self.parts[index] not in allowed:
            raise self.error(index, f"{quote(self.parts[index])} is not {kind}")
        return self.parts[index]

    def error(self, index: int, sentence: str) -> ReplayError:
        return ReplayError(Fault.SYNTAX, sentence, column=self.columns[index])
