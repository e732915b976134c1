"""Files with several games: one after another, each beginning with its ``Game-ID`` after an empty line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

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
    games = split_games(text)
    if len(games) < 2:
        return None
    before, chosen = choose_game(games, number, "file")
    return "\n" * before + chosen


def split_games(text: str) -> list[tuple[int, str]]:
    """Return the games of a file, each with the number of lines before it; without empty lines between them.

    A file that does not contain several games is returned as it is.

    Args:
        text: of a file, with LF as line ends.
    """
    marked = (found.start() for found in _START.finditer(text))
    starts = [start for start in marked if start == 0 or text.endswith("\n\n", 0, start)]
    if len(starts) < 2:
        return [(0, text)]
    # What precedes the first game belongs to it, so that no line is skipped.
    starts[0] = 0
    games: list[tuple[int, str]] = []
    before = 0
    for start, end in pairwise([*starts, len(text)]):
        games.append((before, text[start:end] if end == len(text) else text[start : end - 1]))
        before += text.count("\n", start, end)
    return games
