"""The forecast of a tournament: its games and their duration."""

from __future__ import annotations

from quoridor_net.clocks import GameClock
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament.quoridor.forecast import forecast
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.quoridor.terms import GameTerms


def test_a_test_promises_only_its_maximum_number_of_games() -> None:
    entrants = [parse_spec("new=simple"), parse_spec("old=simple")]
    assert forecast(Plan(games=400, sprt=(0.0, 5.0)), entrants) == [
        "Up to 400 games between new and old, until the test is decided."
    ]


def test_a_clock_limits_the_duration() -> None:
    servers = [parse_spec("a=h:1"), parse_spec("b=h:2,clock=12")]
    line, *_ = forecast(Plan(terms=GameTerms(clock=GameClock(3, 0.1))), servers)
    # 30 moves of 0.2 s and 30 of 0.4 s.
    assert line.startswith("2 games of 2 entrants, 1 at once: about 36 s,")


def test_a_game_counts_the_moves_of_both_servers() -> None:
    line, *games = forecast(Plan(), [parse_spec("a=h:1"), parse_spec("b=h:2")])
    assert line.startswith("2 games of 2 entrants, 1 at once: about 2 min, assuming 60 plies per game")
    assert games == ["game 1: a - b", "game 2: b - a"]
