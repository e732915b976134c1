"""Limits: rejected values, and values without effect."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from attrs import evolve

from quoridor_net.engine.limits import Limits
from quoridor_net.engine.searcher import Searcher
from quoridor_net.rules import Position

pytestmark = pytest.mark.compiled("engine")


@pytest.mark.parametrize(
    "wrong",
    [
        *({"time": -1.0}, {"nodes": 0}, {"depth": 0}, {"level": 0}, {"level": 11}),
        *({"threads": 0}, {"threads": 257}),
        *({"game_time": float("nan")}, {"increment": -0.1}),
    ],
)
def test_limits_out_of_range_are_rejected(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limits(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"nodes": 1.5}, "nodes must be a whole number of at least 1, not 1.5"),
        ({"nodes": "9"}, "nodes must be a whole number of at least 1, not '9'"),
        ({"depth": 2.5}, "depth must be a whole number of at least 1, not 2.5"),
        ({"level": 2.0}, "level must be a whole number from 1 to 10, not 2.0"),
        ({"nodes": True}, "nodes must be a whole number of at least 1, not True"),
        ({"level": None}, "level must be a whole number from 1 to 10, not None"),
        ({"time": "1"}, "time must be a number of seconds, 0 or more, not '1'"),
        ({"game_time": True}, "game_time must be a number of seconds, 0 or more, not True"),
        ({"increment": None}, "increment must be a number of seconds, 0 or more, not None"),
    ],
)
def test_limits_of_the_wrong_type_are_rejected_in_one_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(sentence)}$"):
        Limits(**wrong)


def test_a_node_limit_alone_does_not_limit_the_time() -> None:
    """However slow the machine is: its clock says that a year has passed."""
    found = [
        Searcher(9, 2, 1, seed=3, clock=clock, uses_book=False).choose(Position(), Limits(nodes=2000))
        for clock in (lambda: 0.0, itertools.count(0, 3e7).__next__)
    ]
    assert evolve(found[0], seconds=0) == evolve(found[1], seconds=0)
    assert found[0].nodes >= 2000


def test_a_node_limit_beyond_64_bits_is_accepted() -> None:
    assert Searcher(9, 2, 1).choose(Position(), Limits(nodes=10**30, depth=1)).depth == 1
