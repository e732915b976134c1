"""The commands of section 4 of the Athens protocol, in one table.

The table drives the engine, ``list_commands``, ``known_command`` and the documentation.
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

#: Not part of the protocol: the limit that bounds the memory of a game.
GAME_TOO_LONG = f"a game has at most {MAX_PLIES} moves"

#: Section 2.2: an int is in the interval 0 ... 2**31 - 1.
MAX_INT = 2**31 - 1

Words = list[str]


class CommandError(Exception):
    """A command failed: answer ``?`` and this message. Nothing was changed."""


@frozen
class EngineSetting:
    """The engine that a command acts on: game, name, supported board sizes and all command names."""

    game: AthensGame
    name: str
    sizes: range
    commands: tuple[str, ...]


@frozen
class Command:
    """One row of the table.

    Attributes:
        arguments: the arguments, for the documentation.
        run: changes the setting's game and returns the lines of the answer. Raises CommandError or, for a
            syntax error, UnparsableError. None for ``genmove`` and ``quit``, which the engine role handles.
    """

    name: str
    arguments: str
    run: Callable[[EngineSetting, Words], list[str]] | None


def parse_int(words: Words) -> int:
    """Return the int that ``words`` consist of; section 2.2, "int".

    Raises:
        UnparsableError: they are not one int.
    """
    return parse_number(" ".join(words), 0, MAX_INT)


def parse_player(words: Words) -> int:
    """Return the player whose colour is the first of ``words``.

    Raises:
        UnparsableError: the first word is not a colour.
    """
    return parse_colour(words[0] if words else "")


@lru_cache(4096)
def _read_play(command: tuple[str, ...], size: int) -> tuple[int, Move]:
    """Cache :func:`parse_play`, because controllers that search play the same moves repeatedly."""
    return parse_play(command, size)


def _play(setting: EngineSetting, words: Words, *, name: str) -> list[str]:
    game, command = setting.game, (name, *words)
    try:
        player, move = _read_play(command, game.size)
    except UnparsableError:
        # A valid vertex of a larger board is an illegal move, not a syntax error.
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
    # The drawing begins on the line below "=", so that its columns line up.
    Command("showboard", "", lambda setting, _words: ["", *setting.game.draw()]),
)
