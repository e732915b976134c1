"""Which display fits what is asked for and where it goes."""

from __future__ import annotations

import enum
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TextIO

from quoridor_net.match import Event, GameEnded, Listener
from quoridor_net.match.encoding import as_object
from quoridor_net.output import Output
from quoridor_net.ui.lines import PlainDisplay


class DisplayKind(enum.Enum):
    """The displays one can ask for."""

    #: The board on a terminal, a line for every move elsewhere.
    USUAL = "usual"
    #: A JSON object for every event (docs/reference/events.md).
    JSON = "json"
    #: Only the result.
    QUIET = "quiet"


@asynccontextmanager
async def open_display(
    kind: DisplayKind, file: TextIO, note: Callable[[], str] = str
) -> AsyncIterator[Listener]:
    """Give a listener that shows matches on ``file`` until the context ends.

    What the body raises goes through unchanged.

    Args:
        kind: the display.
        file: a text file, most often standard output; the caller closes it.
        note: returns what else is to be shown on a terminal during the game; empty for nothing.
    """
    output = Output(file)

    def write_result(event: Event) -> None:
        if isinstance(event, GameEnded):
            output.write_line(event.result.sentence)

    match kind:
        case DisplayKind.JSON:
            yield lambda event: output.write_line(json.dumps(as_object(event)))
        case DisplayKind.QUIET:
            yield write_result
        case DisplayKind.USUAL if file.isatty() and os.environ.get("TERM") not in {"dumb", "unknown"}:
            # Loading rich takes longer than everything else that a quiet client needs.
            from quoridor_net.ui.terminal import open_terminal

            async with open_terminal(file, note) as listener:
                yield listener
        case DisplayKind.USUAL:
            yield PlainDisplay(output).listen
