"""Formats durations, counts, names and moves for people."""

from __future__ import annotations

from typing import Any

from quoridor_net.events import GameStarted
from quoridor_net.rules import Move, Orientation, Wall
from quoridor_net.rules.diagram import UNICODE, Glyphs
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.text import columns_of, cut, visible


def format_duration(seconds: float) -> str:
    """Return ``seconds`` as ``0.04 s``, ``3.2 s``, ``48 s``, ``1:05`` or ``1:02:03``."""
    for digits, limit in ((2, 0.995), (1, 9.95), (0, 59.5)):
        if seconds < limit:
            return f"{seconds:.{digits}f} s"
    return format_clock(round(seconds))


def format_clock(seconds: int) -> str:
    """Return whole ``seconds`` as ``48 s``, ``1:05`` or ``1:02:03``."""
    if seconds < 60:
        return f"{seconds} s"
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def describe_limits(game: GameStarted[Any]) -> str:
    """Return the time limits of a game, as in ``10 s a move, clock 300+2 s``; empty for none."""
    limits = [] if game.move_time is None else [f"{format_duration(game.move_time)} a move"]
    if game.first_move_time is not None:
        move = "move" if game.move_time is None else "one"
        limits.append(f"{format_duration(game.first_move_time)} for the first {move}")
    if game.clocks:
        clocks = dict.fromkeys(game.clocks) if len(set(game.clocks)) == 1 else game.clocks
        shown = ["none" if clock is None else f"{clock} s" for clock in clocks]
        limits.append(f"clock{'' if len(shown) == 1 else 's'} {', '.join(shown)}")
    return ", ".join(limits)


def shorten(text: str, width: int, glyphs: Glyphs = UNICODE) -> str:
    """Return ``text`` with invisible characters escaped, cut to ``width`` columns with an ellipsis."""
    return cut(visible(text), width, glyphs.ellipsis)


def fold(text: str, width: int, indent: str = "") -> list[str]:
    """Return ``text`` in lines of at most ``width`` columns, broken between words if possible.

    Args:
        text: words separated by spaces.
        width: columns.
        indent: prefix of every line.
    """
    lines, line = [], indent
    for word in text.split():
        joined = f"{line} {word}" if line.strip() else line + word
        if columns_of(joined) <= width:
            line = joined
            continue
        if line.strip():
            lines.append(line)
            line = indent
        rest = word
        while columns_of(line + rest) > width:
            part = cut(rest, width - columns_of(line), "") or rest[0]
            lines.append(line + part)
            line, rest = indent, rest[len(part) :]
        line += rest
    return [*lines, line] if line.strip() else lines


def capitalise(sentence: str) -> str:
    """Return ``sentence`` with its first letter capitalised."""
    return sentence[:1].upper() + sentence[1:]


def pad_move(move: Move, picture: BoardPicture, size: int) -> str:
    """Return ``move`` in the notation of ``picture``, as wide as the longest move on a board of ``size``."""
    notation = picture.notation(size)
    longest = max(len(notation.format_move(Wall(size - 2, size - 2, each))) for each in Orientation)
    return f"{notation.format_move(move):<{longest}}"
