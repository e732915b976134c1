"""Levels look at less and err, but never at random."""

from __future__ import annotations

import itertools
import random

import pytest
from attrs import evolve

from quoridor_net.engine.board.moves import PLIES
from quoridor_net.engine.levels import LEVELS, consider_moves, limits_of_level, with_error
from quoridor_net.engine.limits import STRONGEST, Analysis, Choice, Limits
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall


def analysis(*scores: int) -> Analysis:
    choices = [Choice(Step(Square(number, 0)), score, None, ()) for number, score in enumerate(scores)]
    return Analysis(tuple(choices), 1, 1)


def test_each_level_looks_at_no_less_than_the_one_below() -> None:
    weakened = [limits_of_level(Limits(level=level)) for level in range(1, STRONGEST)]
    for weaker, stronger in itertools.pairwise(weakened):
        # Without a depth a search goes as deep as its nodes allow.
        assert 0 < (weaker.depth or PLIES) <= (stronger.depth or PLIES)
        assert 0 < (weaker.nodes or 0) <= (stronger.nodes or 0)
    assert limits_of_level(Limits()) == Limits()


def test_every_level_but_the_strongest_is_weakened() -> None:
    assert limits_of_level(Limits(nodes=7)) == Limits(nodes=7)
    for level in LEVELS:
        weak = limits_of_level(Limits(level=level))
        assert weak.nodes is not None
    assert limits_of_level(Limits(level=3, nodes=5)).nodes == 5
    assert [limits_of_level(Limits(level=level, depth=4)).depth for level in (3, 9)] == [2, 4]
    assert [limits_of_level(Limits(level=level, threads=4)).threads for level in (9, 10)] == [1, 4]


def test_weak_levels_err_more_but_keep_to_the_best_moves() -> None:
    found = analysis(100, 97, 60, 0, -200)
    errors = {}
    for level in (1, 4, 7, 10):
        source = random.Random(1)
        chosen = [with_error(found, Limits(level=level), 1, source).score for _ in range(300)]
        errors[level] = sum(100 - score for score in chosen)
    assert errors[1] > errors[4] > errors[7] > errors[10] == 0


@pytest.mark.parametrize("players", [2, 4])
def test_beginners_consider_walls_near_their_rivals_and_every_step(players: int) -> None:
    position = Position(9, players)
    moves = position.legal_moves
    steps = [move for move in moves if isinstance(move, Step)]
    counts = []
    for level in (1, 4, 10):
        found = consider_moves(position, moves, Limits(level=level))
        assert [move for move in found if isinstance(move, Step)] == steps
        counts.append(len(found))
    assert len(steps) < counts[0] < counts[1] < counts[2] == len(moves)
    # Two players: around e9, the last row, two anchors to either side of the pawn.
    if players == 2:
        walls = [move for move in consider_moves(position, moves, Limits(level=1)) if isinstance(move, Wall)]
        assert {(wall.column, wall.row) for wall in walls} == {(c, r) for c in (2, 3, 4, 5) for r in (6, 7)}


def test_the_only_given_wall_is_considered_even_far_away() -> None:
    far: list[Move] = [Wall(0, 0, Orientation.HORIZONTAL)]
    assert consider_moves(Position(), far, Limits(level=1)) == far


def test_no_level_misses_a_win_in_one() -> None:
    found = analysis(100, 90)
    winning = evolve(found.choices[0], score=29999, wins_in=1)
    found = evolve(found, choices=(winning, *found.choices[1:]))
    for seed in range(50):
        assert with_error(found, Limits(level=1), 1, random.Random(seed)).move == winning.move
