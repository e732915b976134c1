"""The board: state, making moves (copy-make: nothing is unmade), move generation, distances.

Terminology:

* Square, anchor: square ``(c, r)`` and the wall anchor with the same coordinates have the number ``r * size +
  c``.
* Bitboard: a set of squares or of anchors as one 128-bit number.
* Seat: a player's place in the order of turns, from 0.
* Move: the target square of a step; the anchor of a wall plus ``HORIZONTAL`` or ``VERTICAL``.
* Stack frame: the position at one ply of the line being searched. To make a move, write the next frame; to
  unmake it, go back to the previous one.
* Layers: the squares at each distance from a goal line, found by a flood fill. A step does not change them; a
  wall gets new layers, whose ply is recorded in the frame.
* Corridor: the walls that cut a shortest path of a seat, and those that cut all of its shortest paths.
* Pseudo-legal: a wall that fits, but may leave a pawn without a path. Making it shows whether it does.

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

* ``moves``: the numbering of squares, seats and moves
* ``state``: the record that a search works on
* ``convert``: the conversion of positions and moves between the rules library and the kernels
* ``bitboard``: operations on bitboards
* ``distances``: flood fills, shortest paths, corridors
* ``make``: making moves
* ``movegen``: steps, pseudo-legal moves, and illegal walls
* ``repetition``: positions that occurred before in the line or the game
* ``perft``: the count of move sequences
"""
