"""A recorded game in a notebook, on the board of the web pages."""

from __future__ import annotations

from html import escape

from attrs import frozen

from quoridor_net.match.replaying import events_of
from quoridor_net.replay import Replay
from quoridor_net.web.standalone import standalone_page


@frozen
class GameFrame:
    """A game that a notebook shows when it is the last line of a cell, without server or network.

    Attributes:
        game: the game.
        height: height of the frame, in CSS pixels.
    """

    game: Replay
    height: int = 640

    def to_html(self) -> str:
        """Return the game as a complete HTML document, for a file."""
        title = " - ".join(self.game.names) or "Quoridor"
        return standalone_page("replay", title, {1: events_of(self.game)})

    def _repr_html_(self) -> str:
        """Return the frame that a notebook shows."""
        # Sandboxed without an origin, the frame cannot reach the notebook.
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{self.height}"'
            f' srcdoc="{escape(self.to_html())}"></iframe>'
        )
