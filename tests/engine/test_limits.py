"""Time shares, limits and levels."""

from __future__ import annotations

import itertools
import random
import re
import threading
from typing import Any

import pytest
from attrs import evolve

from quoridor_net.engine import Searcher
from quoridor_net.engine.levels import LEVELS, err, thought_of, weaken
from quoridor_net.engine.limits import STRONGEST, Analysis, Choice, Limits
from quoridor_net.engine.timing import DEFAULT_MOVE_TIME, MARGIN, Alarm, seconds_for
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall

pytestmark = pytest.mark.compiled("engine")


def test_the_move_time_is_used_up_to_a_margin() -> None:
    assert seconds_for(Limits(time=2.0), 0) == pytest.approx(2.0 - MARGIN)


def test_without_limits_a_move_takes_the_default_time() -> None:
    assert seconds_for(Limits(), 0) == pytest.approx(DEFAULT_MOVE_TIME - MARGIN)


@pytest.mark.parametrize("limits", [Limits(nodes=10), Limits(depth=3), Limits(nodes=10, depth=3)])
def test_nodes_and_depth_are_no_time(limits: Limits) -> None:
    assert seconds_for(limits, 0) is None


def test_each_level_looks_at_no_less_than_the_one_below() -> None:
    weakened = [weaken(Limits(level=level)) for level in range(1, STRONGEST)]
    for weaker, stronger in itertools.pairwise(weakened):
        assert 0 < (weaker.depth or 0) <= (stronger.depth or 0)
        assert 0 < (weaker.nodes or 0) <= (stronger.nodes or 0)
    assert weaken(Limits()) == Limits()


def test_a_game_never_runs_out_of_time() -> None:
    left = 60.0
    for played in range(300):
        share = seconds_for(Limits(game_time=left), played)
        assert share is not None
        assert 0 <= share <= left / 2
        left -= share
    assert left >= 0


def test_the_increment_is_spent() -> None:
    with_increment = seconds_for(Limits(game_time=60.0, increment=1.0), 10)
    without = seconds_for(Limits(game_time=60.0), 10)
    assert with_increment is not None
    assert without is not None
    assert with_increment - without == pytest.approx(0.8)


def test_the_tighter_of_two_times_holds() -> None:
    share = seconds_for(Limits(time=0.1, game_time=600.0), 0)
    assert share == pytest.approx(0.1 - MARGIN)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"time": -1.0}, {"nodes": 0}, {"depth": 0}, {"level": 0}, {"level": 11}),
        *({"game_time": float("nan")}, {"increment": -0.1}),
    ],
)
def test_limits_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limits(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"nodes": 1.5}, "nodes is a whole number of at least 1, not 1.5"),
        ({"nodes": "9"}, "nodes is a whole number of at least 1, not '9'"),
        ({"depth": 2.5}, "depth is a whole number of at least 1, not 2.5"),
        ({"level": 2.0}, "level is a whole number from 1 to 10, not 2.0"),
        ({"nodes": True}, "nodes is a whole number of at least 1, not True"),
        ({"level": None}, "level is a whole number from 1 to 10, not None"),
        ({"time": "1"}, "time is a number of seconds, 0 or more, not '1'"),
        ({"game_time": True}, "game_time is a number of seconds, 0 or more, not True"),
        ({"increment": None}, "increment is a number of seconds, 0 or more, not None"),
    ],
)
def test_limits_of_the_wrong_type_are_refused_in_one_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(sentence)}$"):
        Limits(**wrong)


def test_a_node_limit_alone_is_no_limit_of_time() -> None:
    """However slow the machine is: its clock says that a year has passed."""
    found = [
        Searcher(9, 2, 1, seed=3, clock=clock, uses_openings=False).choose(Position(), Limits(nodes=2000))
        for clock in (lambda: 0.0, itertools.count(0, 3e7).__next__)
    ]
    assert evolve(found[0], seconds=0) == evolve(found[1], seconds=0)
    assert found[0].nodes >= 2000


def test_no_move_takes_more_than_half_of_the_clock() -> None:
    share = seconds_for(Limits(game_time=2.0, increment=10.0), 0)
    assert share == pytest.approx(1.0 - MARGIN)


@pytest.mark.parametrize("limits", [Limits(time=float("inf")), Limits(time=1e300), Limits(game_time=1e300)])
def test_any_time_fits_into_an_alarm(limits: Limits) -> None:
    seconds = seconds_for(limits, 0)
    assert seconds is not None
    assert seconds < threading.TIMEOUT_MAX


def test_more_nodes_than_a_word_counts_are_no_limit() -> None:
    assert Searcher(9, 2, 1).choose(Position(), Limits(nodes=10**30, depth=1)).depth == 1


def test_an_alarm_rings_once() -> None:
    rung: list[int] = []
    with Alarm(None, lambda: rung.append(1)):
        pass
    with Alarm(30.0, lambda: rung.append(1)):
        pass
    assert rung == []


def test_every_level_but_the_strongest_is_weakened() -> None:
    assert weaken(Limits(nodes=7)) == Limits(nodes=7)
    for level in LEVELS:
        weak = weaken(Limits(level=level))
        assert weak.depth is not None
        assert weak.nodes is not None
    assert weaken(Limits(level=3, nodes=5)).nodes == 5


def analysis(*scores: int) -> Analysis:
    choices = [Choice(Step(Square(number, 0)), score, None, ()) for number, score in enumerate(scores)]
    return Analysis(tuple(choices), 1, 1)


def test_weak_levels_err_more_but_keep_to_the_best_moves() -> None:
    found = analysis(100, 90, 60, 0, -200)
    errors = {}
    for level in (1, 4, 7, 10):
        source = random.Random(1)
        chosen = [err(found, Limits(level=level), 1, source).score for _ in range(300)]
        errors[level] = sum(100 - score for score in chosen)
    assert errors[1] > errors[4] > errors[7] > errors[10] == 0


@pytest.mark.parametrize("players", [2, 4])
def test_beginners_think_of_walls_beside_their_rivals_and_of_every_step(players: int) -> None:
    position = Position(9, players)
    moves = position.legal_moves
    steps = [move for move in moves if isinstance(move, Step)]
    counts = []
    for level in (1, 4, 10):
        found = thought_of(position, moves, Limits(level=level))
        assert [move for move in found if isinstance(move, Step)] == steps
        counts.append(len(found))
    assert len(steps) < counts[0] < counts[1] < counts[2] == len(moves)
    # Two players: around e9, the last row, two anchors to either side of the pawn.
    if players == 2:
        walls = [move for move in thought_of(position, moves, Limits(level=1)) if isinstance(move, Wall)]
        assert {(wall.column, wall.row) for wall in walls} == {(c, r) for c in (2, 3, 4, 5) for r in (6, 7)}


def test_who_can_only_place_walls_elsewhere_does() -> None:
    far: list[Move] = [Wall(0, 0, Orientation.HORIZONTAL)]
    assert thought_of(Position(), far, Limits(level=1)) == far


def test_nobody_overlooks_a_win_in_one() -> None:
    found = analysis(100, 90)
    winning = evolve(found.choices[0], score=29999, wins_in=1)
    found = evolve(found, choices=(winning, *found.choices[1:]))
    for seed in range(50):
        assert err(found, Limits(level=1), 1, random.Random(seed)).move == winning.move
