"""Max-n for four players: best-first search in true turn order, with a vector of winning chances.

* ``tree``: the tree in memory, and the terms
* ``search``: one playout after the other
* ``select``: PUCT, by the chance of the seat to move
* ``expand``: nodes get their edges and priors
* ``evaluate``: the chances at a leaf
* ``features``, ``network``: what the network sees, and its numbers
* ``styles``, ``opponents``, ``inference``: the opponent model, what it expects, and how it learns in a game
* ``backup``: vectors are backed up, and proven winners (MCTS-Solver)
* ``reroot``: the subtree that is kept for the next search
* ``max_n``: the search as the searcher uses it
* ``scores``: chances as scores
"""
