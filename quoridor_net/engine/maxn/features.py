"""Kernel: the network's features of a position, as column numbers.

Each seat has its own *perspective*: itself comes first, then its rivals in the order of turns. For each of
the four, the network sees the distance, the walls left, and the *gain*: the longest detour that a single wall
causes. It also sees whose turn it is, the lead over the nearest rival together with the walls left to all
rivals, and the number of rivals that are nearer.
"""

from __future__ import annotations

from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.board.state import Frame, SearchState
from quoridor_net.engine.evaluation.threats import greatest_gain
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.network import (
    AHEAD,
    DISTANCES,
    GAINS,
    LEADS,
    LONGEST,
    MOST_GAIN,
    MOST_LEAD,
    MOST_RIVAL_WALLS,
    MOST_WALLS,
    OUT,
    TURNS,
    WALLS,
)
from quoridor_net.engine.maxn.tree import MaxNTree

_FAR = 1000


@kernel
def _walls_left(frame: Frame) -> int:
    """Return the total number of walls left to the seats in the game."""
    total = 0
    for seat in range(SEATS):
        if frame.pawns[seat] >= 0:
            total += frame.walls_left[seat]
    return total


@kernel
def find_gains(state: SearchState, tree: MaxNTree, ply: int) -> None:
    """Write the gain of a wall against each seat at ``ply`` to the tree; 0 if its rivals have no walls.

    The layers at ``ply`` must reach every square.
    """
    frame = state.frames[ply]
    total = _walls_left(frame)
    for seat in range(SEATS):
        tree.gains[seat] = 0
        if frame.pawns[seat] >= 0 and total > frame.walls_left[seat]:
            tree.gains[seat] = min(greatest_gain(state, ply, seat), MOST_GAIN)


@kernel
def _see(tree: MaxNTree, frame: Frame, seat: int, rival_walls: int) -> None:
    """Write the numbers of the columns of ``seat``, whose rivals have ``rival_walls`` walls together."""
    columns = tree.features[seat]
    own = frame.distances[seat]
    nearest = _FAR
    nearer = 0
    other = seat
    for place in range(SEATS):
        distance = OUT
        walls = 0
        if frame.pawns[other] >= 0:
            distance = min(frame.distances[other], LONGEST)
            walls = min(frame.walls_left[other], MOST_WALLS)
            if place > 0:
                nearest = min(nearest, frame.distances[other])
                if frame.distances[other] < own:
                    nearer += 1
        columns[place] = DISTANCES + (LONGEST + 2) * place + distance
        columns[SEATS + place] = WALLS + (MOST_WALLS + 1) * place + walls
        columns[2 * SEATS + place] = GAINS + (MOST_GAIN + 1) * place + tree.gains[other]
        other += 1
        if other == SEATS:
            other = 0
    turn = frame.turn - seat
    if turn < 0:
        turn += SEATS
    lead = max(min(nearest - own, MOST_LEAD), -MOST_LEAD) + MOST_LEAD
    columns[3 * SEATS] = TURNS + turn
    columns[3 * SEATS + 1] = LEADS + lead * (MOST_RIVAL_WALLS + 1) + min(rival_walls, MOST_RIVAL_WALLS)
    columns[3 * SEATS + 2] = AHEAD + nearer


@kernel
def find_features(state: SearchState, tree: MaxNTree, ply: int) -> None:
    """Write the numbers of the columns of each seat in the game at ``ply`` to the tree.

    The tree must hold the gains already.
    """
    frame = state.frames[ply]
    total = _walls_left(frame)
    for seat in range(SEATS):
        if frame.pawns[seat] >= 0:
            _see(tree, frame, seat, total - frame.walls_left[seat])
