"""Ways of writing moves and positions, one module for each: lan, athens, standard, position_line."""

from quoridor_net.notation.errors import Unparsable

__all__ = ["Unparsable"]
