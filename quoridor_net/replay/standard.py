"""Read and write games in standard notation: numbered rounds, ``1. e2 e8``, after metadata as in replays.

In games for four, ``x3`` eliminates player 3. This module also reads the lists of programs that write the
letter of a wall first, ``he3``, or whose first player starts at e9.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import evolve

from quoridor_net.moves import Move
from quoridor_net.notation.standard import format_move, parse_move
from quoridor_net.phrases import text_of
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.move_list import MoveListReader
from quoridor_net.replay.reading import Reading
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.replay import Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.writer import format_file
from quoridor_net.rules import Jumps, Ply
from quoridor_net.text import UnparsableError, quote

_OUT = re.compile(r"x([1-4])", re.ASCII)
_PREFIXED = re.compile(r"([hv])([a-y][1-9][0-9]?)", re.ASCII | re.IGNORECASE)

#: The letter of a wall as a separate word before its square.
LONE_LETTERS = frozenset("hvHV")


# Cached, because long games repeat the same moves.
@lru_cache(maxsize=4096)
def parse_word(word: str, size: int) -> Move:
    """Parse a move: a square, or a wall with its letter on either side.

    Raises:
        UnparsableError: ``word`` is not a move on a board of ``size``.
    """
    prefixed = _PREFIXED.fullmatch(word)
    return parse_move(word if prefixed is None else prefixed[2] + prefixed[1], size)


def is_prefixed(word: str) -> bool:
    """Return whether ``word`` is a wall with its letter first, or the letter alone."""
    return word in LONE_LETTERS or _PREFIXED.fullmatch(word) is not None


def read_moves(
    text: str, jumps: Jumps, partial: bool, reading: Reading, setting: Setting | None = None
) -> Replay:
    """Return the game of a list of moves; see :func:`parse_game`.

    Args:
        text: the list.
        jumps: the jump rule unless the list has one.
        partial: whether to accept an unfinished game.
        reading: the meaning of its squares and walls.
        setting: the setting unless the list has one; None for the usual one.
    """
    words = _Words(reading)
    moves = MoveListReader(Record(evolve(setting or Setting(), jumps=jumps), reading.notation), words)
    end = moves.read(text)
    words.finish()
    return moves.finish(end, reading, partial=partial)


class _Words:
    """Parses the moves of a list."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        # The letter of a wall that waits for its square.
        self._letter: tuple[str, Place] | None = None

    def __call__(self, word: str, place: Place, record: Record) -> Ply | None:
        """Return the ply of ``word``; None for the letter of a wall, which needs the next word."""
        out = _OUT.fullmatch(word)
        if out is not None and record.setting.players > 2:
            return Ply(int(out[1]), None)
        if self._letter is None and word in LONE_LETTERS:
            self._letter = word, place
            return None
        if self._letter is not None:
            letter, place = self._letter
            word, self._letter = letter + word, None
        try:
            move = parse_word(word, record.setting.size)
        except UnparsableError as error:
            raise ReplayError(Fault.SYNTAX, text_of(error), place.line, place.move) from None
        # Lists do not name the player, so it is always the player to move. If the game is over, any will do.
        return Ply(record.position.turn or 1, self._reading.move(move, record.setting.size))

    def finish(self) -> None:
        """Reject a lone letter at the end of the list.

        Raises:
            ReplayError: there is one.
        """
        if self._letter is not None:
            letter, place = self._letter
            sentence = f"{quote(letter)} is not a move: expected the square of a wall after it"
            raise ReplayError(Fault.SYNTAX, sentence, place.line, place.move)


def write_moves(replay: Replay) -> str:
    """Return the moves of a game, one round per line, with its metadata."""
    order = replay.setting.position().order
    rounds = []
    for start in range(0, len(replay.plies), len(order)):
        plies = replay.plies[start : start + len(order)]
        words = [f"x{ply.player}" if ply.move is None else format_move(ply.move) for ply in plies]
        rounds.append(f"{start // len(order) + 1}. {' '.join(words)}")
    return format_file(replay, rounds)
