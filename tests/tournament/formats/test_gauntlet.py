"""In a gauntlet the first entrant meets each of the others."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.tournament.formats import FORMATS, Gauntlet, make_format
from tests.support.played_formats import played


@given(st.integers(2, 61), st.integers(1, 5), st.integers(0, 3))
def test_everybody_meets_the_first(entrants: int, games: int, late: int) -> None:
    joined = {entrants + number: 1 + number for number in range(1, late + 1)}
    field = played(Gauntlet(games), entrants + late, lambda _: (0.5, 0.5), joined=joined)
    met = Counter(frozenset(meeting.seats) for meeting in field.meetings)
    assert met == {frozenset((1, other)): games for other in range(2, entrants + late + 1)}
    begun = Counter(meeting.seats for meeting in field.meetings)
    assert all(abs(begun[1, other] - begun[other, 1]) <= 1 for other in range(2, entrants + late + 1))
    pairs = Counter(meeting.pair for meeting in field.meetings if meeting.pair)
    assert set(pairs.values()) <= {2}
    assert len(pairs) == games // 2 * (entrants + late - 1)


def test_every_name_makes_a_format() -> None:
    for name in FORMATS:
        form = make_format(name, None, 2, 7)
        form.check(8)
        assert form.next_round(played(form, 8, lambda seats: (1.0,) + (0.0,) * (len(seats) - 1))) is None
