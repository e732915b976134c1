"""Games of four: meetings and seats are shared out evenly, and rests too."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.tournament.formats import Field, FourPlayer
from tests.support.played_formats import played


def first(_seats: tuple[int, ...]) -> tuple[float, ...]:
    return (1.0, 0.0, 0.0, 0.0)


@settings(max_examples=15, deadline=None)
@given(st.integers(4, 64), st.integers(1, 12), st.integers(0, 2**32))
def test_games_seats_and_meetings_are_shared_out_evenly(entrants: int, rounds: int, seed: int) -> None:
    field = played(FourPlayer(rounds, seed), entrants, first)
    assert field.rounds == rounds
    assert len(field.meetings) == rounds * (entrants // 4)
    everybody = range(1, entrants + 1)
    games = Counter(entrant for meeting in field.meetings for entrant in meeting.seats)
    counts = [games[entrant] for entrant in everybody]
    assert max(counts) - min(counts) <= 1
    sat = Counter((entrant, seat) for m in field.meetings for seat, entrant in enumerate(m.seats))
    for entrant in everybody:
        seats = [sat[entrant, seat] for seat in range(4)]
        assert max(seats) - min(seats) <= 3
    met = Counter(frozenset(two) for m in field.meetings for two in combinations(m.seats, 2))
    fair = sum(met.values()) / (entrants * (entrants - 1) / 2)
    assert max(met.values()) <= fair + 3


@pytest.mark.parametrize("entrants", [4, 5, 6, 8])
def test_few_meet_as_often_as_each_other(entrants: int) -> None:
    field = played(FourPlayer(12), entrants, first)
    met = Counter(frozenset(two) for m in field.meetings for two in combinations(m.seats, 2))
    counts = [met[frozenset(two)] for two in combinations(range(1, entrants + 1), 2)]
    assert max(counts) - min(counts) <= 2


def test_nobody_plays_twice_in_a_round_or_after_leaving() -> None:
    field = played(FourPlayer(6), 13, first, withdrawn={3: 2, 7: 4}, joined={13: 3})
    for number in range(1, 7):
        seated = [e for meeting in field.meetings if meeting.round == number for e in meeting.seats]
        assert len(set(seated)) == len(seated) == (8 if number in {2, 4, 5, 6} else 12)
    assert sum(3 in meeting.seats for meeting in field.meetings) <= 1
    assert sum(13 in meeting.seats for meeting in field.meetings) >= 3


def test_the_tables_to_come_are_known() -> None:
    assert FourPlayer(6).unpaired(Field(13)) == len(played(FourPlayer(6), 13, first).meetings)
    assert FourPlayer(6).unpaired(Field(9, withdrawn={1: 3, 2: 3}, rounds=2)) == 4
    assert FourPlayer(6).unpaired(Field(4, withdrawn={1: 3}, rounds=2)) == 0
    assert FourPlayer(6).unpaired(Field(4, rounds=6)) == 0


def test_it_needs_four() -> None:
    with pytest.raises(ValueError, match="at least 4 entrants, not 3"):
        FourPlayer().check(3)
    assert played(FourPlayer(4), 4, first, withdrawn={1: 2}).rounds == 1
