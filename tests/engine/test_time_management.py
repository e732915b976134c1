"""The time of a move, and the alarm that ends it."""

from __future__ import annotations

import threading

import pytest

from quoridor_net.engine.limits import Limits
from quoridor_net.engine.time_management import DEFAULT_MOVE_TIME, MARGIN, SearchAlarm, search_time


def test_the_move_time_is_used_up_to_a_margin() -> None:
    assert search_time(Limits(time=2.0), 0) == pytest.approx(2.0 - MARGIN)


def test_without_limits_a_move_takes_the_default_time() -> None:
    assert search_time(Limits(), 0) == pytest.approx(DEFAULT_MOVE_TIME - MARGIN)


@pytest.mark.parametrize("limits", [Limits(nodes=10), Limits(depth=3), Limits(nodes=10, depth=3)])
def test_nodes_and_depth_set_no_time_limit(limits: Limits) -> None:
    assert search_time(limits, 0) is None


def test_a_game_never_runs_out_of_time() -> None:
    left = 60.0
    for played in range(300):
        share = search_time(Limits(game_time=left), played)
        assert share is not None
        assert 0 <= share <= left / 2
        left -= share
    assert left >= 0


def test_the_increment_is_spent() -> None:
    with_increment = search_time(Limits(game_time=60.0, increment=1.0), 10)
    without = search_time(Limits(game_time=60.0), 10)
    assert with_increment is not None
    assert without is not None
    assert with_increment - without == pytest.approx(0.8)


def test_the_tighter_of_two_times_holds() -> None:
    share = search_time(Limits(time=0.1, game_time=600.0), 0)
    assert share == pytest.approx(0.1 - MARGIN)


def test_no_move_takes_more_than_half_of_the_clock() -> None:
    share = search_time(Limits(game_time=2.0, increment=10.0), 0)
    assert share == pytest.approx(1.0 - MARGIN)


@pytest.mark.parametrize("limits", [Limits(time=float("inf")), Limits(time=1e300), Limits(game_time=1e300)])
def test_any_time_fits_into_an_alarm(limits: Limits) -> None:
    seconds = search_time(limits, 0)
    assert seconds is not None
    assert seconds < threading.TIMEOUT_MAX


def test_an_alarm_rings_once() -> None:
    rung: list[int] = []
    with SearchAlarm(None, lambda: rung.append(1)):
        pass
    with SearchAlarm(30.0, lambda: rung.append(1)):
        pass
    assert rung == []
