"""Matches between versions of the engine: balanced openings, Elo and SPRT."""

from __future__ import annotations

import random

import pytest
from click.testing import CliRunner

from benchmarks.engine_match import LEAST_PAIRS, decision, elo, main, summary
from quoridor_net.engine import Engine, Limits
from training.openings import BALANCED, JUDGED_NODES, find_balanced_opening

pytestmark = pytest.mark.compiled("engine")


def test_openings_of_matches_are_balanced() -> None:
    judge = Engine(table_mb=8, weights={"tree": 0})
    one, two = (find_balanced_opening(random.Random(5), 9, None, judge) for _ in range(2))
    assert one == two
    judge.clear()
    assert abs(judge.play(one, Limits(nodes=JUDGED_NODES)).score) <= BALANCED


def test_a_summary_shows_elo_and_pairs() -> None:
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.8, abs=0.1)
    line, ratio = summary([2.0, 1.0, 1.0, 2.0], 0, 20)
    assert "games 8  score 0.750  Elo +191" in line
    assert line.endswith("pairs +2 =2 -0")
    assert ratio > 0


def test_a_test_is_not_decided_by_the_first_pairs() -> None:
    won, lost = [2.0] * LEAST_PAIRS, [0.0] * LEAST_PAIRS
    assert decision(won, summary(won, 0, 60)[1]) == "accepted"
    assert decision(lost, summary(lost, 0, 60)[1]) == "rejected"
    assert decision(won[1:], summary(won[1:], -100, 100)[1]) == ""
    even = [1.0] * 30
    assert decision(even, summary(even, -2, 2)[1]) == ""


@pytest.mark.parametrize("limits", ["threads=0", "threads=x", "time=-1", "speed=3", "nodes"])
def test_invalid_limits_are_refused(limits: str) -> None:
    done = CliRunner().invoke(main, ["--first-limits", limits])
    assert done.exit_code == 2
    assert f"{limits} is not a limit" in done.output
