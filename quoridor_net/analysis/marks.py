"""Names for losses of winning chances, and the accuracy of a player.

The thresholds are those of lichess (lila, ``Advice.scala``: 0.1, 0.2 and 0.3 on a scale from -1 to 1, half as
much here). The accuracy of a move follows https://lichess.org/page/accuracy.
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
        """The symbol that commentators write behind a move."""
        return _SYMBOLS[self]


_SYMBOLS = {Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}

#: Minimum losses of winning chance, largest first.
THRESHOLDS = {Mark.BLUNDER: 0.15, Mark.MISTAKE: 0.10, Mark.INACCURACY: 0.05}


def mark_of(loss: float) -> Mark | None:
    """Return the mark of a move that loses this much winning chance, 0 to 1; None for a small loss."""
    return next((mark for mark, least in THRESHOLDS.items() if loss >= least), None)


def accuracy_of(losses: Sequence[float]) -> float | None:
    """Return the accuracy of a player in per cent, 0 to 100; None without moves.

    It is the mean of the accuracies of the moves, which follow from their losses.
    """
    if not losses:
        return None
    found = [103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669 for loss in losses]
    return sum(min(max(each, 0.0), 100.0) for each in found) / len(found)
