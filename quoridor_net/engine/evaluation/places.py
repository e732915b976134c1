"""Places: the numbering of features that depend on a place on the board, for boards of all sizes.

Nothing here imports numpy.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import HORIZONTAL, LARGEST, MOVES

#: Number of possible differences between two rows or columns of the largest board. The *place* of a square or
#: anchor is ``row * OFFSETS + column``, so that the difference of two places encodes both differences.
OFFSETS = 2 * LARGEST - 1
#: Added to a difference of places, so that none is negative.
MIDDLE = (LARGEST - 1) * (OFFSETS + 1)
#: Numbers of offsets from one pawn to the other, and from a pawn to a wall of either orientation.
PAWN_OFFSETS = OFFSETS * OFFSETS
RELATIVE_WALLS = 2 * PAWN_OFFSETS
#: Steps lead at most two rows and two columns away.
MIDDLE_STEP = 2 * OFFSETS + 2
STEPS = 2 * MIDDLE_STEP + 1
#: Number of columns for walls: one for each number of a wall as a move.
WALL_NUMBERS = MOVES - HORIZONTAL
SQUARES = LARGEST * LARGEST
