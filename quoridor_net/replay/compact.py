"""Read games in compact notation, ``1b.41;1w.47``: number of the round, colour, column, row, wall letter.

Columns and rows count from 0. The anchor of a wall is the lower column and the higher row around its middle.
The first colour is player 1; if it starts in the last row, rows are reversed.
"""

from __future__ import annotations

import functools
import re

from attrs import evolve

from quoridor_net.moves import Move, Orientation, Square, Step, Wall
from quoridor_net.notation import Notation
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.move_list import MoveListReader, parts, strip_marks
from quoridor_net.replay.reading import Reading
from quoridor_net.replay.record import MAX_PLIES, Place, Record
from quoridor_net.replay.replay import Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.rules import STANDARD_SIZE, Jumps, Ply
from quoridor_net.text import quote

_PLY = re.compile(r"([0-9]{1,5})([bw])\.([0-8])([0-8])([hv]?)", re.ASCII | re.IGNORECASE)


def _format_square(square: Square) -> str:
    return f"{square.column}{square.row}"


def _format_move(move: Move) -> str:
    if isinstance(move, Step):
        return _format_square(move.square)
    return f"{move.column}{move.row}{move.orientation}"


#: The compact notation.
COMPACT = Notation(_format_square, _format_move)


def is_ply(word: str) -> bool:
    """Return whether ``word`` is a ply of such a list."""
    return _PLY.fullmatch(strip_marks(word)) is not None


def read_compact(text: str, jumps: Jumps, partial: bool, reading: Reading) -> Replay:
    """Return the game of a list in compact notation; see :func:`parse_game`."""
    reading = evolve(reading, flips=_starts_last(text))
    record = Record(Setting(jumps=jumps), functools.partial(reading.notation, usual=COMPACT))
    moves = MoveListReader(record, _Words(reading))
    return moves.finish(moves.read(text), reading, partial=partial)


def _starts_last(text: str) -> bool:
    """Return whether the first step of the first colour is in the upper half of the rows."""
    first = ""
    for word, _ in parts(text):
        ply = _PLY.fullmatch(strip_marks(word))
        if ply is None:
            continue
        first = first or ply[2].lower()
        if ply[2].lower() == first and not ply[5]:
            return int(ply[4]) > STANDARD_SIZE // 2
    return False


def _parse(ply: re.Match[str]) -> Move:
    column, row = int(ply[3]), int(ply[4])
    return Wall(column, row, Orientation(ply[5].lower())) if ply[5] else Step(Square(column, row))


class _Words:
    """Parses the plies of a list."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._first = ""

    def __call__(self, word: str, place: Place, record: Record) -> Ply:
        """Return the ply of ``word``."""
        ply = _PLY.fullmatch(word)
        if ply is None:
            sentence = f"{quote(word)} is not a ply: expected one like 1b.41 or 5w.31h"
            raise ReplayError(Fault.SYNTAX, sentence, place.line, place.move)
        plies = len(record.plies)
        if int(ply[1]) != plies // 2 + 1 and plies < MAX_PLIES:
            sentence = RecordPhrase.WRONG_NUMBER(number=quote(ply[1]), count=plies)
            raise ReplayError(Fault.SYNTAX, sentence, place.line, place.move)
        colour = ply[2].lower()
        self._first = self._first or colour
        player = 1 if colour == self._first else 2
        return Ply(player, self._reading.move(_parse(ply), record.setting.size))
