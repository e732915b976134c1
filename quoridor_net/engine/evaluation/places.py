"""Places: how the kernels number features that depend on where something lies, on boards of all sizes.

Nothing here imports numpy.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import HORIZONTAL, LARGEST, MOVES

#: The differences that there are between two rows or columns of the largest board. The *place* of a square or
#: anchor is ``row * OFFSETS + column``, so that the difference of two places tells both differences.
OFFSETS = 2 * LARGEST - 1
#: Offset of differences of places, so that none is negative.
MIDDLE = (LARGEST - 1) * (OFFSETS + 1)
#: Where a pawn stands to another, and a wall to a pawn, this for both orientations.
PAWN_OFFSETS = OFFSETS * OFFSETS
RELATIVE_WALLS = 2 * PAWN_OFFSETS
#: Steps lead two rows and two columns away at most.
MIDDLE_STEP = 2 * OFFSETS + 2
STEPS = 2 * MIDDLE_STEP + 1
#: From the number of a wall as a move to that of its column.
WALL_NUMBERS = MOVES - HORIZONTAL
SQUARES = LARGEST * LARGEST
