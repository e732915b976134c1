"""The pool of four-player kinds: shares of wins and their intervals."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from benchmarks.engine_pool import interval, main

pytestmark = pytest.mark.compiled("engine")


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    # Wilson's interval: Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)],
)
def test_intervals_match_published_ones(won: int, games: int, low: float, high: float) -> None:
    assert interval(won, games) == pytest.approx((low, high), abs=5e-5)


def test_every_order_is_played_under_both_rules() -> None:
    arguments = ["--kinds", "maxn,runner,runner,runner", "--size", "5", "--nodes", "20", "--blocks", "1"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[1].startswith("8 games")
    assert [line.split()[0] for line in lines[5:]] == ["maxn", "runner", "none"]


@pytest.mark.parametrize(
    ("kinds", "complaint"),
    [("maxn,maxn,maxn", "give four kinds, not 3"), ("maxn,simple,simple,rook", "unknown kind rook")],
)
def test_invalid_kinds_are_refused(kinds: str, complaint: str) -> None:
    done = CliRunner().invoke(main, ["--kinds", kinds])
    assert done.exit_code == 2
    assert complaint in done.output
