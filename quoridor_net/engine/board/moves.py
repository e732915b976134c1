"""How kernels number squares, seats and moves. Nothing here imports numpy.

Square and anchor (c, r) have the number ``r * size + c``. Seats are counted in turn order from 0: with two
players seat 0 is player 1 and seat 1 is player 2; with four they are players 1, 4, 2, 3.

A move is one number: a step is its target square; a wall is its anchor plus ``HORIZONTAL`` or ``VERTICAL``.
An orientation is 0 for horizontal and 1 for vertical.
"""

from __future__ import annotations

#: Largest board the kernels handle.
LARGEST = 11
SEATS = 4

HORIZONTAL = 128
VERTICAL = 256
#: Numbers that moves can have.
MOVES = 384
NO_MOVE = -1

# What becomes of a move when it is made.
ILLEGAL = 0
MADE = 1
WINS = 2

#: Longest line the search can look at.
PLIES = 96
