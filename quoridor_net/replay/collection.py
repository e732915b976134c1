"""Files with several games: one after another, each beginning with its ``Game-ID`` after an empty line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from quoridor_net.replay.wire import choose_game

_START = re.compile(r"^# Game-ID:", re.MULTILINE)


def join_games(texts: Iterable[str]) -> Iterable[str]:
    """Yield the texts of games in a file, each as it was or with a number as ``Game-ID``."""
    for number, text in enumerate(texts, 1):
        gap = "" if number == 1 else "\n"
        head = "" if text.startswith("# Game-ID:") else f"# Game-ID: {number}\n"
        yield f"{gap}{head}{text}"


def find_game(text: str, number: int | None) -> str | None:
    """Return the text of a game, with empty lines in place of the games before it.

    So errors have the numbers of the lines in the file.

    Args:
        text: of a file, with LF as line ends.
        number: of the game, from 1; None if there is only one.

    Returns:
        None if the file has at most one game.

    Raises:
        ReplayError: there are several games, but no game ``number``, or it is None.
    """
    marked = (found.start() for found in _START.finditer(text))
    starts = [start for start in marked if start == 0 or text.endswith("\n\n", 0, start)]
    if len(starts) < 2:
        return None
    start, end = choose_game([*zip(starts, [*starts[1:], len(text)], strict=True)], number, "file")
    return "\n" * text.count("\n", 0, start) + text[start:end].rstrip("\n") + "\n"
