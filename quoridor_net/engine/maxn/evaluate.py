"""Kernel: evaluation for several seats: the chance of each to win, and wins in one move.

The chances are the softmax of a utility for each seat in the game, linear in these terms:

=================  ===============================================================================
distance           steps to the goal line
wait               turns of others before the seat moves, as a part of a round
walls              square root of the walls left
near               1 / (1 + distance)
leading            how far the seat is ahead of all rivals, as far as they have walls
walls_by_distance  square root of the walls left, times the distance of the nearest rival
=================  ===============================================================================

Their weights are in :mod:`quoridor_net.engine.evaluation.weights`.
"""

from __future__ import annotations

import math

from quoridor_net.engine.board.bitboard import load
from quoridor_net.engine.board.movegen import steps
from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.board.state import Frame, State
from quoridor_net.engine.evaluation.weights import SEAT_TERM_COUNT, SEAT_WEIGHT_UNITS
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.tree import Tree

#: Rivals with so many walls take half of what a lead is worth.
_WALLS_AGAINST_LEADER = 3.0
_FAR = 1000


@kernel
def can_win_now(state: State, frame: Frame) -> bool:
    """Return whether the seat to move can step onto its goal line; a chained jump leads over all others."""
    seat = frame.turn
    if frame.distances[seat] > state.players:
        return False
    return bool(steps(state, frame) & load(state.goals[seat]))


@kernel
def measure_seats(state: State, tree: Tree, ply: int) -> None:
    """Write the terms of each seat in the game at ``ply`` to the tree."""
    frame = state.frames[ply]
    alive = total = 0
    for seat in range(state.players):
        if frame.pawns[seat] >= 0:
            alive += 1
            total += frame.walls_left[seat]
    seat = frame.turn
    wait = 0
    for _ in range(state.players):
        if frame.pawns[seat] >= 0:
            _measure_seat(state, tree, frame, seat, wait / alive, total - frame.walls_left[seat])
            wait += 1
        seat += 1
        if seat == state.players:
            seat = 0


@kernel
def _measure_seat(state: State, tree: Tree, frame: Frame, seat: int, wait: float, rival_walls: int) -> None:
    """Write the terms of ``seat``, which waits for such a part of a round."""
    nearest = _FAR
    for other in range(state.players):
        if other != seat and frame.pawns[other] >= 0:
            nearest = min(nearest, frame.distances[other])
    distance = frame.distances[seat]
    walls = math.sqrt(float(frame.walls_left[seat]))
    terms = tree.terms[seat]
    terms[0] = distance
    terms[1] = wait
    terms[2] = walls
    terms[3] = 1.0 / (1.0 + distance)
    terms[4] = max(nearest - distance, 0) * rival_walls / (rival_walls + _WALLS_AGAINST_LEADER)
    terms[5] = walls * nearest


@kernel
def estimate(state: State, tree: Tree, ply: int) -> None:
    """Write the chance of each seat to win from ``ply`` to the tree."""
    frame = state.frames[ply]
    measure_seats(state, tree, ply)
    top = -1e9
    for seat in range(SEATS):
        tree.value[seat] = 0.0
        if seat < state.players and frame.pawns[seat] >= 0:
            utility = 0.0
            for term in range(SEAT_TERM_COUNT):
                utility += state.weights.seat_terms[term] * tree.terms[seat, term]
            tree.value[seat] = utility / SEAT_WEIGHT_UNITS
            top = max(top, tree.value[seat])
    total = 0.0
    for seat in range(state.players):
        if frame.pawns[seat] >= 0:
            tree.value[seat] = math.exp(tree.value[seat] - top)
            total += tree.value[seat]
    for seat in range(state.players):
        tree.value[seat] /= total


@kernel
def award(tree: Tree, winner: int) -> None:
    """Write to the tree that ``winner`` wins."""
    for seat in range(SEATS):
        tree.value[seat] = 1.0 if seat == winner else 0.0
