"""The display for scripts: one JSON object on a line for every event (docs/reference/events.md)."""

from __future__ import annotations

import json

from quoridor_net.match import Event
from quoridor_net.match.encoding import as_object
from quoridor_net.output import Output


class JsonDisplay:
    """Writes one JSON object for each event.

    Args:
        output: where the lines go.
    """

    def __init__(self, output: Output) -> None:
        self._output = output

    def listen(self, event: Event) -> None:
        """Write the object of ``event``."""
        self._output.write_line(json.dumps(as_object(event)))
