"""The board: state, moves made (copy-make: nothing is unmade), move generation, distances.

Terminology:

* Square, anchor: square ``(c, r)`` and the wall anchor with the same coordinates have the number ``r * size +
  c``.
* Bitboard: a set of squares or of anchors as one number of 128 bits.
* Seat: a player's place in the order of turns, from 0.
* Move: the target square of a step; the anchor of a wall plus ``HORIZONTAL`` or ``VERTICAL``.
* Stack frame: the position at one ply of the line being searched. A move is made by writing the next frame,
  and unmade by going back to the one before.
* Layers: the squares at each distance from a goal line, found by a flood fill. A step leaves them as they
  are; a wall gets new layers, whose ply is noted in the frame.
* Corridor: the walls that cut a shortest path of a seat, and those that cut all of its shortest paths.
* Pseudo-legal: a wall that fits, but may leave somebody without a path. Making it tells.

Memory::

    frame of ply 0   frame of ply 1   frame of ply 2       one for each ply
    (the root)       after a step     after a wall
    +-----------+    +-----------+    +-----------+
    | passages  |    | passages  |    | passages  |        open edges of squares, walls that fit
    | pawns     |    | pawns     |    | pawns     |        pawns, walls left, seat to move, hash key
    | distances |    | distances |    | distances |        of each pawn from its goal line
    | layers 0  |    | layers 0  |    | layers 2  |
    +-------|---+    +-------|---+    +-------|---+
            v                v                v
    layers of ply 0 <--------+        layers of ply 2           of each seat

Modules:

* ``moves``: how squares, seats and moves are numbered
* ``state``: the record that a search works on
* ``convert``: positions and moves of the rules library, to the kernel and back
* ``bitboard``: operations on bitboards
* ``distances``: flood fills, shortest paths, corridors
* ``make``: moves are made
* ``movegen``: steps, pseudo-legal moves, and which walls are legal
* ``repetition``: positions that occurred before in the line or the game
* ``perft``: move sequences are counted
"""
