"""Scores: hundredths of a step, and what lies beyond: decided races, proven wins."""

from __future__ import annotations

#: A win now; a win in n plies is worth n less.
WIN = 30000
#: Scores beyond this are proven wins or losses.
PROVEN = 28000
#: A race that distances decide; pawns in each other's way overturn fewer than one in a thousand of them.
RACE_WIN = 20000
#: Scores beyond this are counted in plies from the root, and no weight of the evaluation reaches them.
DECIDED = 15000
#: The score of a win that would be proven, had not moves of the loser been left out; no race scores less.
DOUBTFUL = DECIDED + 1000
INFINITY = 32000
