"""Best-first search for two players on 7x7 to 11x11: MCTS with PUCT and a network, no random playouts.

* ``tree``: the tree in memory, and the terms
* ``search``: one playout after the other
* ``select``: PUCT
* ``expand``: nodes get their edges and priors
* ``evaluate``: the value of a leaf
* ``backup``: values are backed up, proven wins and losses too (MCTS-Solver)
* ``hints``: what principal variation search tells the tree
* ``reroot``: the subtree that is kept for the next search
* ``stack``: the stack frames of a playout
* ``worker``: what each further thread has of its own
* ``best_first``: the search as the searcher uses it
"""
