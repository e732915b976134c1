"""Node counts on which several programs agree, and a counter that simply plays all moves."""

from __future__ import annotations

import json
from typing import Any, Protocol, TypeVar

import pytest

from tests.support.ground_truth import DATA

Move = TypeVar("Move")

#: Name, position line and counts from depth 1 on, for each position.
VECTORS: list[dict[str, Any]] = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))["vectors"]
#: Counts above this are left to the slow tests.
QUICK = 3_000_000
#: More than any count.
ENDLESS = 10**12


def vectors(least: int, most: int) -> list[Any]:
    """Return line, depth and count of every vector that counts more than ``least`` and at most ``most``."""
    return [
        pytest.param(vector["position"], depth, count, id=f"{vector['id']}-{depth}")
        for vector in VECTORS
        for depth, count in enumerate(vector["perft"], 1)
        if least < count <= most
    ]


class Playable(Protocol[Move]):
    """The part of a position that counting needs."""

    @property
    def legal_moves(self) -> list[Move]: ...

    def push(self, move: Move, /) -> None: ...

    def pop(self) -> object: ...


def plain_perft(position: Playable[Any], depth: int) -> int:
    """Count by playing every sequence of moves."""
    if depth == 0:
        return 1
    count = 0
    for move in position.legal_moves:
        position.push(move)
        count += plain_perft(position, depth - 1)
        position.pop()
    return count
