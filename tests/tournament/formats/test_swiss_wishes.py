"""A Swiss honours requested byes, entrants that must not meet, and pairings that the organiser chose."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.tournament.formats import Bye, Field, Meeting, Swiss
from tests.support.played_formats import play_format
from tests.support.swiss_checker import find_faults

RESULTS = [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]

#: Numbers of random events, and of the first one.
EVENTS = [(120, 0), *(pytest.param(500, first, marks=pytest.mark.slow) for first in range(1000, 3000, 500))]


def play_event(seed: int, *, is_easy: bool) -> list[str]:
    """Play a random event, and return the rules that its pairings break."""
    source = random.Random(seed)
    entrants = source.randint(6, 16)
    firsts = sorted(source.randint(2, 3) for _ in range(source.choice([0, 0, 1, 2])))
    # Late entrants are numbered as they join.
    late = dict(enumerate(firsts, entrants - len(firsts) + 1))
    leaving = source.sample(range(1, entrants - 2), source.choice([0, 0, 1, 2]))
    left = {entrant: source.randint(2, 4) for entrant in leaving}
    groups = [tuple(source.sample(range(1, entrants + 1), 2)) for _ in range(source.randint(0, 2))]
    rests = [(source.randint(1, entrants), source.randint(1, 4)) for _ in range(source.randint(0, 2))]
    if is_easy:
        # So few rounds that everybody has more possible opponents than others, by Dirac's theorem.
        least = entrants - len(late) - len(left) - len(rests)
        rounds = max(1, least // 2 - 2)
    else:
        rounds = source.randint(1, entrants)
        groups.append(tuple(source.sample(range(1, entrants + 1), source.randint(2, entrants))))
    form = Swiss(rounds, seed=seed, rests=tuple(rests), apart=tuple(groups))
    field = play_format(form, entrants, lambda _: source.choice(RESULTS), withdrawn=left, joined=late)
    return find_faults(field, rests, groups, is_easy=is_easy)


@pytest.mark.parametrize("is_easy", [True, False])
@pytest.mark.parametrize(("count", "first"), EVENTS)
def test_pairings_are_legal(count: int, first: int, is_easy: bool) -> None:
    seeds = range(first, first + count)
    broken = {seed: faults for seed in seeds if (faults := play_event(seed, is_easy=is_easy))}
    assert broken == {}


def test_the_checker_finds_what_is_wrong() -> None:
    first = (Meeting(1, (1, 2), (1.0, 0.0)), Meeting(1, (3, 4), (1.0, 0.0)))
    again = (Meeting(2, (2, 1), (1.0, 0.0)), Meeting(2, (3, 5), (1.0, 0.0)))
    field = Field(5, meetings=(*first, *again), byes=(Bye(1, 5), Bye(2, 4, 0.5)), rounds=2)
    assert find_faults(field, [(4, 2)]) == ["{1, 2} meet 2 times"]
    assert find_faults(field, [(4, 2)], [(5, 3, 1)]) == [
        "round 2: {3, 5} must not meet",
        "{1, 2} meet 2 times",
    ]
    assert len(find_faults(field)) == 4
    assert find_faults(field, [(4, 2)], fixed={1: [(1, 3)]}, is_easy=False) == [
        "round 1: chosen pairings are missing"
    ]


def test_a_requested_bye_scores_half_a_point_and_spares_no_later_bye() -> None:
    form = Swiss(3, games=2, rests=((1, 1),))
    made = form.next_round(Field(3))
    assert made is not None
    assert (made.half_byes, made.byes, len(made.games)) == ((1, 1), (), 2)
    meetings = tuple(Meeting(1, seats, (0.5, 0.5), 1) for seats in made.games)
    made = form.next_round(Field(3, meetings=meetings, byes=(Bye(1, 1, 0.5),) * 2, rounds=1))
    assert made is not None
    # All have one point, and nobody has had a bye without asking.
    assert len(made.byes) == 2


@pytest.mark.parametrize("seed", range(8))
def test_among_equals_one_that_has_not_rested_gets_the_bye(seed: int) -> None:
    met = (Meeting(1, (1, 2), (0.5, 0.5)), Meeting(1, (3, 4), (0.5, 0.5)))
    made = Swiss(3, seed=seed).next_round(Field(5, meetings=met, byes=(Bye(1, 5, 0.5),), rounds=1))
    assert made is not None
    assert made.byes not in {(), (5,)}


def test_a_round_in_which_everybody_rests_has_no_games() -> None:
    made = Swiss(2, rests=((1, 1), (2, 1))).next_round(Field(2))
    assert made is not None
    assert (made.games, made.byes, made.half_byes) == ((), (), (1, 2))


def test_entrants_that_may_only_meet_each_other_have_byes() -> None:
    made = Swiss(2, apart=((1, 2, 3),)).next_round(Field(4))
    assert made is not None
    assert (len(made.games), len(made.byes)) == (1, 2)


def test_chosen_pairings_come_first_and_the_others_are_paired_as_usual() -> None:
    field = Field(7, chosen=((7, 2), (1, 5)))
    made = Swiss(3, apart=((1, 5),)).next_round(field)
    assert made is not None
    assert made.games[:2] == ((7, 2), (1, 5))
    assert len(made.games) == 3
    assert len(made.byes) == 1


def test_late_entrants_get_half_a_point_for_each_missed_round() -> None:
    assert Swiss(5, helps_late=True, games=2).half_byes_of_late(Field(4, rounds=2)) == (1, 1, 2, 2)
    assert Swiss(5).half_byes_of_late(Field(4, rounds=2)) == ()


@settings(max_examples=200)
@given(st.integers(2, 9), st.sets(st.frozensets(st.integers(1, 9), min_size=2, max_size=2), max_size=20))
def test_the_least_byes_are_those_of_the_first_round(entrants: int, apart: set[frozenset[int]]) -> None:
    form = Swiss(apart=tuple(tuple(pair) for pair in apart if max(pair) <= entrants))
    made = form.next_round(Field(entrants))
    assert made is not None
    assert form.count_least_byes(entrants) == len(made.byes)
