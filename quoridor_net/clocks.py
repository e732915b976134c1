"""A player's time for a whole game, written ``SECONDS`` or ``SECONDS+INCREMENT``."""

from __future__ import annotations

import re

from attrs import frozen

from quoridor_net.text import UnparsableError, quote

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,6})?"
_CLOCK = re.compile(rf"({_NUMBER})(?:\+({_NUMBER}))?", re.ASCII)


@frozen
class GameClock:
    """A player's time for all its moves of a game together.

    Attributes:
        seconds: time at the start of the game.
        increment: time added after each move, in seconds.
    """

    seconds: float
    increment: float = 0.0

    def __str__(self) -> str:
        """Return the clock as :func:`parse_clock` reads it."""
        if not self.increment:
            return _format(self.seconds)
        return f"{_format(self.seconds)}+{_format(self.increment)}"


def _format(seconds: float) -> str:
    return f"{seconds:.6f}".rstrip("0").rstrip(".")


def parse_clock(text: str) -> GameClock:
    """Parse ``300`` or ``300+2``.

    Raises:
        UnparsableError: it is not a clock, or has no time at the start.
    """
    found = _CLOCK.fullmatch(text)
    if found is None or not float(found[1]):
        raise UnparsableError(f"expected seconds, or seconds+increment as in 300+2, not {quote(text)}")
    return GameClock(float(found[1]), float(found[2] or 0.0))
