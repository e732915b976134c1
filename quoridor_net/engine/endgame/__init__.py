"""Endgames: races that distances decide, and an exact solver.

Terminology:

* Decided race: an opponent without walls cannot lengthen any path, so a player who is a step ahead wins.
* Slice: all positions with the same walls on the board and the same walls left. A wall leads to another
  slice, a step stays in it.
* Exit: a position after placing a wall, in a slice that was solved before.
* Node: a position of a slice. Nodes are resolved in order of plies to the end, fewest first. Wins have an odd
  number of plies, losses an even one. A bucket queue holds the unresolved nodes.

A node and its value are one number each::

    bit  14     7        0
         +------+--------+         n        wins in n plies
    seat | own  | other  |         -n - 1   loses in n plies
         +------+--------+         0        neither side can force a win

Modules:

* ``race``: decided races, and wins in one move
* ``exact``: the solver of slices, those with more walls on the board first
* ``retrograde``: retrograde analysis of one slice
"""
