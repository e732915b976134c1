"""A plan survives its journal unchanged, and other settings are refused."""

from __future__ import annotations

import json

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.cli import options
from quoridor_net.clocks import GameClock
from quoridor_net.players.spec import parse_spec
from quoridor_net.rules import Jumps
from quoridor_net.tournament.formats import FORMATS, SprtMatch
from quoridor_net.tournament.quoridor.openings import parse_openings, read_balanced_openings
from quoridor_net.tournament.quoridor.plan import MAX_AT_ONCE, MAX_ROUNDS, Plan, PlanError
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.sprt import EloModel, Sprt

OPENINGS = tuple(opening for _, opening in parse_openings(read_balanced_openings(), GameTerms().start())[:3])

seconds = st.floats(0.001, 1e6)
terms = st.builds(
    GameTerms,
    size=st.just(9),
    players=st.sampled_from([2, 4]),
    walls=st.none() | st.integers(0, 100),
    jumps=st.sampled_from(Jumps),
    move_time=st.none() | seconds,
    ply_limit=st.integers(1, 10**6),
    gap=seconds,
    no_show_time=seconds,
    memory_limit=st.none() | st.integers(1, 10**6),
    programs=st.just(0),
    openings=st.sampled_from([(), OPENINGS]),
    seed=st.none() | st.integers(-(10**9), 10**9),
    clock=st.none() | st.builds(GameClock, st.integers(1, 10**6 - 1), st.sampled_from([0.0, 0.25])),
    first_move_time=st.none() | seconds,
    repetition=st.none() | st.integers(2, 9),
).filter(lambda made: not made.openings or (made.walls is None and made.players == 2))
plans = st.builds(
    Plan,
    form=st.sampled_from([*FORMATS]),
    rounds=st.none() | st.integers(1, 100),
    games=st.integers(1, 40_000),
    terms=terms,
    concurrency=st.integers(1, 64),
    sprt=st.none() | st.sampled_from([Sprt(0.0, 5.0), Sprt(-3.0, 3.0, 0.01, 0.1, EloModel.LOGISTIC)]),
    title=st.sampled_from([None, "Class 4b, spring"]),
    rests=st.sampled_from([(), ((1, 2), (3, 1))]),
    apart=st.sampled_from([(), ((1, 2), (2, 3, 4))]),
    helps_late=st.booleans(),
    pairings=st.sampled_from([None, "3: 1-2 5-4"]),
).filter(lambda plan: plan.terms.players == FORMATS[plan.form].players)


@given(plans)
def test_a_plan_is_read_back_as_it_was(plan: Plan) -> None:
    kept = json.loads(json.dumps(plan.settings()))
    assert Plan.of(kept) == plan


@pytest.mark.parametrize(
    "change",
    [
        {"title": ""},
        {"title": "x" * 101},
        {"title": "\x1b[2J"},
        {"title": 4},
        {"size": 4.0},
        {"size": 99},
        {"players": True},
        {"walls": -1},
        {"jumps": "leapfrog"},
        {"move_time": "10"},
        {"move_time": float("nan")},
        {"gap": -1},
        {"ply_limit": 0},
        {"seed": "x"},
        {"repetition": 1},
        {"half_byes": "1-2-3"},
        {"apart": "1"},
        {"apart": 5},
        {"pairings": "1: 1-2 2-3"},
        {"pairings": "1-2"},
        {"clock": "5:00"},
        {"clock": True},
        {"first_move_time": -1},
        {"openings": "e2 e2 e2"},
        {"rounds": 0},
        {"rounds": MAX_ROUNDS + 1},
        {"games": None},
        {"games": MAX_ROUNDS + 1},
        {"concurrency": 0},
        {"concurrency": MAX_AT_ONCE + 1},
        {"elo0": 1, "elo1": None},
    ],
)
def test_settings_of_another_game_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(PlanError, match="not the journal of a Quoridor tournament"):
        Plan.of({**Plan().settings(), **change})  # type: ignore[dict-item]


def test_journals_accept_the_same_values_as_options() -> None:
    assert (options.AT_ONCE.min, options.AT_ONCE.max) == (1, MAX_AT_ONCE)


#: Settings that have a default.
OPTIONAL = {
    *("elo1", "alpha", "beta", "elo_model"),
    *("clock", "first_move_time", "repetition", "title"),
    *("half_byes", "apart", "late_half_byes", "pairings"),
}


def test_missing_settings_are_refused() -> None:
    for name in Plan().settings():
        settings = dict(Plan().settings())
        del settings[name]
        if name not in OPTIONAL:
            with pytest.raises(PlanError):
                Plan.of(settings)


def test_a_test_has_a_format_of_its_own() -> None:
    plan = Plan("swiss", sprt=Sprt(0.0, 5.0), concurrency=3)
    assert isinstance(plan.format, SprtMatch)
    with pytest.raises(ValueError, match="needs exactly 2 entrants, not 3"):
        plan.check([parse_spec("simple")] * 3)


def test_unplayable_plans_are_refused() -> None:
    server, program, simple = map(parse_spec, ("host:1", "qtp:engine", "simple"))
    Plan().check([server, program])
    with pytest.raises(ValueError, match="at least 2 entrants"):
        Plan().check([simple])
    small = evolve(Plan(), terms=GameTerms(size=5))
    small.check([program, simple])
    with pytest.raises(ValueError, match="move servers play on 9x9 with 10 walls"):
        small.check([server, simple])
    four = Plan("four-player", rounds=1, terms=GameTerms(players=4))
    four.check([server, simple, simple, simple])
    with pytest.raises(ValueError, match="qtp:engine speaks the Athens protocol"):
        four.check([program, simple, simple, simple])
