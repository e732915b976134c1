"""The forecast of a tournament: its games and their duration."""

from __future__ import annotations

import re

import pytest

from quoridor_net.clocks import GameClock
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament.quoridor.forecast import forecast, more_at_once
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.sprt import EloModel, Sprt


def test_a_test_promises_only_its_maximum_number_of_games() -> None:
    entrants = [parse_spec("new=simple"), parse_spec("old=simple")]
    (line,) = forecast(Plan(games=400, sprt=Sprt(0.0, 5.0)), entrants)
    assert line == (
        "Up to 400 games between new and old, until the test is decided: about 400 (12 s) if the difference"
        " is 0 or 5, 400 (12 s) if it is in the middle; assuming 60 plies per game."
    )


def test_a_test_with_distant_hypotheses_is_short() -> None:
    entrants = [parse_spec("engine:think=0.1"), parse_spec("random")]
    plan = Plan(games=400, sprt=Sprt(0.0, 100.0, model=EloModel.LOGISTIC), concurrency=4)
    (line,) = forecast(plan, entrants)
    found = re.search(r"about (\d+) .* if the difference is 0 or 100, (\d+) ", line)
    assert found is not None
    assert 40 < int(found[1]) < int(found[2]) < 140


def test_a_hint_says_how_many_games_could_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quoridor_net.tournament.quoridor.forecast.processors", lambda: 4)
    servers = [parse_spec(f"h{number}:1") for number in range(9)]
    assert more_at_once(Plan(), servers) == "4 games could run at once: add --concurrency 4."
    assert more_at_once(Plan(concurrency=4), servers) == ""
    assert more_at_once(Plan(), [parse_spec("h:1,games=3"), parse_spec("random")]) == ""
    engines = [parse_spec("a=engine"), parse_spec("b=engine:level=3")]
    assert more_at_once(Plan(concurrency=2), engines).startswith("4 games")
    assert more_at_once(Plan(), [parse_spec("simple"), parse_spec("random")]) == ""


def test_a_clock_limits_the_duration() -> None:
    servers = [parse_spec("a=h:1"), parse_spec("b=h:2,clock=12")]
    line, *_ = forecast(Plan(terms=GameTerms(clock=GameClock(3, 0.1))), servers)
    # 30 moves of 0.2 s and 30 of 0.4 s.
    assert line.startswith("2 games of 2 entrants, 1 at once: up to 36 s,")


@pytest.mark.parametrize(("seconds", "shown"), [(1, "0.033 s"), (10, "0.33 s"), (20, "0.67 s"), (30, "1 s")])
def test_the_time_of_a_move_is_rounded(seconds: float, shown: str) -> None:
    line, *_ = forecast(
        Plan(terms=GameTerms(clock=GameClock(seconds))), [parse_spec("a=h:1"), parse_spec("b=h:2")]
    )
    assert line.endswith(f" and at most {shown} per move.")


def test_a_game_counts_the_moves_of_both_servers() -> None:
    line, *games = forecast(Plan(), [parse_spec("a=h:1"), parse_spec("b=h:2")])
    expected = "up to 2 min, assuming 60 plies per game and at most 1 s per move."
    assert line == f"2 games of 2 entrants, 1 at once: {expected}"
    assert games == ["game 1: a - b", "game 2: b - a"]


def test_known_move_times_are_not_called_a_maximum() -> None:
    line, *_ = forecast(Plan(), [parse_spec("a=simple"), parse_spec("b=engine:think=2")])
    assert line == "2 games of 2 entrants, 1 at once: about 2 min, assuming 60 plies per game."
