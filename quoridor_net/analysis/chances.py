"""Winning chances from the engine's scores.

A chance is a logistic function of a score. Its scales were fitted to the results of self-play games, which
began with random openings and had 1,000 nodes a move. benchmarks/ENGINE-LOG.md has the measurement, and
``python -m training chances`` repeats it.
"""

from __future__ import annotations

import math

from quoridor_net.engine.board.moves import LARGEST
from quoridor_net.engine.maxn import scores
from quoridor_net.engine.scores import PROVEN
from quoridor_net.rules import MAX_SIZE, Position

#: Hundredths of a step that multiply the odds of winning by e with two players, by the largest board size.
_SCALES = {5: 80.0, 6: 170.0, 9: 90.0, LARGEST: 150.0, MAX_SIZE: 800.0}

#: Bounds of an unproven chance with four players.
_FOUR_LEAST, _FOUR_MOST = 0.01, 0.99

#: Limit of the exponent: beyond it a chance rounds to 0 or 1, and far beyond it the exponential overflows.
_MOST = 40.0


def chance_of(score: int, position: Position) -> float:
    """Return the winning chance, 0 to 1, of a player to whom the engine gives ``score`` in ``position``.

    The scale depends on the size, the number of players and the number of players still in the game.
    """
    if abs(score) > PROVEN:
        return 1.0 if score > 0 else 0.0
    if position.players == 2:
        return _logistic(score / next(scale for size, scale in _SCALES.items() if position.size <= size))
    return min(max(scores.chance_of(score, len(position.alive)), _FOUR_LEAST), _FOUR_MOST)


def _logistic(odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(odds, -_MOST), _MOST)))
