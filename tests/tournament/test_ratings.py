"""Scores, Elo differences and their intervals are correct."""

from __future__ import annotations

import math

import pytest

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import GameResult, Pairing, Score


def game(first: int, second: int, winner: int | None, termination: Termination) -> GameResult:
    return Pairing(1, 1, (first, second)), Result(winner, termination, "", 10)


RESULTS = [
    game(2, 1, 1, Termination.GOAL),
    game(1, 2, 1, Termination.GOAL),
    game(2, 1, 2, Termination.TOO_SLOW),
    game(1, 2, 2, Termination.ILLEGAL_MOVE),
    game(3, 1, 2, Termination.RESIGNED),
    game(2, 1, None, Termination.PLY_LIMIT),
    game(2, 1, None, Termination.ABORTED),
    game(2, 1, None, Termination.DISCONNECTED),
    game(2, 3, 1, Termination.GOAL),
]


def test_wins_belong_to_entrants_not_to_seats() -> None:
    assert Score.of(RESULTS, 1) == Score(won=3, drawn=1, lost=2, void=1)
    assert Score.of(RESULTS, 1).share == 3.5 / 6
    assert Score.of(RESULTS, 3) == Score(won=0, drawn=0, lost=2)


@pytest.mark.parametrize(
    ("won", "drawn", "lost", "elo"),
    [
        # The logistic model: 400 * log10(share / (1 - share)).
        (1, 0, 1, 0.0),
        (3, 0, 1, 190.85),
        (1, 0, 3, -190.85),
        (10, 10, 0, 190.85),
        (64, 0, 36, 99.95),
    ],
)
def test_elo_follows_the_logistic_model(won: int, drawn: int, lost: int, elo: float) -> None:
    difference = Score(won, drawn, lost).elo
    assert difference.value == pytest.approx(elo, abs=0.01)
    assert difference.low < difference.value < difference.high


def test_the_wilson_interval_matches_a_textbook_example() -> None:
    """Check the 95 % score interval of 60 of 100: 0.5020 to 0.6906."""
    difference = Score(60, 0, 40).elo
    assert 1 / (1 + 10 ** (-difference.low / 400)) == pytest.approx(0.5020, abs=1e-4)
    assert 1 / (1 + 10 ** (-difference.high / 400)) == pytest.approx(0.6906, abs=1e-4)


def test_a_one_sided_score_keeps_one_bound() -> None:
    all_won, all_lost, none = Score(10, 0, 0).elo, Score(0, 0, 10).elo, Score(0, 0, 0).elo
    assert (all_won.value, all_won.high) == (math.inf, math.inf)
    assert all_won.low == pytest.approx(166, abs=1)
    assert (all_lost.value, all_lost.low) == (-math.inf, -math.inf)
    assert all_lost.high == pytest.approx(-166, abs=1)
    assert (none.low, none.value, none.high) == (-math.inf, 0, math.inf)


def test_the_likelihood_of_superiority_follows_wins_and_losses() -> None:
    assert Score(5, 3, 5).superiority == 0.5
    assert Score(0, 9, 0).superiority == 0.5
    assert Score(60, 0, 40).superiority == pytest.approx(0.977, abs=1e-3)
