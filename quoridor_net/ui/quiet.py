"""The display that tells only how a game ended."""

from __future__ import annotations

from quoridor_net.match import Event, GameEnded
from quoridor_net.output import Output


class QuietDisplay:
    """Writes the result of each game.

    Args:
        output: where the line goes.
    """

    def __init__(self, output: Output) -> None:
        self._output = output

    def listen(self, event: Event) -> None:
        """Write the result if ``event`` has it."""
        if isinstance(event, GameEnded):
            self._output.write_line(event.result.sentence)
