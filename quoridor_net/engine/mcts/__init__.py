"""Best-first search for two players on 7x7 to 11x11: MCTS with PUCT and a network, no random playouts.

* ``tree``: the tree in memory, and the terminology
* ``search``: the loop of playouts
* ``select``: PUCT
* ``expand``: the edges and priors of a node
* ``evaluate``: the value of a leaf
* ``backup``: the backup of values, and of proven wins and losses (MCTS-Solver)
* ``hints``: the best moves of principal variation search, put into the tree
* ``reroot``: the subtree that is kept for the next search
* ``stack``: the stack frames of a playout
* ``worker``: the own state of each further thread
* ``best_first``: the search as the searcher uses it
"""
