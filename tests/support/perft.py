"""Node counts on which several programs agree, and counting by plain play."""

from __future__ import annotations

import json
from typing import Any, Protocol, TypeVar

import pytest

from tests.support.ground_truth import DATA

Move = TypeVar("Move")

#: Of each position: its name, the line that it is read from, and its counts from depth 1 on.
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
    """What is needed of a position to count."""

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
