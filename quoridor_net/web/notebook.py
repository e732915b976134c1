"""A recorded game in a notebook, on the board of the web pages: step through it and try other moves."""

from __future__ import annotations

from html import escape

from attrs import frozen

from quoridor_net.match.replaying import events_of
from quoridor_net.replay import Replay
from quoridor_net.web.standalone import standalone_page


@frozen
class GameFrame:
    """Shows a game when it is the last line of a cell; the notebook needs no server and no network.

    Attributes:
        game: the game.
        height: of the frame, in pixels of the page.
    """

    game: Replay
    height: int = 640

    def to_html(self) -> str:
        """Return the game as a document of its own, for a file."""
        title = " - ".join(self.game.names) or "Quoridor"
        return standalone_page("replay", title, {1: events_of(self.game)})

    def _repr_html_(self) -> str:
        """Return the frame that a notebook shows."""
        # Without an origin of its own, the frame can reach nothing of the notebook's.
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{self.height}"'
            f' srcdoc="{escape(self.to_html())}"></iframe>'
        )
