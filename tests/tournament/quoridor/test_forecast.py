"""The forecast of a tournament: its games and their duration."""

from __future__ import annotations

import re

import pytest

from quoridor_net.clocks import GameClock
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament.quoridor.forecast import forecast
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.sprt import EloModel, Sprt


def test_a_test_promises_only_its_maximum_number_of_games() -> None:
    entrants = [parse_spec("new=simple"), parse_spec("old=simple")]
    line = forecast(Plan(games=400, sprt=Sprt(0.0, 5.0)), entrants).summary
    assert line == (
        "Up to 400 games between new and old, until the test is decided: about 400 (12 s) if the difference"
        " is 0 or 5, 400 (12 s) if it is in the middle; times hold if a game takes 60 plies."
    )


def test_a_test_with_distant_hypotheses_is_short() -> None:
    entrants = [parse_spec("engine:think=0.1"), parse_spec("random")]
    plan = Plan(games=400, sprt=Sprt(0.0, 100.0, model=EloModel.LOGISTIC), concurrency=4)
    line = forecast(plan, entrants).summary
    found = re.search(r"about (\d+) .* if the difference is 0 or 100, (\d+) ", line)
    assert found is not None
    assert 40 < int(found[1]) < int(found[2]) < 140


def hint(plan: Plan, *entrants: str) -> str:
    return forecast(plan, [parse_spec(entrant) for entrant in entrants]).hint


@pytest.mark.parametrize(
    ("plan", "entrants", "possible"),
    [
        (Plan(), tuple(f"h{number}:1" for number in range(9)), 4),
        (Plan(concurrency=4), tuple(f"h{number}:1" for number in range(9)), None),
        (Plan(), ("h:1,games=2", "i:1,games=3"), 2),
        (Plan(games=8), ("h:1,games=3", "random"), 3),
        (Plan(), ("h:1,games=3", "random"), 2),
        (Plan(sprt=Sprt(0.0, 5.0), games=100), ("h:1,games=3", "simple"), 3),
        # One server plays all games of a gauntlet.
        (Plan("gauntlet"), ("h:1", "i:1", "j:1"), None),
        (Plan("swiss", rounds=2), ("h:1", "i:1", "j:1", "k:1"), 2),
        # In its first stage.
        (Plan("knockout"), tuple(f"h{number}:1" for number in range(8)), 4),
        (Plan("league"), tuple(f"h{number}:1" for number in range(7)), 3),
        (Plan("league"), ("h:1,games=4", "i:1,games=2", "j:1"), 3),
        (Plan("league"), ("h:1,games=2", "i:1", "simple"), 3),
        (Plan("league"), ("a=engine:level=1", "b=qtp:./b"), 4),
        (Plan("league"), ("h:1", "i:1"), None),
        # Engines share the processors.
        (Plan(games=20), ("a=engine", "b=engine:level=3"), 4),
        (Plan(games=4, concurrency=4), ("a=engine", "b=engine:level=3"), None),
        (Plan(), ("engine", "h:1", "i:1"), None),
        (Plan(), ("simple", "random"), None),
    ],
)
def test_a_hint_says_how_many_games_could_run_at_once(
    plan: Plan, entrants: tuple[str, ...], possible: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quoridor_net.tournament.quoridor.forecast.processors", lambda: 4)
    expected = f"{possible} games could run at once: add --concurrency {possible}."
    assert hint(plan, *entrants) == ("" if possible is None else expected)


def test_a_clock_limits_the_duration() -> None:
    servers = [parse_spec("a=h:1"), parse_spec("b=h:2,clock=12")]
    line = forecast(Plan(terms=GameTerms(clock=GameClock(3, 0.1))), servers).summary
    # 30 moves of 0.2 s and 30 of 0.4 s.
    assert line == (
        "2 games of 2 entrants, 1 at once: about 36 s, if a game takes 60 plies,"
        " and entrants of unknown speed 0.2 s to 0.4 s per move."
    )


@pytest.mark.parametrize(("seconds", "shown"), [(1, "0.033 s"), (10, "0.33 s"), (20, "0.67 s"), (30, "1 s")])
def test_the_time_of_a_move_is_rounded(seconds: float, shown: str) -> None:
    line = forecast(
        Plan(terms=GameTerms(clock=GameClock(seconds))), [parse_spec("a=h:1"), parse_spec("b=h:2")]
    ).summary
    assert line.endswith(f", and entrants of unknown speed {shown} per move.")


def test_a_game_counts_the_moves_of_both_servers() -> None:
    found = forecast(Plan(), [parse_spec("a=h:1"), parse_spec("b=h:2")])
    expected = "about 2 min, if a game takes 60 plies, and entrants of unknown speed 1 s per move."
    assert found.summary == f"2 games of 2 entrants, 1 at once: {expected}"
    assert found.games == ("game 1: a - b", "game 2: b - a")


def test_known_move_times_are_no_guess() -> None:
    found = forecast(Plan(), [parse_spec("a=simple"), parse_spec("b=engine:think=2")])
    assert found.summary == "2 games of 2 entrants, 1 at once: about 2 min, if a game takes 60 plies."


@pytest.mark.parametrize(
    ("engine", "terms", "duration"),
    [
        # It uses its whole limit, without one a second.
        ("engine", GameTerms(move_time=10.0), "5 min"),
        ("engine:level=10", GameTerms(move_time=None), "30 s"),
        ("engine:think=2", GameTerms(move_time=10.0), "60 s"),
        ("engine:think=20", GameTerms(move_time=10.0), "5 min"),
        # It plans for more moves than a typical game has.
        ("engine", GameTerms(move_time=None, clock=GameClock(60.0)), "45 s"),
        ("engine:clock=60+10", GameTerms(move_time=None), "5 min"),
        ("engine:clock=60", GameTerms(move_time=0.5), "13 s"),
        # Weaker levels search few positions.
        ("engine:level=9", GameTerms(move_time=10.0), "2.4 s"),
        ("engine:level=1", GameTerms(move_time=10.0), "0.32 s"),
        ("engine:level=9,depth=30", GameTerms(move_time=10.0), "2.4 s"),
        ("engine:nodes=200000", GameTerms(move_time=10.0), "30 s"),
        ("engine:nodes=200000,depth=3", GameTerms(move_time=None), "30 s"),
        ("engine:nodes=200000", GameTerms(move_time=0.5), "13 s"),
    ],
)
def test_the_engine_takes_the_time_that_it_allots_itself(
    engine: str, terms: GameTerms, duration: str
) -> None:
    found = forecast(Plan(games=1, terms=terms), [parse_spec(engine), parse_spec("simple")])
    assert found.summary == f"1 game of 2 entrants, 1 at once: about {duration}, if a game takes 60 plies."


def test_a_search_by_depth_is_of_unknown_speed() -> None:
    found = forecast(Plan(games=1), [parse_spec("engine:depth=3"), parse_spec("simple")])
    assert found.summary.endswith(", if a game takes 60 plies, and entrants of unknown speed 1 s per move.")


def test_equal_names_are_told_apart() -> None:
    found = forecast(Plan(games=1), [parse_spec("a=h:1"), parse_spec("a=h:2")])
    assert found.games == ("game 1: a - a#2",)
