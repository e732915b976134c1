"""The level of ``quoridor play --level auto``, which follows the results of this user."""

from __future__ import annotations

from pathlib import Path

from quoridor_net.outcome import Result
from quoridor_net.players.auto_level import FIRST, STRONGEST, WEAKEST, next_level
from quoridor_net.system import find_state_folder
from quoridor_net.text import UnparsableError, parse_number

#: The value of ``--level``.
AUTO = "auto"


def read_level() -> int:
    """Return the level of the next game; the usual one if none, or nothing sensible, is recorded."""
    try:
        return parse_number(_record().read_text("ascii").strip(), WEAKEST, STRONGEST)
    except (OSError, RuntimeError, UnicodeError, UnparsableError):
        return FIRST


def follow_result(level: int, person: int, result: Result) -> str:
    """Record the level of the next game, and return a sentence about it.

    Args:
        level: the level of the game.
        person: player number of the person.
        result: the result of the game.
    """
    following = next_level(level, person, result.winner)
    path = None
    try:
        path = _record()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(f"{following}\n", "ascii")
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        option = "" if following == FIRST else f" Use --level {following} then."
        return (
            f"The level of your next game cannot be recorded: {path or 'no home folder'}: {reason}.{option}"
        )
    word = "higher" if following > level else "lower" if following < level else "again"
    if word == "again":
        return f"Your next game with --level {AUTO} is at level {following} again."
    return f"Your next game with --level {AUTO} is one level {word}: {following}."


def _record() -> Path:
    """Return the path of the file with the level.

    Raises:
        RuntimeError: the home folder is unknown.
    """
    return find_state_folder() / "level"
