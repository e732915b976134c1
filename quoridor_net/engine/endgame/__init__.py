"""Endgames: races that distances decide, and an exact solver.

Terminology:

* Decided race: an opponent without walls cannot lengthen any path, so whoever is a step ahead wins.
* Slice: all positions with one set of walls on the board and the same walls left. A wall leads to another
  slice, a step stays in it.
* Exit: a position that a placed wall leads to, in a slice that was solved before.
* Node: a position of a slice. Nodes are resolved by the plies to the end, fewest first: wins have an odd
  number of them, losses an even one. A bucket queue holds those to come.

A node is one number, and its value another::

    bit  14     7        0
         +------+--------+         n        wins in n plies
    seat | own  | other  |         -n - 1   loses in n plies
         +------+--------+         0        neither side can force a win

Modules:

* ``race``: decided races, and wins in one move
* ``exact``: solves slices, those with more walls on the board first
* ``retrograde``: retrograde analysis of one slice
"""
