"""Kernel: the policy head, which gives every listed move its prior: a logit in units of 1/1024.

::

    units --+-- wall: the wall, where it lies for either pawn;  effect;  crossing;  four flags
            `-- step: its target;  how much it shortens the path

The *effect* is the wall's net gain against the rival. The *crossing* is the effect of the rival's own wall
that the wall makes impossible by crossing it (``evaluation.threats``). The flags say whether the wall cuts a
shortest path of the rival, whether it surely cuts all of them, and the same for the player itself.
"""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import holds, load
from quoridor_net.engine.board.distances import corridor_of, distance_of
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import Frame, SearchState
from quoridor_net.engine.evaluation.features import relative_wall, wall_number
from quoridor_net.engine.evaluation.network import LOGIT, ONE, PRIOR_ONE, Network
from quoridor_net.engine.evaluation.places import MIDDLE_STEP
from quoridor_net.engine.evaluation.simd import dot
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.scores import INFINITY
from quoridor_net.jit.arrays import Numbers

_TO_LOGITS = ONE * PRIOR_ONE // LOGIT


@kernel
def find_priors(state: SearchState, net: Network, ply: int, total: int) -> int:
    """Write the network's prior beside each of the ``total`` listed moves.

    The forward pass at ``ply`` must be done already.

    Returns:
        The largest prior.
    """
    frame, moves = state.frames[ply], state.lists[ply]
    active = net.accumulators[ply].active
    seat = frame.turn
    distance = frame.distances[seat]
    best_prior = -INFINITY * LOGIT
    cut_other = choke_other = cut_own = choke_own = 0
    # A player without walls has none listed. Cuts of the own path matter only if the rival has walls.
    corridor = own_corridor = state.corridors[ply, seat]
    if frame.walls_left[seat] > 0:
        corridor = own_corridor = corridor_of(state, ply, 1 - seat)
        cut_other, choke_other = prior_of_flag(net, active, 0), prior_of_flag(net, active, 1)
        if frame.walls_left[1 - seat] > 0:
            own_corridor = corridor_of(state, ply, seat)
            cut_own, choke_own = prior_of_flag(net, active, 2), prior_of_flag(net, active, 3)
    _mark(state, ply, 1)
    for index in range(total):
        move = moves.moves[index]
        if move < HORIZONTAL:
            gain = distance - distance_of(state, frame.wall_ply, seat, move, distance)
            prior = prior_of_step(net, active, frame, move, gain)
        else:
            prior = prior_of_wall(net, active, frame, move)
            effect = state.effects[0, move]
            if effect:
                prior += dot(active, net.policy_effects[effect]) // _TO_LOGITS + net.effect_bias[effect]
            effect = state.effects[1, move]
            if effect:
                prior += dot(active, net.policy_crossings[effect]) // _TO_LOGITS + net.crossing_bias[effect]
            orientation = 0 if move < VERTICAL else 1
            anchor = move - (HORIZONTAL if move < VERTICAL else VERTICAL)
            if holds(load(corridor.cuts[orientation]), anchor):
                prior += cut_other
                if holds(load(corridor.chokes[orientation]), anchor):
                    prior += choke_other
            if holds(load(own_corridor.cuts[orientation]), anchor):
                prior += cut_own
                if holds(load(own_corridor.chokes[orientation]), anchor):
                    prior += choke_own
        moves.priors[index] = prior
        best_prior = max(best_prior, prior)
    _mark(state, ply, 0)
    return best_prior


@kernel
def _mark(state: SearchState, ply: int, is_on: int) -> None:
    """Write each wall's effect and crossing to the state, or reset them to 0 if ``is_on`` is 0."""
    seat = state.frames[ply].turn
    threats = state.threats[ply, 1 - seat]
    for index in range(threats.wall_count):
        wall = threats.walls[index]
        state.effects[0, wall.move] = wall.effect * is_on
    threats = state.threats[ply, seat]
    for index in range(threats.wall_count):
        wall = threats.walls[index]
        crossing = wall.move + (VERTICAL - HORIZONTAL if wall.move < VERTICAL else HORIZONTAL - VERTICAL)
        state.effects[1, crossing] = wall.effect * is_on


@kernel
def prior_of_step(net: Network, active: Numbers, frame: Frame, square: int, gain: int) -> int:
    """Return the prior of a step to ``square``, which shortens the path by ``gain``."""
    offset = net.places[square] - net.places[frame.pawns[frame.turn]]
    step = MIDDLE_STEP + (-offset if frame.turn else offset)
    gain = min(max(gain, -2), 2) + 2
    found = dot(active, net.policy_steps[step], net.policy_gains[gain])
    return found // _TO_LOGITS + net.step_bias[step] + net.gain_bias[gain]


@kernel
def prior_of_wall(net: Network, active: Numbers, frame: Frame, move: int) -> int:
    """Return the prior of a wall, without its effect, crossing and flags."""
    perspective = frame.turn
    wall = wall_number(net, perspective, move)
    by_own = relative_wall(net, perspective, frame.pawns[perspective], move)
    by_other = relative_wall(net, perspective, frame.pawns[1 - perspective], move)
    found = dot(
        active,
        net.policy_walls[wall],
        net.policy_walls_by_own[by_own],
        net.policy_walls_by_other[by_other],
    )
    bias = net.wall_bias[wall] + net.wall_by_own_bias[by_own] + net.wall_by_other_bias[by_other]
    return found // _TO_LOGITS + bias


@kernel
def prior_of_flag(net: Network, active: Numbers, flag: int) -> int:
    """Return what a flag adds to the prior of a wall."""
    return dot(active, net.policy_flags[flag]) // _TO_LOGITS + net.flag_bias[flag]
