"""Alpha-beta: principal variation search for two players, best-reply search for four.

Terminology:

* Window: scores from alpha to beta. A null window contains no score: the result is only above or below it.
* Aspiration window: the window at the root, around the score of the previous iteration.
* Bound: whether the value is at least the score (LOWER, failed high) or at most the score (UPPER, failed
  low).
* PV: the principal variation; multipv: several root moves, each scored with a PV of its own.
* Killer: a move that caused a cutoff at the same ply. History: how often a move caused a cutoff anywhere.
* LMR: late move reductions, which search late moves to less depth at first.
* Reverse futility: a cutoff without a search, because the static value is far above beta.

An entry of the transposition table is two words, the key and this one; a bucket holds two entries::

    bit  46        30       22       14     12         0
         +----------+--------+--------+------+----------+
         |  score   |  gen.  | depth  | bound| move + 1 |
         +----------+--------+--------+------+----------+

Scores of wins count plies from the entry's node in the table, and from the root everywhere else.

Modules:

* ``deepening``: iterative deepening, aspiration windows, multipv
* ``pvs``: the search for two players
* ``best_reply``: the search for four players
* ``move_ordering``: the order in which moves are searched
* ``move_picker``: the moves of a node one by one
* ``transposition``: the transposition table
* ``node``: the steps that both searches share at each node; the PV
"""
