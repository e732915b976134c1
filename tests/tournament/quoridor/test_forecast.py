"""The forecast of a tournament: its games and their duration."""

from __future__ import annotations

from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament.quoridor.forecast import forecast
from quoridor_net.tournament.quoridor.plan import Plan


def test_a_test_promises_only_its_maximum_number_of_games() -> None:
    entrants = [parse_spec("new=simple"), parse_spec("old=simple")]
    assert forecast(Plan(games=400, sprt=(0.0, 5.0)), entrants) == [
        "Up to 400 games between new and old, until the test is decided."
    ]


def test_a_game_counts_the_moves_of_both_servers() -> None:
    line, *games = forecast(Plan(), [parse_spec("a=h:1"), parse_spec("b=h:2")])
    expected = "up to 2 min, assuming 60 plies per game and at most 1 s per move."
    assert line == f"2 games of 2 entrants, 1 at once: {expected}"
    assert games == ["game 1: a - b", "game 2: b - a"]


def test_known_move_times_are_not_called_a_maximum() -> None:
    line, *_ = forecast(Plan(), [parse_spec("a=simple"), parse_spec("b=engine:think=2")])
    assert line == "2 games of 2 entrants, 1 at once: about 2 min, assuming 60 plies per game."
