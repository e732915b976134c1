"""Where a pawn may step, under both jump rules (docs/decisions.md, Rules)."""

from __future__ import annotations

from quoridor_net.moves import Jumps
from quoridor_net.rules.board import bits
from quoridor_net.rules.walls import WallSet


def targets(walls: WallSet, pawn: int, occupied: int, jumps: Jumps) -> int:
    """Return the set of squares that the pawn on square ``pawn`` may step to.

    Args:
        walls: the walls on the board.
        pawn: number of the square of the pawn that moves.
        occupied: set of the squares of all pawns, the mover's included.
        jumps: the jump rule.
    """
    near = walls.neighbours(pawn)
    blocked = near & occupied
    if not blocked:
        return near
    if jumps is Jumps.OFFICIAL:
        return near & ~occupied | _official_jumps(walls, pawn, occupied, blocked)
    return near & ~occupied | _classroom_jumps(walls, occupied, blocked)


def _official_jumps(walls: WallSet, pawn: int, occupied: int, blocked: int) -> int:
    found = 0
    for other in bits(blocked):
        beyond = walls.neighbours(other)
        straight = 2 * other - pawn
        behind = 1 << straight if straight >= 0 else 0
        # A neighbour in a straight line is the square behind; all the rest of them are sideways.
        if beyond & behind & ~occupied:
            found |= behind
        else:
            found |= beyond & ~occupied & ~behind
    return found


def _classroom_jumps(walls: WallSet, occupied: int, blocked: int) -> int:
    found = 0
    jumped = 0
    while blocked:
        lowest = blocked & -blocked
        jumped |= lowest
        around = walls.neighbours(lowest.bit_length() - 1)
        found |= around & ~occupied
        blocked = (blocked | around & occupied) & ~jumped
    return found
