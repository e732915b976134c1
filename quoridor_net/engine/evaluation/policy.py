"""Kernel: the policy head, which gives every listed move its prior: a logit in units of 1/1024.

::

    units --+-- wall: the wall, where it lies for either pawn;  effect;  crossing;  four flags
            `-- step: its target;  how much it shortens the path

The *effect* is the wall's net gain against the rival. The *crossing* is the effect of the rival's own wall
that the wall makes impossible by crossing it (``evaluation.threats``). The flags say whether the wall cuts a
shortest path of the rival, whether it surely cuts all of them, and the same for the player itself.
"""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import Bitboard, load, lowest, without_lowest
from quoridor_net.engine.board.distances import corridor_of, distance_of
from quoridor_net.engine.board.moves import HORIZONTAL, MOVES, VERTICAL
from quoridor_net.engine.board.state import Corridor, Frame, SearchState
from quoridor_net.engine.evaluation.features import relative_wall, wall_number
from quoridor_net.engine.evaluation.network import LOGIT, ONE, PRIOR_ONE, Network
from quoridor_net.engine.evaluation.places import MIDDLE_STEP
from quoridor_net.engine.evaluation.simd import dot
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.scores import INFINITY
from quoridor_net.jit.arrays import Numbers, Words

#: Products of units and weights have this many bits more than logits.
_MORE_BITS = (ONE * PRIOR_ONE // LOGIT).bit_length() - 1


@kernel
def _to_logit(product: int) -> int:
    """Return a product of units and weights as a logit, rounded down."""
    return product >> _MORE_BITS


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
    own, other = net.places[frame.pawns[seat]], net.places[frame.pawns[1 - seat]]
    best_prior = -INFINITY * LOGIT
    # A player without walls has none listed.
    if frame.walls_left[seat] > 0:
        _find_bonuses(state, net, ply)
    for index in range(total):
        move = moves.moves[index]
        if move < HORIZONTAL:
            gain = distance - distance_of(state, frame.wall_ply, seat, move, distance)
            prior = prior_of_step(net, active, frame, move, gain)
        else:
            prior = prior_of_wall(net, active, seat, own, other, move) + state.bonuses[move]
        moves.priors[index] = prior
        best_prior = max(best_prior, prior)
    return best_prior


@kernel
def _find_bonuses(state: SearchState, net: Network, ply: int) -> None:
    """Write to the state the *bonus* of each wall: what its flags, effect and crossing add to its prior."""
    frame, active = state.frames[ply], net.accumulators[ply].active
    seat = frame.turn
    bonuses = state.bonuses
    for move in range(HORIZONTAL, MOVES):
        bonuses[move] = 0
    cut, choke = prior_of_flag(net, active, 0), prior_of_flag(net, active, 1)
    _add_flags(bonuses, corridor_of(state, ply, 1 - seat), cut, choke)
    # Cuts of the own path matter only if the rival has walls.
    if frame.walls_left[1 - seat] > 0:
        cut, choke = prior_of_flag(net, active, 2), prior_of_flag(net, active, 3)
        _add_flags(bonuses, corridor_of(state, ply, seat), cut, choke)
    threats = state.threats[ply, 1 - seat]
    for index in range(threats.wall_count):
        wall = threats.walls[index]
        effect = wall.effect
        bonuses[wall.move] += _to_logit(dot(active, net.policy_effects[effect])) + net.effect_bias[effect]
    threats = state.threats[ply, seat]
    for index in range(threats.wall_count):
        wall = threats.walls[index]
        effect = wall.effect
        crossing = wall.move + (VERTICAL - HORIZONTAL if wall.move < VERTICAL else HORIZONTAL - VERTICAL)
        bonus = _to_logit(dot(active, net.policy_crossings[effect])) + net.crossing_bias[effect]
        bonuses[crossing] += bonus


@kernel
def _add_flags(bonuses: Words, corridor: Corridor, cut: int, choke: int) -> None:
    """Add ``cut`` for the walls that cut a shortest path, and ``choke`` for those that surely cut all."""
    for orientation in range(2):
        first = VERTICAL if orientation else HORIZONTAL
        _add(bonuses, first, load(corridor.cuts[orientation]), cut)
        _add(bonuses, first, load(corridor.chokes[orientation]), choke)


@kernel
def _add(bonuses: Words, first: int, walls: Bitboard, amount: int) -> None:
    """Add ``amount`` for each wall of the set."""
    while walls:
        bonuses[first + lowest(walls)] += amount
        walls = without_lowest(walls)


@kernel
def prior_of_step(net: Network, active: Numbers, frame: Frame, square: int, gain: int) -> int:
    """Return the prior of a step to ``square``, which shortens the path by ``gain``."""
    offset = net.places[square] - net.places[frame.pawns[frame.turn]]
    step = MIDDLE_STEP + (-offset if frame.turn else offset)
    gain = min(max(gain, -2), 2) + 2
    found = dot(active, net.policy_steps[step], net.policy_gains[gain])
    return _to_logit(found) + net.step_bias[step] + net.gain_bias[gain]


@kernel
def prior_of_wall(net: Network, active: Numbers, perspective: int, own: int, other: int, move: int) -> int:
    """Return the prior of a wall, without its bonus, for pawns at the places ``own`` and ``other``."""
    wall = wall_number(net, perspective, move)
    by_own = relative_wall(net, perspective, own, move)
    by_other = relative_wall(net, perspective, other, move)
    found = dot(
        active,
        net.policy_walls[wall],
        net.policy_walls_by_own[by_own],
        net.policy_walls_by_other[by_other],
    )
    bias = net.wall_bias[wall] + net.wall_by_own_bias[by_own] + net.wall_by_other_bias[by_other]
    return _to_logit(found) + bias


@kernel
def prior_of_flag(net: Network, active: Numbers, flag: int) -> int:
    """Return what a flag adds to the prior of a wall."""
    return _to_logit(dot(active, net.policy_flags[flag])) + net.flag_bias[flag]
