"""Read and write games as lists of Athens commands, ready to be sent to an engine.

Written lists contain only ``boardsize``, ``clear_board``, ``walls``, ``playmove`` and ``playwall``, because
comments and unknown commands stop some engines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from quoridor_net.notation import Notation
from quoridor_net.notation.athens import COLOUR_OF_PLAYER, format_play, notation, parse_play
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.metadata import Metadata, parse_metadata
from quoridor_net.replay.record import MAX_PLIES, Place, Record
from quoridor_net.replay.replay import Replay
from quoridor_net.replay.setting import EXTENSION, Setting
from quoridor_net.replay.text import text_lines
from quoridor_net.rules import (
    MAX_SIZE,
    MIN_SIZE,
    STANDARD_SIZE,
    STANDARD_WALLS,
    Jumps,
    Move,
    Ply,
    default_walls,
)
from quoridor_net.rules.symmetry import reflect
from quoridor_net.text import BLANKS, UnparsableError, parse_number, quote, split_words

#: Commands that do not affect the game and are skipped.
SKIPPED = {"name", "known_command", "list_commands", "quit", "winner", "showboard"}

# Section 2.1: control characters except HT and LF are removed, and HT becomes a space.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_MAX_WALLS = 9999


@frozen
class _Played:
    """One ``playmove`` or ``playwall``; colour 1 is black."""

    colour: int
    move: Move
    place: Place


class _CommandList:
    """The game of the commands read so far."""

    def __init__(self) -> None:
        self.size = STANDARD_SIZE
        self.walls: int | None = None
        self.played: list[_Played] = []
        self.metadata = Metadata()
        self.line = 1

    def read(self, text: str) -> None:
        for number, raw, _ in text_lines(text):
            line, _, comment = _CONTROL.sub("", raw).replace("\t", " ").partition("#")
            words = split_words(line)
            metadata = None if words else parse_metadata(f"#{comment}")
            # Skip extensions, which belong to other formats: a list describes its board by commands.
            if metadata is not None and metadata[0] != EXTENSION:
                self.metadata.add(*metadata, number)
            if words:
                self.line = number
                self.command(words, raw)

    def command(self, words: list[str], raw: str) -> None:
        name, *arguments = words
        column = len(raw) - len(raw.lstrip(BLANKS)) + 1
        try:
            match name:
                case "boardsize" | "clear_board" | "walls" if self.played:
                    raise UnparsableError(f"{name} starts another game, but a list contains only one")
                case "clear_board":
                    pass
                case "boardsize":
                    self.size = _number(arguments, MIN_SIZE, MAX_SIZE)
                case "walls":
                    self.walls = _number(arguments, 0, _MAX_WALLS)
                case "playmove" | "playwall":
                    self.play(words, Place(self.line, column, column, column))
                case "undo":
                    self.undo(_number(arguments or ["1"], 0, 2**31 - 1))
                case "genmove":
                    raise UnparsableError(
                        "a list does not contain the move of genmove: use playmove or playwall"
                    )
                case _ if name not in SKIPPED:
                    raise UnparsableError(f"unknown command {quote(name)}")
        except UnparsableError as error:
            raise ReplayError(Fault.SYNTAX, str(error), self.line, column) from None

    def play(self, words: list[str], place: Place) -> None:
        if len(self.played) >= MAX_PLIES:
            raise UnparsableError(f"the game is too long: it has more than {MAX_PLIES} plies")
        self.played.append(_Played(*parse_play(words, self.size), place))

    def undo(self, times: int) -> None:
        if times > len(self.played):
            raise UnparsableError(f"cannot undo {times}: moves played so far: {len(self.played)}")
        del self.played[len(self.played) - times :]


def read_commands(text: str, jumps: Jumps, partial: bool) -> Replay:
    """Return the game of a list of Athens commands; see :func:`parse_game`.

    The first player to move becomes player 1. If white begins, the board is turned upside down
    (docs/decisions.md, Notations).
    """
    commands = _CommandList()
    commands.read(text)
    size = commands.size
    white_begins = bool(commands.played) and commands.played[0].colour == 2
    walls = default_walls(size) if commands.walls is None else commands.walls
    setting = Setting(2, size, None if walls == STANDARD_WALLS[2] else walls, jumps)
    record = Record(setting, _upside_down if white_begins else notation)
    for played in commands.played:
        player = 3 - played.colour if white_begins else played.colour
        if record.position.turn == 3 - player:
            sentence = f"{COLOUR_OF_PLAYER[played.colour]} moves twice: this list is not a game"
            raise ReplayError(Fault.WRONG_TURN, sentence, played.place.line, played.place.player)
        move = reflect(played.move, size, rows=True) if white_begins else played.move
        record.add(Ply(player, move), played.place)
    record.metadata = commands.metadata
    return record.finish(Place(commands.line), partial=partial)


def _upside_down(size: int) -> Notation:
    """Return the notation for a board that is turned upside down."""
    usual = notation(size)
    return Notation(
        lambda square: usual.format_square(reflect(square, size, rows=True)),
        lambda move: usual.format_move(reflect(move, size, rows=True)),
    )


def write_commands(replay: Replay) -> str:
    """Return the commands of a game; black is player 1.

    Raises:
        ReplayError: the Athens protocol cannot describe this game.
    """
    if replay.setting.players != 2 or replay.setting.start is not None:
        sentence = "the Athens protocol can describe only games of two from the usual start"
        raise ReplayError(Fault.INEXPRESSIBLE, sentence)
    return format_commands(replay.setting.size, replay.setting.position().walls_left(1), replay.plies)


def format_commands(size: int, walls: int, plies: Iterable[Ply]) -> str:
    """Return the commands for ``plies``, on a board of ``size`` with ``walls`` walls for each player."""
    lines = [f"boardsize {size}", "clear_board", f"walls {walls}"]
    for ply in plies:
        assert ply.move is not None, "games of two have no eliminations"
        lines.append(format_play(ply.player, ply.move, size))
    return "".join(f"{line}\n" for line in lines)


def _number(arguments: list[str], least: int, most: int) -> int:
    try:
        return parse_number(" ".join(arguments), least, most)
    except UnparsableError:
        raise UnparsableError(f"expected one number from {least} to {most}") from None
