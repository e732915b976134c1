"""Alpha-beta: principal variation search for two players, best-reply search for four.

Terminology:

* Window: scores from alpha to beta. A null window holds no score: the search only answers above or below.
* Aspiration window: the window at the root, around the score of the iteration before.
* Bound: whether the value is at least the score (LOWER, failed high) or at most the score (UPPER, failed
  low).
* PV: the principal variation; multipv: several root moves, each scored with a PV of its own.
* Killer, history: quiet moves that caused a cutoff at the same ply, and how often anywhere.
* LMR: late moves are searched less deep at first. Reverse futility: the static value is so far above beta
  that nothing is searched.

An entry of the transposition table is two words, the key and this one; a bucket holds two entries::

    bit  46        30       22       14     12         0
         +----------+--------+--------+------+----------+
         |  score   |  gen.  | depth  | bound| move + 1 |
         +----------+--------+--------+------+----------+

Scores of wins are counted from the entry's node in the table, and from the root everywhere else.

Modules:

* ``deepening``: iterative deepening, aspiration windows, multipv
* ``pvs``: the search for two players
* ``best_reply``: the search for four players
* ``move_ordering``: in what order moves are searched
* ``move_picker``: the moves of a node one after the other
* ``transposition``: the transposition table
* ``node``: what both searches do at each node; the PV
"""
