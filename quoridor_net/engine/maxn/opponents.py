"""Kernel: the opponent model, which predicts the moves of rivals.

Rivals need not play as well as the search. Each has one of a few styles
(:mod:`quoridor_net.engine.maxn.styles`), which is inferred from its moves by Bayes' rule: the likelihood of a
style is the likelihood of the moves in that style.
"""

from __future__ import annotations

import math

from quoridor_net.engine.board.bitboard import holds, load
from quoridor_net.engine.board.distances import corridor_of
from quoridor_net.engine.board.make import make_move
from quoridor_net.engine.board.movegen import generate_moves
from quoridor_net.engine.board.moves import HORIZONTAL, ILLEGAL, SEATS, VERTICAL, WINS
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.evaluate import award, estimate
from quoridor_net.engine.maxn.features import find_gains
from quoridor_net.engine.maxn.styles import (
    BLOCK,
    BLOCK_NEAR,
    BLOCK_NEEDED,
    BLOCK_OTHERS,
    BLOCK_SELF,
    BLOCKS,
    BLOCKS_NEEDED,
    CHANCE,
    CHANCE_OF_WALL,
    CUTS,
    CUTS_BESIDE,
    GAIN,
    GAIN_AHEAD,
    GAIN_BEHIND,
    IDLE,
    STYLES,
    TRAITS,
    WALL,
    WALL_AHEAD,
    WALL_BEHIND,
    WALL_NEAR,
    WALLS_PLACED,
)
from quoridor_net.engine.maxn.tree import MaxNTree

LEAST_CHANCE = 1e-6
_FAR = 1000
#: Maximum detour, in steps; longer ones count as this.
_LONGEST_DETOUR = 4
_MANY_WALLS = 20.0
#: A player with at most this many steps to go counts as near its goal.
_NEAR = 5


@kernel
def try_move(state: SearchState, tree: MaxNTree, ply: int, move: int) -> float:
    """Make a move from ``ply`` and return the mover's chance after it, negative if the move is illegal.

    The gains of walls are those at ``ply``.
    """
    outcome = make_move(state, ply, move)
    if outcome == ILLEGAL:
        return -1.0
    turn = state.frames[ply].turn
    if outcome == WINS:
        award(tree, turn)
    else:
        estimate(state, tree, ply + 1)
    return max(tree.value[turn], LEAST_CHANCE)


@kernel
def find_traits(state: SearchState, tree: MaxNTree, ply: int, move: int, chance: float) -> None:
    """Write the traits of a move that has been made from ``ply`` and leaves its player this ``chance``."""
    frame, after = state.frames[ply], state.frames[ply + 1]
    traits = tree.opponents.traits
    for trait in range(TRAITS):
        traits[trait] = 0.0
    seat = frame.turn
    own = frame.distances[seat]
    nearest = _FAR
    target = seat
    detours = 0
    for rival in range(SEATS):
        if rival != seat and frame.pawns[rival] >= 0:
            detours += after.distances[rival] - frame.distances[rival]
            if frame.distances[rival] < nearest:
                nearest = frame.distances[rival]
                target = rival
    traits[CHANCE] = math.log(chance)
    own_change = after.distances[seat] - own
    if move < HORIZONTAL:
        traits[GAIN] = -own_change
        traits[GAIN_AHEAD] = -own_change if own < nearest else 0.0
        traits[GAIN_BEHIND] = -own_change if own > nearest else 0.0
        return
    block = after.distances[target] - nearest
    is_needed = own >= nearest
    traits[WALL] = 1.0
    traits[WALL_AHEAD] = 1.0 if own < nearest else 0.0
    traits[WALL_BEHIND] = 1.0 if own > nearest else 0.0
    traits[BLOCK] = min(block, _LONGEST_DETOUR)
    traits[BLOCKS] = 1.0 if block > 0 else 0.0
    if is_needed:
        traits[BLOCK_NEEDED] = traits[BLOCK]
        traits[BLOCKS_NEEDED] = traits[BLOCKS]
    traits[BLOCK_OTHERS] = min(detours - block, _LONGEST_DETOUR)
    traits[BLOCK_SELF] = min(own_change, _LONGEST_DETOUR)
    traits[IDLE] = 1.0 if detours + own_change == 0 else 0.0
    orientation = 1 if move >= VERTICAL else 0
    anchor = move - (VERTICAL if orientation else HORIZONTAL)
    if holds(load(corridor_of(state, ply, target).cuts[orientation]), anchor):
        traits[CUTS] = 1.0
        if frame.pawns[target] - anchor in (0, 1, state.board_size, state.board_size + 1):
            traits[CUTS_BESIDE] = 1.0
    if nearest <= _NEAR:
        traits[WALL_NEAR] = 1.0
        traits[BLOCK_NEAR] = traits[BLOCK]
    traits[WALLS_PLACED] = frame.wall_count / _MANY_WALLS
    traits[CHANCE_OF_WALL] = traits[CHANCE]


@kernel
def weigh_moves(state: SearchState, tree: MaxNTree, ply: int, total: int) -> None:
    """Write each style's likelihood of each of the ``total`` moves listed at ``ply``, and the sums.

    The gains of walls are those at ``ply``. Likelihoods of illegal moves are negative and not in the sums.
    """
    model = tree.opponents
    for style in range(STYLES):
        model.sums[style] = 0.0
    for index in range(total):
        move = state.lists[ply].moves[index]
        chance = try_move(state, tree, ply, move)
        if chance < 0.0:
            for style in range(STYLES):
                model.likelihoods[index, style] = -1.0
            continue
        find_traits(state, tree, ply, move, chance)
        for style in range(STYLES):
            logit = 0.0
            for trait in range(TRAITS):
                logit += model.weights[style, trait] * model.traits[trait]
            likelihood = math.exp(logit)
            model.likelihoods[index, style] = likelihood
            model.sums[style] += likelihood


@kernel
def expected(tree: MaxNTree, seat: int, index: int) -> float:
    """Return the probability that ``seat`` plays the move at ``index`` of the list weighed last.

    It is negative if the move is illegal.
    """
    model = tree.opponents
    if model.likelihoods[index, 0] < 0.0:
        return -1.0
    total = 0.0
    for style in range(STYLES):
        total += model.shares[seat, style] * model.likelihoods[index, style] / model.sums[style]
    return total


@kernel
def observe(state: SearchState, tree: MaxNTree) -> int:
    """Weigh all moves of the position in the first frame, whose layers are complete; return their number."""
    find_gains(state, tree, 0)
    total = generate_moves(state, 0)
    weigh_moves(state, tree, 0, total)
    return total
