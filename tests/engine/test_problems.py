"""Every problem with a proven solution is solved, and the proofs agree with an independent solver."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.engine import Limits
from quoridor_net.engine.searcher import Searcher
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import Jumps, Position
from tests.support.small_boards import solve

pytestmark = pytest.mark.compiled("engine")


PROBLEMS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "engine_problems.json").read_text()
)


@cache
def searcher(size: int) -> Searcher:
    """Return the searcher for boards of a size, one for all tests because it keeps its solutions."""
    return Searcher(size, 2, 1)


def test_the_collection_has_at_least_40_problems() -> None:
    assert len(PROBLEMS) >= 40


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem["position"])
def test_each_problem_is_solved(problem: dict[str, Any]) -> None:
    position = Position.from_line(problem["position"], Jumps(problem["jumps"]))
    found = searcher(position.size).choose(position, Limits(nodes=1_000_000))
    assert format_move(found.move) in problem["wins"]
    assert found.choices[0].wins_in == problem["plies"]


@pytest.mark.parametrize(
    "problem", [problem for problem in PROBLEMS if problem["position"].endswith("/ 3")], ids=str
)
def test_the_exact_solver_agrees_with_each_problem(problem: dict[str, Any]) -> None:
    position = Position.from_line(problem["position"], Jumps(problem["jumps"]))
    known = solve(position)
    winning = []
    for move in position.legal_moves:
        position.push(move)
        if position.turn is None or (known[position.key] < 0):
            winning.append(format_move(move))
        position.pop()
    assert sorted(winning) == problem["wins"]
    assert known[position.key] == problem["plies"]
