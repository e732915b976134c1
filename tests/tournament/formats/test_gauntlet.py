"""In a gauntlet the first entrant meets each of the others."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.tournament.formats import FORMATS, Gauntlet, RoundRobin, make_format
from tests.support.played_formats import play_format


@given(st.integers(2, 61), st.integers(1, 5), st.integers(0, 3))
def test_all_meet_the_first_entrant(entrants: int, games: int, late: int) -> None:
    joined = {entrants + number: 1 + number for number in range(1, late + 1)}
    field = play_format(Gauntlet(games), entrants + late, lambda _: (0.5, 0.5), joined=joined)
    met = Counter(frozenset(meeting.seats) for meeting in field.meetings)
    assert met == {frozenset((1, other)): games for other in range(2, entrants + late + 1)}
    begun = Counter(meeting.seats for meeting in field.meetings)
    assert all(abs(begun[1, other] - begun[other, 1]) <= 1 for other in range(2, entrants + late + 1))
    pairs = Counter(meeting.pair for meeting in field.meetings if meeting.pair)
    assert set(pairs.values()) <= {2}
    assert len(pairs) == games // 2 * (entrants + late - 1)


@pytest.mark.parametrize(("entrants", "games"), [(2, 1), (2, 4), (6, 1), (7, 1), (6, 3), (7, 4)])
def test_the_first_entrant_moves_first_in_every_second_game(entrants: int, games: int) -> None:
    balance, met = 0, Counter(dict.fromkeys(range(2, entrants + 1), 0))
    for meeting in play_format(Gauntlet(games), entrants, lambda _: (0.5, 0.5)).meetings:
        first, second = meeting.seats
        balance += 1 if first == 1 else -1
        met[first + second - 1] += 1
        assert abs(balance) <= 1
        assert max(met.values()) - min(met.values()) <= 1


@pytest.mark.parametrize("kind", [Gauntlet, RoundRobin])
def test_late_entrants_share_the_first_moves(kind: type[Gauntlet | RoundRobin]) -> None:
    field = play_format(kind(1), 14, lambda _: (0.5, 0.5), joined=dict.fromkeys(range(8, 15), 2))
    balance: Counter[int] = Counter()
    for meeting in field.meetings:
        balance.update({meeting.seats[0]: 1, meeting.seats[1]: -1})
    assert all(abs(each) <= 1 for each in balance.values())


def test_every_name_makes_a_format() -> None:
    for name in FORMATS:
        form = make_format(name, None, 2, 7)
        form.check(["e"] * 8)
        assert form.next_round(play_format(form, 8, lambda seats: (1.0,) + (0.0,) * (len(seats) - 1))) is None
