"""A knockout has a winner, a third place, and seeds 1 and 2 in the final if they always win."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.tournament.formats import Field, Knockout, Meeting
from quoridor_net.tournament.formats.knockout import MOST_EXTRA, seed_order
from tests.support.played_formats import play_format


def by_seed(seats: tuple[int, ...]) -> tuple[float, float]:
    """Return a win of the better seed."""
    return (1.0, 0.0) if seats[0] < seats[1] else (0.0, 1.0)


@pytest.mark.parametrize(
    ("size", "order"), [(1, [1]), (2, [1, 2]), (4, [1, 4, 2, 3]), (8, [1, 8, 4, 5, 2, 7, 3, 6])]
)
def test_seeds_of_a_tie_add_up(size: int, order: list[int]) -> None:
    assert seed_order(size) == order


@given(st.integers(2, 64), st.integers(1, 4))
def test_places_are_those_of_the_seeds_when_the_better_one_wins(entrants: int, games: int) -> None:
    form = Knockout(games)
    field = play_format(form, entrants, by_seed)
    places = form.places(field)
    assert sorted(places) == list(range(1, entrants + 1))
    assert [places[seed] for seed in range(1, min(entrants, 4) + 1)] == [1, 2, 3, 4][:entrants]
    # Better seeds have better or equal places.
    assert all(places[seed] <= places[seed + 1] for seed in range(1, entrants))
    met = Counter(frozenset(meeting.seats) for meeting in field.meetings)
    assert set(met.values()) == {games}
    assert len(met) == entrants - 1 + (entrants > 3)


@settings(deadline=None)
@given(st.integers(2, 64), st.integers(1, 3), st.integers(0, 2**32))
def test_level_ties_get_a_limited_number_of_extra_pairs(entrants: int, games: int, seed: int) -> None:
    chance = random.Random(seed)
    results = [(0.5, 0.5)] * 6 + [(1.0, 0.0), (0.0, 1.0)]
    form = Knockout(games)
    field = play_format(form, entrants, lambda _: chance.choice(results))
    places = form.places(field)
    assert min(places) == 1
    assert len(places) == entrants
    for both in {frozenset(meeting.seats) for meeting in field.meetings}:
        ties = [meeting for meeting in field.meetings if frozenset(meeting.seats) == both]
        assert games <= len(ties) <= games + 2 * MOST_EXTRA
        assert all(one.seats == other.seats[::-1] for one, other in pairwise(ties))
        # All games are in pairs, except the last of an odd number.
        alone = [number for number, meeting in enumerate(ties) if meeting.pair == 0]
        assert alone == ([games - 1] if games % 2 else [])
    pairs = Counter(meeting.pair for meeting in field.meetings if meeting.pair)
    assert set(pairs.values()) <= {2}


def test_the_better_seed_advances_when_nothing_decides() -> None:
    form = Knockout(2)
    field = play_format(form, 4, lambda _: (0.5, 0.5))
    assert form.places(field) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert Counter(frozenset(meeting.seats) for meeting in field.meetings) == {
        frozenset(both): 2 + 2 * MOST_EXTRA for both in ((1, 4), (2, 3), (1, 2), (3, 4))
    }


@given(st.integers(4, 20), st.data())
def test_the_opponent_of_an_entrant_that_leaves_advances(entrants: int, data: st.DataObject) -> None:
    leaving = data.draw(st.dictionaries(st.integers(1, entrants), st.integers(1, 4), max_size=entrants - 1))
    form = Knockout(1)
    field = play_format(form, entrants, by_seed, withdrawn=leaving)
    assert 1 in form.places(field).values()


@settings(deadline=None)
@given(st.integers(2, 20), st.integers(1, 2), st.integers(0, 2**32), st.data())
def test_places_do_not_change_when_entrants_leave_later(
    entrants: int, games: int, seed: int, data: st.DataObject
) -> None:
    chance = random.Random(seed)
    leaving = data.draw(st.dictionaries(st.integers(1, entrants), st.integers(1, 9), max_size=entrants))
    form = Knockout(games)
    results = [(0.5, 0.5), (1.0, 0.0), (0.0, 1.0)]
    field = play_format(form, entrants, lambda _: chance.choice(results), withdrawn=leaving)
    # The places after each round, with the entrants that had left by then.
    places: dict[int, int] = {}
    for rounds in range(field.rounds + 1):
        then = attrs.evolve(
            field,
            meetings=tuple(meeting for meeting in field.meetings if meeting.round <= rounds),
            withdrawn={entrant: first for entrant, first in leaving.items() if first <= rounds + 1},
            rounds=rounds,
        )
        assert places.items() <= form.places(then).items()
        places = dict(form.places(then))
    assert sorted(places) == list(range(1, entrants + 1))
    # The same if all others leave after the end.
    home = attrs.evolve(
        field, withdrawn=dict.fromkeys(range(1, entrants + 1), field.rounds + 2) | dict(field.withdrawn)
    )
    assert form.next_round(home) is None
    assert form.places(home) == places


def test_beaten_entrants_stay_out_when_the_winner_leaves() -> None:
    field = play_format(Knockout(1), 8, by_seed, withdrawn={1: 2})
    first = [meeting.seats for meeting in field.meetings if meeting.round == 1]
    assert (8, 1) in first
    assert not any(8 in meeting.seats for meeting in field.meetings if meeting.round > 1)
    assert Knockout(1).places(field)[4] == 2


def test_a_tie_is_open_until_its_last_game_is_decided() -> None:
    form = Knockout(2)
    running = Field(2, meetings=(Meeting(1, (2, 1), (1.0, 0.0), 1), Meeting(1, (1, 2), None, 1)), rounds=1)
    assert form.places(running) == {}
    # If one entrant leaves a tie, its remaining games are cancelled and the other one advances.
    assert form.places(attrs.evolve(running, withdrawn={2: 2})) == {1: 1, 2: 2}


@given(st.integers(2, 64), st.integers(1, 3))
def test_the_number_of_remaining_games_is_known(entrants: int, games: int) -> None:
    form = Knockout(games)
    field = play_format(form, entrants, by_seed)
    assert form.count_unpaired(Field(entrants)) == len(field.meetings)
    assert form.count_unpaired(field) == 0


def test_nobody_waits_for_games_of_the_last_entrant() -> None:
    alone = Field(3, withdrawn={2: 1, 3: 1})
    assert Knockout(2).next_round(alone) is None
    assert Knockout(2).count_unpaired(alone) == 0


def test_places_are_open_until_they_are_decided() -> None:
    form = Knockout(1)
    assert form.places(Field(8)) == {}
    # Byes go to the best seeds: of five, 4 and 5 have to play.
    made = form.next_round(Field(5))
    assert made is not None
    assert made.games == ((5, 4), (3, 2)) or {frozenset(seats) for seats in made.games} >= {frozenset((4, 5))}
