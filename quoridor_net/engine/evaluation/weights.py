"""The tuning parameters of the evaluation and the search (``Weights`` of the state).

A step is worth 100. The values come from matches between versions of this engine, see
``benchmarks/ENGINE-LOG.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from quoridor_net.engine.evaluation.network import linear_part

if TYPE_CHECKING:
    from quoridor_net.engine.board.state import SearchState

#: Further walls in hand add no value.
WALLS_VALUED = 20

#: The terms of the linear evaluation for two players (``quoridor_net.engine.evaluation.linear``), with their
#: weights in sixteenths of a hundredth of a step.
TERM_VALUES = {
    "lead": 1600,
    "tempo": 369,
    "narrow": -103,
    "chokes": 98,
    "cuts": 16,
    "lead_by_walls": -69,
    "walls_by_distance": 50,
    "rows": 162,
}
TERM_COUNT = len(TERM_VALUES)

DEFAULTS = {
    # Four players: weight of the nearest rival against the mean of all rivals, in hundredths.
    "nearest": 65,
    # Late move reductions without the network: minimum depth, and numbers of moves before 1, 2, 3 plies.
    "lmr_depth": 3,
    "lmr_one": 2,
    "lmr_two": 6,
    "lmr_three": 16,
    # With the network: bonuses of history and killers to the prior, and the gap in prior that costs one ply.
    "history_prior": 8,
    "killer_prior": 1000,
    "lmr_gap": 1000,
    # Pruning: minimum gap to the largest prior, and maximum remaining depth.
    "prune_gap": 4000,
    "prune_depth": 2,
    # Reverse futility: to this depth, and by this margin for each ply.
    "rfp_depth": 3,
    "rfp_margin": 120,
    # PUCT, in hundredths: the exploration constant, its growth with the visits, and the FPU reduction, by
    # which an untried move counts as worse than its node.
    "cpuct": 150,
    "cpuct_growth": 12,
    "fpu_reduction": 0,
    # Walls left out of a node: minimum gap to the largest logit, in units of 1/1024, and the visits at which
    # the node gets them.
    "omit": 6000,
    "complete_visits": 2000,
    # Temperature of the priors, in hundredths.
    "policy_temperature": 125,
    # Hints from principal variation search: nodes per hundred playouts, and the minimum prior of the best
    # move, in hundredths.
    "hint_nodes": 80,
    "hint_prior": 6,
    # A multivisit counts as at most 1 + n / this number of visits, where n is the visits of the edge.
    "multivisit": 6,
    # Max-n: the PUCT constant, the visits beyond which it grows with their square root, and the FPU
    # reduction, for chances from 0 to 1; the factor from the log of the chance after a move to the logit of
    # its prior, and the logits added for walls and for those that stop a rival about to win. All but the
    # visits are in hundredths.
    "maxn_cpuct": 60,
    "maxn_cpuct_visits": 100,
    "maxn_fpu_reduction": 15,
    "maxn_sharpness": 300,
    "maxn_wall_prior": -50,
    "maxn_stop_prior": 150,
}

#: Value of walls left, by their number.
WALL_VALUES = (
    *(0, 11, 124, 197, 263, 322, 379, 402, 427, 419, 427),
    *(447, 467, 487, 507, 527, 547, 567, 587, 607, 627),
)

#: The same where only distances count besides: with four players, and on boards too large for the kernels.
PLAIN_WALL_VALUES = (
    *(0, 90, 170, 240, 300, 355, 405, 450, 490, 525, 555),
    *(580, 600, 615, 630, 640, 650, 660, 670, 680, 690),
)


#: Switches that can be set by name as well.
SWITCHES = ("tree", "network")
_TERM_NUMBERS = {name: number for number, name in enumerate(TERM_VALUES)}
_BY_COUNT = re.compile(r"((?:plain_)?wall)_(\d{1,2})")


def check_names(changes: Iterable[str]) -> None:
    """Reject unknown names of weights.

    Raises:
        ValueError: a name is unknown.
    """
    for name in changes:
        counted = _BY_COUNT.fullmatch(name)
        if any(name in names for names in (DEFAULTS, TERM_VALUES, SWITCHES)):
            continue
        if not counted or int(counted[2]) > WALLS_VALUED:
            raise ValueError(f"unknown weight: {name}")


def set_weights(
    state: SearchState, changes: dict[str, int] | None = None, with_network: bool = False
) -> None:
    """Write the weights to the state.

    Args:
        state: the state of the kernels.
        changes: values that replace the defaults, by names that :func:`check_names` accepts.
        with_network: whether to use the terms that were trained together with the network.
    """
    weights = state.weights
    terms, walls = linear_part() if with_network else (list(TERM_VALUES.values()), list(WALL_VALUES))
    for number, value in enumerate(terms):
        weights.terms[number] = value
    for number in range(WALLS_VALUED + 1):
        weights.walls[number] = walls[min(number, len(walls) - 1)]
        weights.plain_walls[number] = PLAIN_WALL_VALUES[number]
    for name, value in (DEFAULTS | (changes or {})).items():
        counted = _BY_COUNT.fullmatch(name)
        if counted:
            values = weights.walls if counted[1] == "wall" else weights.plain_walls
            values[int(counted[2])] = value
        elif name in _TERM_NUMBERS:
            weights.terms[_TERM_NUMBERS[name]] = value
        else:
            setattr(weights, name, value)
