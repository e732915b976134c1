"""The colours of a drawing on a terminal; rich decides whether to use them (NO_COLOR and so on)."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from quoridor_net.rules.diagram import Line, Look

_TILE = "on #463a33"
_GAP = "on #2b231f"

#: Styles of rich by look. The drawing is readable without colours too.
STYLES: dict[Look, str] = {
    Look.TEXT: "",
    Look.STRONG: "bold",
    Look.FAINT: "dim",
    Look.COORDINATE: "dim",
    Look.FRAME: f"#8a6f5c {_GAP}",
    Look.SQUARE: f"#7d6a5e {_TILE}",
    Look.MARKED_SQUARE: f"bold #ffffff {_TILE}",
    Look.GAP: _GAP,
    Look.WALL: f"bold #f2b33d {_GAP}",
    Look.LAST_WALL: f"bold #fff3c4 {_GAP}",
    Look.REFUSED: "bold #ffffff on #b3261e",
    Look.PAWN_1: "bold #1a1a1a on #ff7b72",
    Look.PAWN_2: "bold #1a1a1a on #6cb6ff",
    Look.PAWN_3: "bold #1a1a1a on #7ee787",
    Look.PAWN_4: "bold #1a1a1a on #d2a8ff",
}


class PipedConsole(Console):
    """A console that raises an error when its output is closed, where rich would end the program."""

    def on_broken_pipe(self) -> None:
        """Raise the error that rich has caught."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def colour_lines(lines: Sequence[Line]) -> Text:
    """Return ``lines`` as one text that is cropped rather than wrapped."""
    text = Text(no_wrap=True, overflow="crop", end="")
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        for span in line:
            text.append(span.text, STYLES[span.look])
    return text
