"""The evaluation of two-player positions: a linear part and an NNUE, which also has a policy head.

Terminology:

* Perspective: the board as one seat sees it, its goal line at the bottom.
* Feature: something on the board that has a column of 128 weights: a wall, a wall relative to a pawn, a pawn,
  the offset of the pawns, both distances, both counts of walls left, threats.
* Accumulator: the sums of the columns of all walls, kept for each ply and perspective. A move updates only
  the sums that it changes.
* Hidden layer: the accumulator and the columns of all other features, added up and clipped.
* Value head: the dot product of the hidden layer with one of several sets of weights, chosen by walls left
  and lead.
* Policy head: a logit for each move, the dot product of the hidden layer with the weights of that move. The
  softmax of the logits is the prior.
* Threat: how much a single wall lengthens the path of a seat.

From the position to value and priors::

    walls ------------------> accumulator --+     updated per ply (``accumulator``)
    walls relative to pawns > accumulator --+
    pawns, offset, distances ---------------+---> hidden layer ---> value head  (``forward``)
    walls left, threats --------------------+     128 units,   +--> policy head (``policy``)
                                                  clipped
    linear terms -------------------------------> added to the value (``linear``)

Modules:

* ``evaluate``: the value of a position
* ``linear``: the terms of the linear part
* ``weights``: the weights of the linear part, and the parameters of the searches
* ``threats``: the effect of single walls on a path
* ``network``: the record of the network, and its file
* ``places``: the numbering of features that depend on a place on the board
* ``resizing``: the tables of that file for board sizes other than 9x9
* ``features``, ``accumulator``, ``forward``, ``policy``: as above
* ``simd``: vector instructions for columns
"""
