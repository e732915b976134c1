"""Games in standard notation: numbered rounds of moves, ``1. e2 e8``, after the same metadata as in replays.

In games for four, ``x3`` says that player 3 is out of the game.
"""

from __future__ import annotations

import re
from functools import lru_cache

from quoridor_net.notation.standard import STANDARD, format_move, parse_move
from quoridor_net.phrases import text_of
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.game import Replay
from quoridor_net.replay.record import MAX_PLIES, Place, Record
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.text import text_lines
from quoridor_net.replay.writer import format_file
from quoridor_net.rules import Jumps, Ply
from quoridor_net.text import UnparsableError, parse_number, quoted

# A number of a round, perhaps glued to the first move, or a word.
_WORD = re.compile(r"[0-9]+\.+|[^\s]+", re.ASCII)
_NUMBER = re.compile(r"([0-9]+)(\.+)", re.ASCII)
_OUT = re.compile(r"x([1-4])", re.ASCII)

# A long game says the same again and again.
_parse = lru_cache(maxsize=4096)(parse_move)


def read_moves(text: str, jumps: Jumps, partial: bool) -> Replay:
    """Return the game that a list of moves in standard notation plays, as :func:`parse_game` does.

    Moves are separated by blanks and line ends; rounds may be numbered.
    """
    moves = _MoveList(Record(Setting(jumps=jumps), STANDARD))
    number = 1
    for number, line, _ in text_lines(text):
        if line.startswith("#"):
            moves.record.comment(line, number)
        for word in _WORD.finditer(line.partition("#")[0]):
            moves.read(word[0], Place(number, *[word.start() + 1] * 3))
    return moves.record.finish(Place(number), partial=partial)


class _MoveList:
    """What the words read so far amount to."""

    def __init__(self, record: Record) -> None:
        self.record = record
        # Plies to a number: all of a round, or one where every ply has its own; open until it is seen.
        self.strides: set[int] = set()
        self.numbered = 0

    def read(self, word: str, place: Place) -> None:
        counted = _NUMBER.fullmatch(word)
        if counted is not None:
            self.check_number(counted[1], len(counted[2]) > 1, place)
        else:
            self.play(word, place)

    def check_number(self, digits: str, is_continued: bool, place: Place) -> None:
        """Check that a move is where its number says; ``2...`` stands inside round 2."""
        plies = len(self.record.plies)
        try:
            number = parse_number(digits, 1, MAX_PLIES)
        except UnparsableError:
            number = 0
        fitting = {
            stride
            for stride in self.strides or {1, len(self.record.position.order)}
            if number == plies // stride + 1
            and (is_continued or plies % stride == 0)
            and (stride > 1 or plies - self.numbered <= 1)
        }
        if not fitting:
            sentence = RecordPhrase.WRONG_NUMBER(number=quoted(digits), plies=plies)
            raise ReplayError(Fault.SYNTAX, sentence, place.line, place.move)
        self.strides, self.numbered = fitting, plies

    def play(self, word: str, place: Place) -> None:
        record = self.record
        out = _OUT.fullmatch(word)
        if out is not None and record.setting.players > 2:
            record.add(Ply(int(out[1]), None), place)
            return
        try:
            move = _parse(word, record.setting.size)
        except UnparsableError as error:
            raise ReplayError(Fault.SYNTAX, text_of(error), place.line, place.move) from None
        # Who moves is not written, so it is nobody's wrong turn; a game that is over says so itself.
        record.add(Ply(record.position.turn or 1, move), place)


def write_moves(replay: Replay) -> str:
    """Return the moves of a game, one round on each line, with its metadata."""
    order = replay.setting.position().order
    rounds = []
    for start in range(0, len(replay.plies), len(order)):
        plies = replay.plies[start : start + len(order)]
        words = [f"x{ply.player}" if ply.move is None else format_move(ply.move) for ply in plies]
        rounds.append(f"{start // len(order) + 1}. {' '.join(words)}")
    return format_file(replay, rounds)
