"""Kernel: evaluation for several seats: the winning chance of each, and wins in one move.

The chances are the softmax of the logits that the network gives to the seats in the game
(:mod:`quoridor_net.engine.maxn.network`).
"""

from __future__ import annotations

import math

from quoridor_net.engine.board.bitboard import load
from quoridor_net.engine.board.movegen import steps
from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.board.state import Frame, SearchState
from quoridor_net.engine.evaluation.simd import Columns
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.features import find_features
from quoridor_net.engine.maxn.network import ONE, UNITS
from quoridor_net.engine.maxn.tree import MaxNTree

_COLUMNS = Columns(UNITS)
_activate, _dot = _COLUMNS.activate, _COLUMNS.dot
#: A logit of 1 in the integer sum.
_LOGIT = float(ONE * ONE)


@kernel
def can_win_now(state: SearchState, frame: Frame) -> bool:
    """Return whether the seat to move can step onto its goal line."""
    seat = frame.turn
    # A chained jump passes at most all other pawns.
    if frame.distances[seat] > state.players:
        return False
    return bool(steps(state, frame) & load(state.goals[seat]))


@kernel
def estimate(state: SearchState, tree: MaxNTree, ply: int) -> None:
    """Write each seat's winning chance at ``ply`` to the tree, which must hold the gains of walls there."""
    frame, net = state.frames[ply], tree.network
    find_features(state, tree, ply)
    top = -1e9
    for seat in range(SEATS):
        tree.value[seat] = 0.0
        if frame.pawns[seat] >= 0:
            found = tree.features[seat]
            columns = net.columns
            _activate(
                net.active,
                columns[found[0]],
                columns[found[1]],
                columns[found[2]],
                columns[found[3]],
                columns[found[4]],
                columns[found[5]],
                columns[found[6]],
                columns[found[7]],
                columns[found[8]],
                columns[found[9]],
                columns[found[10]],
                columns[found[11]],
                columns[found[12]],
                columns[found[13]],
                columns[found[14]],
            )
            tree.value[seat] = _dot(net.active, net.output) / _LOGIT
            top = max(top, tree.value[seat])
    total = 0.0
    for seat in range(SEATS):
        if frame.pawns[seat] >= 0:
            tree.value[seat] = math.exp(tree.value[seat] - top)
            total += tree.value[seat]
    for seat in range(SEATS):
        tree.value[seat] /= total


@kernel
def award(tree: MaxNTree, winner: int) -> None:
    """Write the vector of a win of ``winner`` to the tree."""
    for seat in range(SEATS):
        tree.value[seat] = 1.0 if seat == winner else 0.0
