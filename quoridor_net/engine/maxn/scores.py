"""The conversion between scores and winning chances of one of several players.

A score of 0 is an equal share of the games, and 100 is about the value of a step at the start of a game.
"""

from __future__ import annotations

import math

from quoridor_net.engine.scores import DECIDED

#: The score, in hundredths of a step, that multiplies the odds of winning by e.
SCALE = 230.0
#: Beyond this a chance is as good as 0 or 1, and the exponential function would overflow.
_MOST = 40.0


def _base(alive: int) -> float:
    """Return the log-odds of one of ``alive`` players with equal chances."""
    return -math.log(max(alive - 1, 1))


def score_of(chance: float, alive: int) -> int:
    """Return the winning chance, 0 to 1, of one of ``alive`` players as a score in hundredths of a step."""
    if not 0 < chance < 1:
        return DECIDED - 1 if chance > 0 else 1 - DECIDED
    score = SCALE * (math.log(chance / (1 - chance)) - _base(alive))
    return round(max(min(score, DECIDED - 1), 1 - DECIDED))


def chance_of(score: int, alive: int) -> float:
    """Return the winning chance, 0 to 1, of one of ``alive`` players to whom the engine gives ``score``."""
    odds = _base(alive) + score / SCALE
    return 1 / (1 + math.exp(-min(max(odds, -_MOST), _MOST)))
