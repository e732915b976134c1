"""Late entrants get all their games, and the cost of pairing them does not grow with earlier games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.tournament.formats import Field, Format, Gauntlet, Meeting, Round, RoundRobin

FORMS = (RoundRobin, Gauntlet)


class Meetings(list[Meeting]):
    """A list of games that counts accesses."""

    looked_at = 0

    def __getitem__(self, index: object) -> object:  # type: ignore[override]
        found = super().__getitem__(index)  # type: ignore[call-overload]
        self.looked_at += len(found) if isinstance(index, slice) else 1
        return found

    def __iter__(self) -> Iterator[Meeting]:
        self.looked_at += len(self)
        return super().__iter__()


def pair_round(form: Format, field: Field, meetings: Meetings) -> tuple[Field, Round | None]:
    """Return the field after the next round, and that round."""
    made = form.next_round(field)
    if made is None:
        return field, None
    games = zip(made.games, made.pairs, strict=True)
    meetings += [Meeting(field.rounds + 1, seats, pair=pair) for seats, pair in games]
    return attrs.evolve(field, rounds=field.rounds + 1), made


@given(
    st.sampled_from(FORMS),
    st.integers(2, 6),
    st.integers(1, 5),
    st.lists(st.integers(0, 12), max_size=3),
    st.dictionaries(st.integers(2, 8), st.integers(0, 12), max_size=2),
)
def test_remembered_and_recounted_totals_pair_alike(
    kind: type[RoundRobin | Gauntlet],
    entrants: int,
    games: int,
    comes: list[int],
    leaves: dict[int, int],
) -> None:
    form, meetings = kind(games), Meetings()
    field = Field(entrants, meetings=meetings, results=[])
    for rounds in range(1000):
        joined = comes.count(rounds)
        late = {field.entrants + number: rounds + 1 for number in range(1, joined + 1)}
        left = {each: rounds + 1 for each, at in leaves.items() if at == rounds and each <= field.entrants}
        field = attrs.evolve(
            field,
            entrants=field.entrants + joined,
            joined={**field.joined, **late},
            withdrawn={**field.withdrawn, **left},
        )
        fresh = kind(games).next_round(attrs.evolve(field, results=None))
        field, made = pair_round(form, field, meetings)
        assert made == fresh
        if made is None:
            break
    met = Counter(frozenset(meeting.seats) for meeting in meetings)
    present = set(range(1, field.entrants + 1)) - field.withdrawn.keys()
    pairs = combinations(sorted(present), 2)
    assert all(met[frozenset(pair)] == games for pair in pairs if kind is RoundRobin or 1 in pair)


@pytest.mark.parametrize("kind", FORMS)
def test_a_late_entrant_costs_as_much_as_its_games(kind: type[RoundRobin | Gauntlet]) -> None:
    form, meetings = kind(500), Meetings()
    field = Field(3, meetings=meetings, results=[])
    made: Round | None = Round((), ())
    while made is not None:
        field, made = pair_round(form, field, meetings)
    field = attrs.evolve(field, entrants=4, joined={4: field.rounds + 1})
    made = Round((), ())
    while made is not None:
        field, made = pair_round(form, field, meetings)
    assert len(meetings) == 500 * (6 if kind is RoundRobin else 3)
    assert meetings.looked_at <= 2 * len(meetings)


def test_the_count_restarts_for_another_tournament() -> None:
    form = RoundRobin(1)
    for _ in range(2):
        meetings = Meetings()
        field = Field(3, joined={3: 1}, meetings=meetings, results=[])
        made: Round | None = Round((), ())
        while made is not None:
            field, made = pair_round(form, field, meetings)
        assert {frozenset(meeting.seats) for meeting in meetings} == {
            *map(frozenset, ((1, 2), (1, 3), (2, 3)))
        }
