"""The numbering of squares, seats and moves in kernels. Nothing here imports numpy.

Square and anchor (c, r) have the number ``r * size + c``. Seats are counted in turn order from 0: with two
players, seats 0 and 1 are players 1 and 2; with four, the seats are players 1, 4, 2, 3.

A move is one number: a step is its target square; a wall is its anchor plus ``HORIZONTAL`` or ``VERTICAL``.
An orientation is 0 for horizontal and 1 for vertical.
"""

from __future__ import annotations

#: Largest board that kernels handle, in squares on a side.
LARGEST = 11
SEATS = 4

HORIZONTAL = 128
VERTICAL = 256
#: Number of different moves.
MOVES = 384
NO_MOVE = -1

# The results of making a move.
ILLEGAL = 0
MADE = 1
WINS = 2

#: Maximum length of a searched line, in plies.
PLIES = 96
