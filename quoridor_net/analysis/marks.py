"""What a loss of winning chances is called, and how accurate a player was.

The thresholds are those of lichess (lila, ``Advice.scala``: 0.1, 0.2 and 0.3 on a scale from -1 to 1, which
is half as much here), the accuracy of a move is that of https://lichess.org/page/accuracy.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence


class Mark(enum.StrEnum):
    """A move that loses winning chances; the value is the word in JSON."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def symbol(self) -> str:
        """How commentators write it behind a move."""
        return _SYMBOLS[self]


_SYMBOLS = {Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}

#: The least loss, largest first.
THRESHOLDS = {Mark.BLUNDER: 0.15, Mark.MISTAKE: 0.10, Mark.INACCURACY: 0.05}


def mark_of(loss: float) -> Mark | None:
    """Return what a move is that loses so much of the winning chance, 0 to 1; None if that is not much."""
    return next((mark for mark, least in THRESHOLDS.items() if loss >= least), None)


def accuracy_of(losses: Sequence[float]) -> float | None:
    """Return the accuracy in per cent, 0 to 100, of a player whose moves lost so much; None without moves.

    It is the mean of the accuracies of the moves.
    """
    if not losses:
        return None
    found = [103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669 for loss in losses]
    return sum(min(max(each, 0.0), 100.0) for each in found) / len(found)
