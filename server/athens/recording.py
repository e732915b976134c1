"""Saves the game of an engine session as a replay, and loads a replay into a session."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import trio

from quoridor_net.cli.new_file import refuse_existing
from quoridor_net.notation.athens import notation
from quoridor_net.protocols.athens import AthensGame
from quoridor_net.protocols.athens.commands import CommandError
from quoridor_net.replay import RecordFormat, ReplayError, format_game, parse_game, read
from quoridor_net.replay.athens import format_commands
from quoridor_net.rules import IllegalMoveError
from quoridor_net.text_file import reason_for


async def save_game(game: AthensGame, path: str, *, overwrites: bool = False) -> None:
    """Write ``game`` to the file at ``path``; replace an existing file only with ``overwrites``.

    Raises:
        CommandError: the colours did not move in turn, or the file exists or cannot be written.
    """
    commands = format_commands(game.size, game.walls, game.history)
    try:
        replay = parse_game(commands, RecordFormat.ATHENS, jumps=game.jumps, partial=True)
        text = format_game(replay, RecordFormat.REPLAY)
    except ReplayError as error:
        raise CommandError(f"a replay cannot record this game: {error}") from None
    try:
        if not overwrites:
            await trio.to_thread.run_sync(refuse_existing, [Path(path)])
        await trio.Path(path).write_text(text, encoding="ascii", newline="\n")
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot write {path}: {_reason(error)}") from None


async def load_game(game: AthensGame, path: str) -> None:
    """Load the game in the file at ``path``, of any format, into ``game``; its player 1 becomes black.

    Raises:
        CommandError: the file cannot be read or holds no suitable game. Nothing is changed then.
    """
    try:
        replay = await trio.to_thread.run_sync(partial(read, path, jumps=game.jumps, partial=True))
    except OSError as error:
        raise CommandError(f"cannot load {path}: {reason_for(error)}") from None
    except ValueError as error:
        raise CommandError(f"cannot load {path}: {error}") from None
    setting = replay.setting
    if setting.players != 2 or setting.start is not None:
        raise CommandError(f"cannot load {path}: it is not a two-player game from the start position")
    walls = setting.position().walls_left(1)
    # Try it on a scratch game first, so that a failure changes nothing.
    for target in (AthensGame(game.jumps), game):
        target.resize(setting.size)
        target.set_walls(walls)
        try:
            for ply in replay.plies:
                assert ply.move is not None, "nobody is eliminated in a game of two"
                target.play(ply.player, ply.move)
        except IllegalMoveError as error:
            raise CommandError(f"cannot load {path}: {error.explain(notation(setting.size))}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)
