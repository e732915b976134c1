"""The boards of the games that are going on, drawn for the live display."""

from __future__ import annotations

import sys
from typing import Any

from rich.text import Text

from quoridor_net.clobber.diagram import draw
from quoridor_net.match import GameEnded, GameStarted, MoveMade
from quoridor_net.rules.diagram import glyphs_for
from quoridor_net.tournament import Event, GameEvent
from quoridor_net.ui.theme import coloured


class BoardDrawings:
    """Follows all games and draws any of them."""

    def __init__(self) -> None:
        self._positions: dict[int, Any] = {}
        self._glyphs = glyphs_for(sys.stdout.encoding)

    def listen(self, event: Event) -> None:
        """Note what happened in a game."""
        match event:
            case GameEvent(game, GameEnded()):
                self._positions.pop(game, None)
            case GameEvent(game, GameStarted() | MoveMade() as inner):
                self._positions[game] = inner.position

    def draw(self, game: int) -> Text | None:
        """Return the board of a game; None when it has none yet."""
        position = self._positions.get(game)
        if position is None:
            return None
        history = position.history
        return coloured(draw(position, self._glyphs, history[-1] if history else None))
