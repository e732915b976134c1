"""Best-first search for two players on 7x7 to 11x11: MCTS with PUCT and a network, no random playouts.

* ``tree``: the nodes and edges, and the terminology
* ``memory``: the arrays that hold them, and how Python code reads them
* ``search``: the loop of playouts
* ``select``: PUCT
* ``expand``: the edges and priors of a node
* ``evaluate``: the value of a leaf
* ``backup``: the backup of values, and of proven wins and losses (MCTS-Solver)
* ``pvs_hints``: principal variation search of likely positions
* ``hints``: its best moves, put into the tree
* ``reroot``: the subtree that is kept for the next search
* ``stack``: the stack frames of a playout
* ``worker``: the own state of each further thread
* ``best_first``: the search as the searcher uses it
"""
