"""Games in lines that begin with ``tq1``: ``tq1 e2 e8 d3h``, perhaps with JSON, ``tq1#{...} e2 e8``."""

from __future__ import annotations

import re

from quoridor_net.replay.json_text import end_of

_HEAD = re.compile(r"^[ \t]*tq1(?![A-Za-z0-9])", re.MULTILINE)
# The lower edge of a frame that some programs draw around the line.
_FRAME = re.compile(r"^[ \t]*\u2514.*", re.MULTILINE)
_NO_LINE_END = re.compile(r"[^\n]")


def is_tq1(text: str) -> bool:
    """Return whether a line of ``text`` begins with ``tq1``."""
    return _HEAD.search(text) is not None


def moves_of(text: str) -> str:
    """Return ``text`` with spaces for everything but the moves, which keep their places.

    Raises:
        ReplayError: the object behind ``tq1`` is nested too deep.
    """
    head = _HEAD.search(text)
    if head is None:
        return text
    start = head.end()
    if text.startswith("#{", start):
        start = end_of(text, start + 1)
    frame = _FRAME.search(text, start)
    stop = len(text) if frame is None else frame.start()
    return _NO_LINE_END.sub(" ", text[:start]) + text[start:stop]
