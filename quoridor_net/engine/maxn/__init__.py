"""Max-n for four players: best-first search in true turn order, with a vector of winning chances.

* ``tree``: the nodes and edges, and the terminology
* ``memory``: the arrays that hold them, and how Python code reads them
* ``search``: the loop of playouts
* ``select``: PUCT, by the chance of the seat to move
* ``expand``: the edges and priors of a node
* ``evaluate``: the chances at a leaf
* ``features``, ``network``: the input of the network, and its weights
* ``styles``, ``opponents``, ``inference``: the opponent model, its predictions, and its learning in a game
* ``backup``: the backup of vectors and of proven winners (MCTS-Solver)
* ``reroot``: the subtree that is kept for the next search
* ``max_n``: the search as the searcher uses it
* ``scores``: chances as scores
"""
