"""The commands of section 4 of the Athens protocol, in one table.

An engine follows this table; ``list_commands``, ``known_command`` and the documentation are made from it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from attrs import frozen

from quoridor_net.notation.athens import COLOUR_OF_PLAYER, parse_colour, parse_play
from quoridor_net.protocols.athens.athens_game import MAX_PLIES, AthensGame
from quoridor_net.rules import MAX_SIZE, IllegalMoveError, Move
from quoridor_net.text import UnparsableError, parse_number

# Section 2.6 and section 4: the messages that the protocol fixes.
UNKNOWN_COMMAND = "unknown command"
SYNTAX_ERROR = "syntax error"
UNACCEPTABLE_SIZE = "unacceptable size"
ILLEGAL_MOVE = "illegal move"
CANNOT_UNDO = "cannot undo"

#: What the protocol does not know: a game that takes too much memory.
GAME_TOO_LONG = f"a game has at most {MAX_PLIES} moves"

#: Section 2.2: an int is in the interval 0 ... 2**31 - 1.
MAX_INT = 2**31 - 1

Words = list[str]


class CommandError(Exception):
    """The command is answered with ``?`` and this message; nothing was changed."""


@frozen
class EngineSetting:
    """The engine that a command works on: game, name, board sizes that it plays, and all its commands."""

    game: AthensGame
    name: str
    sizes: range
    commands: tuple[str, ...]


@frozen
class Command:
    """One row of the table.

    Attributes:
        arguments: what follows the name, for people.
        run: changes the setting's game and returns the lines of the answer, or raises CommandError or, for a
            syntax error, UnparsableError. None for ``genmove`` and ``quit``, which an engine does itself.
    """

    name: str
    arguments: str
    run: Callable[[EngineSetting, Words], list[str]] | None


def parse_int(words: Words) -> int:
    """Return the one int that ``words`` hold; section 2.2, "int".

    Raises:
        UnparsableError: they hold something else.
    """
    return parse_number(" ".join(words), 0, MAX_INT)


def parse_player(words: Words) -> int:
    """Return the player of the colour that comes first in ``words``.

    Raises:
        UnparsableError: no colour comes first.
    """
    return parse_colour(words[0] if words else "")


@lru_cache(4096)
def _read_play(command: tuple[str, ...], size: int) -> tuple[int, Move]:
    """Return what :func:`parse_play` does; controllers that search play the same moves again and again."""
    return parse_play(command, size)


def _play(setting: EngineSetting, words: Words, *, name: str) -> list[str]:
    game, command = setting.game, (name, *words)
    try:
        player, move = _read_play(command, game.size)
    except UnparsableError:
        # A vertex of section 1.11, but of a larger board, is understood.
        parse_play(command, MAX_SIZE)
        raise CommandError(ILLEGAL_MOVE) from None
    if game.is_full:
        raise CommandError(GAME_TOO_LONG)
    try:
        game.play(player, move)
    except IllegalMoveError:
        raise CommandError(ILLEGAL_MOVE) from None
    return []


def _known_command(setting: EngineSetting, words: Words) -> list[str]:
    return ["true" if words[:1] and words[0] in setting.commands else "false"]


def _boardsize(setting: EngineSetting, words: Words) -> list[str]:
    size = parse_int(words)
    if size not in setting.sizes:
        raise CommandError(UNACCEPTABLE_SIZE)
    setting.game.resize(size)
    return []


def _clear_board(setting: EngineSetting, _words: Words) -> list[str]:
    setting.game.clear()
    return []


def _walls(setting: EngineSetting, words: Words) -> list[str]:
    setting.game.set_walls(parse_int(words[:1]))
    return []


def _undo(setting: EngineSetting, words: Words) -> list[str]:
    plies = parse_int(words) if words else 1
    if setting.game.is_at_start:
        raise CommandError(CANNOT_UNDO)
    try:
        setting.game.undo(plies)
    except IndexError:
        raise CommandError(CANNOT_UNDO) from None
    return []


def _winner(setting: EngineSetting, _words: Words) -> list[str]:
    winner = setting.game.position.winner
    return ["false" if winner is None else f"true {COLOUR_OF_PLAYER[winner]}"]


GENMOVE = "genmove"
QUIT = "quit"

COMMANDS: tuple[Command, ...] = (
    Command("name", "", lambda setting, _words: [setting.name]),
    Command("known_command", "command_name", _known_command),
    Command("list_commands", "", lambda setting, _words: list(setting.commands)),
    Command(QUIT, "", None),
    Command("boardsize", "size", _boardsize),
    Command("clear_board", "", _clear_board),
    Command("walls", "number_of_walls", _walls),
    Command("playmove", "color vertex", partial(_play, name="playmove")),
    Command("playwall", "color vertex orientation", partial(_play, name="playwall")),
    Command(GENMOVE, "color", None),
    Command("undo", "[times]", _undo),
    Command("winner", "", _winner),
    # The drawing begins below the "=", so that its lines stand straight.
    Command("showboard", "", lambda setting, _words: ["", *setting.game.drawing()]),
)
