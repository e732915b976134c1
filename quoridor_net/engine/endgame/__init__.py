"""Endgames: races that distances decide, and an exact solver.

Terminology:

* Decided race: an opponent without walls cannot lengthen any path, so whoever is a step ahead wins.
* Layer: all positions with one set of walls on the board and the same walls left. A wall leads to another
  layer, a step stays in it.
* Exit: what a position can reach by placing a wall, in a layer that was solved before.
* Level: the number of plies to the end. Levels are resolved in order, wins at odd ones, losses at even ones.

A position of a layer is one number, and its value another::

    bit  14     7        0
         +------+--------+         n        wins in n plies
    seat | own  | other  |         -n - 1   loses in n plies
         +------+--------+         0        neither side can force a win

Modules:

* ``race``: decided races, and wins in one move
* ``exact``: solves layers, those with more walls on the board first
* ``retrograde``: retrograde analysis of one layer
"""
