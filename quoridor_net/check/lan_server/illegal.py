"""Chooses the code of an illegal move: the broken rule, unless a misreading explains the move better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quoridor_net.check.lan_server.views import View, code_of
from quoridor_net.moves import Move, Square, Step, Wall
from quoridor_net.rules import Illegality, Position, Reason

_CODES = {
    Illegality.SAME_SQUARE: "LAN-166",
    Illegality.OCCUPIED: "LAN-156",
    Illegality.WALL_IN_THE_WAY: "LAN-140",
    Illegality.NO_WALLS_LEFT: "LAN-155",
    Illegality.OVERLAP: "LAN-160",
    Illegality.CROSS: "LAN-159",
    Illegality.NO_PATH: "LAN-163",
}

#: Illegal moves that a missing rule explains better than a misreading.
_LACKS_A_RULE = {
    Illegality.OCCUPIED,
    Illegality.NO_WALLS_LEFT,
    Illegality.OVERLAP,
    Illegality.CROSS,
    Illegality.NO_PATH,
}

#: Conflicts that arise if a server means other walls than it writes, and the number of walls that show it.
_ILL_PLACED = {Illegality.OVERLAP, Illegality.CROSS, Illegality.NO_PATH}
_ENOUGH_WALLS = 2

#: Codes that no misreading explains better.
_CERTAIN = ("LAN-134", "LAN-155", "LAN-165")


def base_code(position: Position, move: Move, reason: Reason) -> str:
    """Return the code of an illegal move according to the broken rule.

    Args:
        position: the position before the move.
        move: the move.
        reason: why it is illegal.
    """
    if reason.kind is Illegality.OFF_BOARD:
        return "LAN-134" if isinstance(move, Wall) else "LAN-165"
    if reason.kind is Illegality.NOT_REACHABLE:
        assert isinstance(move, Step)
        return _code_of_step(position, move.square)
    return _CODES.get(reason.kind, "LAN-139")


def _code_of_step(position: Position, there: Square) -> str:
    """Return the code of a step to a free square that cannot be reached."""
    assert position.turn is not None
    here = position.pawn(position.turn)
    assert here is not None
    across, down = abs(there.column - here.column), abs(there.row - here.row)
    if across + down != 2:
        return "LAN-139"
    pawns = [position.pawn(player) for player in position.alive if player != position.turn]
    if any(
        abs(pawn.column - here.column) + abs(pawn.row - here.row) == 1 for pawn in pawns if pawn is not None
    ):
        # A jump over or around another pawn.
        return "LAN-157"
    return "LAN-164" if across == down else "LAN-139"


def explanations(
    base: str, views: Sequence[View], truth: View, kind: Illegality
) -> tuple[str, dict[str, int]]:
    """Return the code of an illegal move, and how many moves each possible misreading predicted, by key.

    Args:
        base: its code according to the broken rule.
        views: views of the suspected misreadings, which have judged the move.
        truth: the view without a misreading, which has not judged the move.
        kind: why the move is illegal.
    """
    if base in _CERTAIN:
        return base, {}
    writings = [view for view in views if kind in _ILL_PLACED and _explains_walls(view, truth)]
    if writings:
        return "LAN-135", {view.misreading.key: view.hindering for view in writings}
    found = {view.misreading.key: view.fits for view in views if view.is_possible}
    least = truth.fits + 1 if kind in _LACKS_A_RULE or base == "LAN-157" else truth.fits
    if max(found.values(), default=-1) < least:
        return base, {}
    return best_of(found), found


def _explains_walls(view: View, truth: View) -> bool:
    """Return whether the server's walls, including the last, hinder others only as ``view`` reads them."""
    is_writing = view.misreading.code == "LAN-135" and view.is_possible
    return is_writing and view.hindering >= _ENOUGH_WALLS and view.hindering > truth.hindering + 1


def best_of(found: Mapping[str, int]) -> str:
    """Return the code of the misreading that predicted most moves; on a tie, of the first."""
    return code_of(max(found, key=lambda key: found[key]))


def find_ties(found: Mapping[str, int]) -> list[str]:
    """Return the other codes whose misreadings predicted as many moves as :func:`best_of`."""
    if not found:
        return []
    most = max(found.values())
    codes = dict.fromkeys(code_of(key) for key, fits in found.items() if fits == most)
    return [code for code in codes if code != best_of(found)]


def possible_codes(views: Sequence[View]) -> dict[str, int]:
    """Return the number of steps that each possible misreading explains, by code, the likeliest first."""
    possible = sorted((view for view in views if view.is_possible), key=lambda view: -view.fits)
    codes: dict[str, int] = {}
    for view in possible:
        codes.setdefault(view.misreading.code, view.fits)
    return codes
