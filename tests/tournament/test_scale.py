"""On a scale of reference entrants, ratings are absolute, and their intervals hold."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import Pairing, rate
from quoridor_net.tournament.ratings import PRIOR, Scale, expected_score, rate_on_scale
from quoridor_net.tournament.standings import GameResult, points_of


def play(strengths: list[float], games: int, chance: random.Random) -> list[GameResult]:
    """Return the results of games between random entrants."""
    found = []
    for number in range(1, games + 1):
        one, other = chance.sample(range(1, len(strengths) + 1), 2)
        wins = chance.random() < expected_score(strengths[one - 1] - strengths[other - 1])
        found.append(
            (Pairing(number, number, (one, other)), Result(1 if wins else 2, Termination.GOAL, "", 9))
        )
    return found


def test_references_keep_their_ratings_and_others_find_theirs() -> None:
    chance = random.Random(4)
    strengths = [0.0, 271.0, 536.0, 450.0, 120.0]
    ratings = rate(5, play(strengths, 2000, chance), scale=Scale({1: 0.0, 2: 271.0, 3: 536.0}, mean=400))
    for rating, strength in zip(ratings.entrants, strengths, strict=True):
        if rating.entrant <= 3:
            assert rating.elo.value == pytest.approx(strength, abs=0.5)
            assert rating.elo.high - rating.elo.low < 1
        else:
            assert rating.elo.low < strength < rating.elo.high
            assert rating.elo.high - rating.elo.low < 80


def test_intervals_hold_their_share_of_strengths() -> None:
    chance = random.Random(8)
    inside = total = 0
    for _ in range(60):
        strengths = [0.0, 536.0, 922.0, *(chance.gauss(400, 300) for _ in range(5))]
        ratings = rate(8, play(strengths, 160, chance), scale=Scale({1: 0.0, 2: 536.0, 3: 922.0}, mean=400))
        for rating, strength in zip(ratings.entrants[3:], strengths[3:], strict=True):
            total += 1
            inside += rating.elo.low <= strength <= rating.elo.high
    assert inside / total >= 0.92


def test_an_entrant_without_games_has_its_prior() -> None:
    ratings = rate(3, [], scale=Scale({1: 0.0}, {2: 700.0}, mean=400, doubt=200))
    assert [rating.elo.value for rating in ratings.entrants] == [0, 700, 400]
    assert ratings.entrants[1].elo.high == pytest.approx(700 + 1.96 * 200, abs=1)
    assert ratings.entrants[2].elo.high == pytest.approx(400 + 1.96 * PRIOR, abs=1)


def test_a_new_version_starts_with_a_rating_that_games_change() -> None:
    scale = Scale({1: 0.0}, {2: 700.0}, doubt=200)
    lost = [
        (Pairing(n, n, ((1, 2), (2, 1))[n % 2]), Result(1 + n % 2, Termination.GOAL, "", 9))
        for n in range(1, 31)
    ]
    rating = rate(2, lost, scale=scale).entrants[1]
    assert rating.elo.value < 300
    assert math.isfinite(rating.elo.low)
    assert rate(2, lost, scale=scale).superiority(1, 2) == pytest.approx(0.9, abs=0.1)


def test_counted_games_give_the_same_ratings() -> None:
    chance = random.Random(4)
    results = play([0.0, 271.0, 536.0, 400.0], 500, chance)
    scores: Counter[tuple[int, int, float]] = Counter()
    for pairing, result in results:
        scores[pairing.seats[0], pairing.seats[1], points_of(pairing, result)[0]] += 1
    scale = Scale({1: 0.0}, {2: 300.0}, mean=400)
    assert rate_on_scale(4, scores, scale).entrants == rate(4, results, resamples=0, scale=scale).entrants
