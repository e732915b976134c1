"""Read games in lines that begin with ``tq1``: ``tq1 e2 e8 d3h``, or with JSON, ``tq1#{...} e2 e8``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quoridor_net.replay.json_text import end_of

_NAME = "tq1"
# The lower edge of a frame that some programs draw around the line.
_FRAME = "\u2514"
_NO_LINE_END = re.compile(r"[^\n]")


def is_tq1(text: str) -> bool:
    """Return whether a line of ``text`` begins with ``tq1``."""
    return _head_end(text) is not None


def moves_of(text: str) -> str:
    """Return ``text`` with spaces for everything except the moves, which keep their places.

    Raises:
        ReplayError: the object after ``tq1`` is nested too deep.
    """
    start = _head_end(text)
    if start is None:
        return text
    if text.startswith("#{", start):
        start = end_of(text, start + 1)
    frames = (place for place in _line_starts(text) if place >= start and text.startswith(_FRAME, place))
    stop = next(frames, len(text))
    return _NO_LINE_END.sub(" ", text[:start]) + text[start:stop]


def _head_end(text: str) -> int | None:
    """Return the end of the first ``tq1`` at the start of a line; None if there is none."""
    for place in _line_starts(text):
        if text.startswith(_NAME, place):
            end = place + len(_NAME)
            after = text[end : end + 1]
            if not (after.isascii() and after.isalnum()):
                return end
    return None


def _line_starts(text: str) -> Iterator[int]:
    """Yield the offset of the first word of every line."""
    start = 0
    for line in text.split("\n"):
        yield start + len(line) - len(line.lstrip(" \t"))
        start += len(line) + 1
