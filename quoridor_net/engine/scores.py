"""Scores: hundredths of a step and, beyond those, decided races and proven wins."""

from __future__ import annotations

#: Score of a won game; a win in n plies scores n less.
WIN = 30000
#: Scores beyond this are proven wins or losses.
PROVEN = 28000
#: Score of a race that distances decide. Pawns that meet overturn fewer than one in a thousand of them.
RACE_WIN = 20000
#: Scores beyond this are counted in plies from the root, and no weight of the evaluation reaches them.
DECIDED = 15000
#: Score of a win in a search that left out moves of the loser, so that it is not proven. Races score more.
DOUBTFUL = DECIDED + 1000
INFINITY = 32000
