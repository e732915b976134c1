"""Winning chances follow from scores as they were measured."""

from __future__ import annotations

import math

import pytest

from quoridor_net.analysis import chance_of
from quoridor_net.engine.scores import WIN
from quoridor_net.rules import Position

OPEN = range(-1500, 1501, 50)


@pytest.mark.parametrize("size", [5, 9, 11, 15])
def test_of_two_players_one_has_the_chance_that_the_other_lacks(size: int) -> None:
    position = Position(size)
    for score in OPEN:
        assert chance_of(score, position) == pytest.approx(1 - chance_of(-score, position))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [5, 9, 11, 15])
def test_a_better_score_is_a_better_chance(size: int, players: int) -> None:
    position = Position(size, players)
    chances = [chance_of(score, position) for score in (1 - WIN, -20_000, *OPEN, 20_000, WIN - 1)]
    assert chances == sorted(chances)
    assert (chances[0], chances[-1]) == (0, 1)


@pytest.mark.parametrize(
    ("score", "chance"),
    # docs/howto-analyze.md
    [(0, 0.5), (100, 0.75), (200, 0.90)],
)
def test_the_lead_in_steps_determines_the_chance(score: int, chance: float) -> None:
    assert chance_of(score, Position()) == pytest.approx(chance, abs=0.005)


def test_with_four_players_nothing_is_certain_that_is_not_proven() -> None:
    position = Position(9, 4)
    assert chance_of(-20_000, position) == 0.01
    assert chance_of(20_000, position) == 0.99


def test_even_chances_are_shared_by_the_players_still_in_the_game() -> None:
    position = Position(9, 4)
    four = chance_of(0, position)
    position.eliminate(4)
    three = chance_of(0, position)
    position.eliminate(3)
    assert four == pytest.approx(1 / 4, abs=0.04)
    assert three == pytest.approx(1 / 3, abs=0.04)
    assert chance_of(0, position) == 0.5


@pytest.mark.parametrize(
    ("size", "scale"),
    # benchmarks/ENGINE-LOG.md: the score that multiplies the odds of winning by e.
    [(3, 80), (5, 80), (6, 170), (7, 90), (9, 90), (10, 150), (11, 150), (12, 800), (25, 800)],
)
def test_each_board_size_has_its_scale(size: int, scale: int) -> None:
    chance = chance_of(scale, Position(size))
    assert chance / (1 - chance) == pytest.approx(math.e)
