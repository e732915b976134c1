"""The tables and the progress that the page of a tournament shows."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from quoridor_net.outcome import Result, Termination
from quoridor_net.phrases import Translatable, phrase_of
from quoridor_net.tournament import TournamentEnded, TournamentStarted, TournamentState
from quoridor_net.tournament.columns import (
    Section,
    format_number,
    format_points,
    format_seconds,
    format_share,
)
from quoridor_net.tournament.formats import RoundRobin
from quoridor_net.tournament.results import Results, rate_entrants
from quoridor_net.web.texts import texts_of
from quoridor_net.web.tournament_document import progress, tables
from tests.support.tournament_events import end_game, pair_all, start_game, state_after

NOW = dt.datetime(2026, 5, 4, 12, 0, tzinfo=dt.UTC)
WON = Result(1, Termination.GOAL, "e0 wins.", 17)


def state_with(done: int) -> TournamentState:
    """Return a round robin of four after this many of its six games."""
    games = [event for number in range(1, done + 1) for event in (start_game(number), end_game(number, WON))]
    opened = TournamentStarted("hex", tuple(f"e{number}" for number in range(4)))
    last = [TournamentEnded()] if done == 6 else []
    return state_after([opened, *pair_all(RoundRobin(1), 4), *games, *last])


def test_the_end_is_expected_at_the_pace_of_this_program() -> None:
    # Three games were played before this program resumed the tournament.
    assert progress(state_with(5), 2, 90.0, NOW) == {
        "finished": False,
        "done": 5,
        "total": 6,
        "per_minute": 1.33,
        "expected_end": "2026-05-04T12:00:45+00:00",
    }


@pytest.mark.parametrize(("done", "played", "seconds"), [(5, 0, 90.0), (5, 1, 0.0), (6, 2, 90.0)])
def test_no_end_is_expected_without_a_pace_or_after_it(done: int, played: int, seconds: float) -> None:
    found = progress(state_with(done), played, seconds, NOW)
    assert (found["per_minute"], found["expected_end"]) == (None, None)


@pytest.mark.parametrize("section", Section)
def test_the_page_shows_the_cells_of_the_tables(section: Section) -> None:
    form = RoundRobin(1)
    state = state_with(6)
    results = Results.of(state, form, ratings=rate_entrants(state))
    shown = tables(results)["sheets"][section]["rows"]
    sheet = results.sheet(section)
    assert len(shown) == len(sheet.rows) == 4
    for row, (place, _, cells) in zip(shown, sheet.rows, strict=True):
        assert row["place"] == place
        # Words are phrases, which the page translates.
        assert [cell for cell in row["cells"] if not isinstance(cell, dict)] == [
            cell for cell in cells if not isinstance(cell, Translatable)
        ]


def test_pages_write_decimals_as_their_language_does() -> None:
    decimals = (format_points(2.25), format_seconds(0.875), format_share(0.4375), format_number(-0.5, 2))
    assert [*decimals] == ["2.25", "0.875 s", "43.8%", "-0.50"]
    assert [translate(phrase_of(each)) for each in decimals] == ["2,25", "0,875 s", "43,8 %", "-0,50"]


def translate(phrase: Any) -> str:
    """Return a phrase in German."""
    values = {
        name: value if isinstance(value, str) else translate(value)
        for name, value in phrase["values"].items()
    }
    return texts_of("de")[phrase["code"]].format(**values)
