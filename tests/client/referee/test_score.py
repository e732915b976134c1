"""Scores, Elo differences and their intervals."""

from __future__ import annotations

import math

import pytest

from client.referee.games import GamePlan, GameRecord, Side
from client.referee.score import Score, terminations
from quoridor_net.outcome import Result
from quoridor_net.rules import Termination


def record(number: int, black: Side, winner: int | None, termination: Termination) -> GameRecord:
    return GameRecord(GamePlan(number, black), Result(winner, termination, "", 10), 1.0)


RECORDS = [
    record(1, Side.BLACK, 1, Termination.GOAL),
    record(2, Side.WHITE, 1, Termination.GOAL),
    record(3, Side.BLACK, 2, Termination.TOO_SLOW),
    record(4, Side.WHITE, 2, Termination.ILLEGAL_MOVE),
    record(5, Side.BLACK, 2, Termination.RESIGNED),
    record(6, Side.BLACK, None, Termination.PLY_LIMIT),
    record(7, Side.BLACK, None, Termination.ABORTED),
]


def test_wins_belong_to_engines_not_to_colours() -> None:
    assert [each.winner for each in RECORDS] == [
        Side.BLACK, Side.WHITE, Side.WHITE, Side.BLACK, Side.WHITE, None, None
    ]  # fmt: skip
    assert Score.of(RECORDS) == Score(won=3, drawn=1, lost=2, void=1)
    assert Score.of(RECORDS).share == 3.5 / 6


def test_giving_up_is_no_fault() -> None:
    assert [each.at_fault for each in RECORDS] == [None, None, Side.BLACK, Side.WHITE, None, None, None]


def test_terminations_are_counted() -> None:
    assert terminations(RECORDS)[Termination.GOAL] == 2


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
def test_elo(won: int, drawn: int, lost: int, elo: float) -> None:
    difference = Score(won, drawn, lost).elo
    assert difference.value == pytest.approx(elo, abs=0.01)
    assert difference.low < difference.value < difference.high


def test_wilson_interval_of_a_textbook_example() -> None:
    """60 of 100: the 95 % score interval is 0.5020 to 0.6906."""
    difference = Score(60, 0, 40).elo
    assert 1 / (1 + 10 ** (-difference.low / 400)) == pytest.approx(0.5020, abs=1e-4)
    assert 1 / (1 + 10 ** (-difference.high / 400)) == pytest.approx(0.6906, abs=1e-4)


def test_one_sided_scores_keep_one_bound() -> None:
    all_won, all_lost, none = Score(10, 0, 0).elo, Score(0, 0, 10).elo, Score(0, 0, 0).elo
    assert (all_won.value, all_won.high) == (math.inf, math.inf)
    assert all_won.low == pytest.approx(166, abs=1)
    assert (all_lost.value, all_lost.low) == (-math.inf, -math.inf)
    assert all_lost.high == pytest.approx(-166, abs=1)
    assert (none.low, none.value, none.high) == (-math.inf, 0, math.inf)


def test_likelihood_of_superiority() -> None:
    assert Score(5, 3, 5).superiority == 0.5
    assert Score(0, 9, 0).superiority == 0.5
    assert Score(60, 0, 40).superiority == pytest.approx(0.977, abs=1e-3)
