"""The kernel counts the same move sequences as the verified vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.engine.perft import count_sequences
from quoridor_net.rules import Position

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text())[
    "vectors"
]
QUICK = 3_000_000


def _depths(least: int, most: int) -> list[Any]:
    return [
        pytest.param(vector["position"], depth, count, id=f"{vector['id']}-{depth}")
        for vector in VECTORS
        for depth, count in enumerate(vector["perft"], 1)
        if least < count <= most
    ]


@pytest.mark.parametrize(("line", "depth", "count"), _depths(0, QUICK))
def test_perft(line: str, depth: int, count: int) -> None:
    assert count_sequences(Position.from_line(line), depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("line", "depth", "count"), _depths(QUICK, 10**12))
def test_long_perft(line: str, depth: int, count: int) -> None:
    assert count_sequences(Position.from_line(line), depth) == count


def test_a_finished_game_has_no_sequences() -> None:
    assert count_sequences(Position.from_line(" /  / e9 e5 / 10 10 / 0"), 2) == 0


@pytest.mark.parametrize(("size", "depth", "words"), [(5, 0, "positive"), (12, 1, "boards of 3 to 11")])
def test_refusals(size: int, depth: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        count_sequences(Position(size), depth)
