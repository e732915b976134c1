"""Displays of a game: on a terminal, as lines, as JSON, or the result only."""

from quoridor_net.ui.display import DisplayKind, open_display

__all__ = ["DisplayKind", "open_display"]
