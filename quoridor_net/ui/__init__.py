"""How a game is looked at: on a terminal, as lines, as JSON, or only its result."""

from quoridor_net.ui.display import DisplayKind, open_display

__all__ = ["DisplayKind", "open_display"]
