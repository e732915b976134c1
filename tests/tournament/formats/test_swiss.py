"""In a Swiss no two entrants meet twice, colours are balanced, and entrants have at most one bye."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.tournament.formats import Bye, Field, Meeting, Swiss
from quoridor_net.tournament.formats.swiss import usual_rounds
from tests.support.played_formats import play_format

RESULTS = [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]


def simulate(form: Swiss, entrants: int, seed: int, **others: dict[int, int]) -> Field:
    chance = random.Random(seed)
    return play_format(form, entrants, lambda _: chance.choice(RESULTS), **others)


#: Maximum number of entrants of a random tournament. Pairing 64 takes a second.
#: Most first moves more than second moves, or fewer.
MOST_BALANCE = 2

SIZES = [24, pytest.param(64, marks=pytest.mark.slow)]


@st.composite
def events(draw: st.DrawFn, most: int) -> tuple[int, int]:
    """Return numbers of entrants and rounds that always allow pairings without repeated meetings."""
    entrants = draw(st.integers(2, most))
    return entrants, draw(st.integers(1, max(usual_rounds(entrants), entrants // 2)))


@pytest.mark.parametrize("most", SIZES)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_entrants_play_every_round_and_never_meet_twice(data: st.DataObject, seed: int, most: int) -> None:
    entrants, rounds = data.draw(events(most))
    form = Swiss(rounds, seed=seed)
    form.check(["e"] * entrants)
    field = simulate(form, entrants, seed)
    assert field.rounds == rounds
    met = Counter(frozenset(meeting.seats) for meeting in field.meetings)
    assert max(met.values()) == 1
    byes = Counter(bye.entrant for bye in field.byes)
    assert sum(byes.values()) == entrants % 2 * rounds
    assert max(byes.values(), default=0) <= 1
    for number in range(1, rounds + 1):
        present = [e for meeting in field.meetings if meeting.round == number for e in meeting.seats]
        present += [bye.entrant for bye in field.byes if bye.round == number]
        assert sorted(present) == list(range(1, entrants + 1))


@pytest.mark.parametrize("most", SIZES)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_colours_are_balanced(data: st.DataObject, seed: int, most: int) -> None:
    entrants, rounds = data.draw(events(most))
    # Near the maximum number of rounds, few opponents are left.
    rounds = min(rounds, max(usual_rounds(entrants), entrants // 3))
    field = simulate(Swiss(rounds, seed=seed), entrants, seed)
    colours: dict[int, list[int]] = {}
    # In the last round, entrants with more than half of the points may have their colour again (C3).
    for meeting in (each for each in field.meetings if each.round < rounds):
        for entrant, colour in zip(meeting.seats, (1, -1), strict=True):
            colours.setdefault(entrant, []).append(colour)
    assert all(abs(sum(had)) <= MOST_BALANCE for had in colours.values())
    assert not any(
        len(set(row)) == 1 for had in colours.values() for row in zip(had, had[1:], had[2:], strict=False)
    )


def test_a_game_without_players_is_a_bye_without_a_colour() -> None:
    # Of three, 1 won by a forfeit and 2 had the bye: now 3 has it, whatever its points.
    won = Meeting(1, (1, 3), (1.0, 0.0), is_played=False)
    made = Swiss(3).next_round(Field(3, meetings=(won,), byes=(Bye(1, 2),), rounds=1))
    assert made is not None
    assert made.byes == (3,)
    # A game without players gives no colours: entrants with opposite balances are paired.
    both = (Meeting(1, (1, 3), (1.0, 0.0)), Meeting(1, (2, 4), (1.0, 0.0), is_played=False))
    made = Swiss(3).next_round(Field(4, meetings=both, rounds=1))
    assert made is not None
    assert (2, 1) in made.games


def test_entrants_meet_again_before_one_has_a_second_bye() -> None:
    """Both rules cannot be kept if many entrants leave."""
    met = (Meeting(1, (1, 2), (1.0, 0.0)), Meeting(2, (1, 3), (1.0, 0.0)))
    field = Field(3, meetings=met, byes=(Bye(1, 3), Bye(2, 2)), rounds=2)
    made = Swiss(5).next_round(field)
    assert made is not None
    # No two entrants meet again.
    assert made.byes == (1,)
    third = Meeting(3, (2, 3), (1.0, 0.0))
    made = Swiss(5).next_round(evolve(field, meetings=(*met, third), byes=(*field.byes, Bye(3, 1)), rounds=3))
    assert made is not None
    assert len(made.games) == len(made.byes) == 1


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 40), st.integers(0, 2**32))
def test_opponents_have_about_as_many_points(entrants: int, seed: int) -> None:
    """With results by strength, the best two lead and no pairing is between first and last."""
    field = play_format(
        Swiss(seed=seed), entrants, lambda seats: (1.0, 0.0) if seats[0] < seats[1] else (0.0, 1.0)
    )
    points = Counter[int]()
    for meeting in field.meetings:
        assert meeting.points is not None
        points[meeting.seats[meeting.points.index(1.0)]] += 1
    for bye in field.byes:
        points[bye.entrant] += 1
    # The strongest entrant wins all games, and may share the lead with entrants that had byes.
    assert points[1] == field.rounds


def test_a_pairing_of_two_games_is_a_pair_with_both_colours() -> None:
    field = simulate(Swiss(3, games=2), 7, 1)
    by_pair: dict[int, list[tuple[int, ...]]] = {}
    for meeting in field.meetings:
        by_pair.setdefault(meeting.pair, []).append(meeting.seats)
    assert len(by_pair) == 9
    assert all(first == second[::-1] for first, second in by_pair.values())
    # A bye counts as much as two wins.
    assert len(field.byes) == 6


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 20), st.integers(0, 2**32), st.data())
def test_a_swiss_continues_when_entrants_leave_and_join(
    entrants: int, seed: int, data: st.DataObject
) -> None:
    rounds = usual_rounds(entrants)
    leaving = data.draw(
        st.dictionaries(st.integers(1, entrants), st.integers(1, rounds), max_size=entrants - 2)
    )
    field = simulate(
        Swiss(rounds, seed=seed), entrants + 1, seed, withdrawn=leaving, joined={entrants + 1: 2}
    )
    assert field.rounds == rounds
    for meeting in field.meetings:
        assert all(meeting.round < leaving.get(entrant, rounds + 1) for entrant in meeting.seats)
        assert entrants + 1 not in meeting.seats or meeting.round >= 2


@pytest.mark.parametrize("most", SIZES)
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_the_number_of_remaining_games_is_known(data: st.DataObject, most: int) -> None:
    entrants, rounds = data.draw(events(most))
    form = Swiss(rounds, games=2)
    assert form.count_unpaired(Field(entrants)) == len(simulate(form, entrants, 1).meetings)
    assert form.count_unpaired(simulate(form, entrants, 1)) == 0


def test_a_tournament_ends_without_entrants() -> None:
    field = simulate(Swiss(3), 4, 1, withdrawn={1: 2, 2: 2, 3: 2})
    assert field.rounds == 1


def test_entrants_meet_again_only_if_unavoidable() -> None:
    field = simulate(Swiss(3), 2, 1)
    assert [frozenset(meeting.seats) for meeting in field.meetings] == [{1, 2}] * 3
    assert field.meetings[0].seats == field.meetings[1].seats[::-1]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 16), st.data(), st.integers(0, 2**32))
def test_entrants_meet_again_only_in_rounds_that_cannot_be_paired_otherwise(
    entrants: int, data: st.DataObject, seed: int
) -> None:
    most = entrants if entrants % 2 else entrants - 1
    form = Swiss(data.draw(st.integers(entrants // 2, most)), seed=seed)
    form.check(["e"] * entrants)
    field = simulate(form, entrants, seed)
    met, byes = set[frozenset[int]](), Counter[int]()
    for number in range(1, field.rounds + 1):
        pairs = {frozenset(meeting.seats) for meeting in field.meetings if meeting.round == number}
        if met & pairs:
            # No entrant has two byes before all had one.
            fewest = min(byes[each] for each in range(1, entrants + 1))
            resting = [each for each in range(1, entrants + 1) if byes[each] == fewest]
            for bye in resting if entrants % 2 else [0]:
                assert not can_be_paired([each for each in range(1, entrants + 1) if each != bye], met)
        met |= pairs
        byes.update(bye.entrant for bye in field.byes if bye.round == number)


def can_be_paired(entrants: Sequence[int], met: set[frozenset[int]]) -> bool:
    """Return whether each of an even number of entrants can have a new opponent."""
    if not entrants:
        return True
    first, *others = entrants
    return any(
        can_be_paired([each for each in others if each != other], met)
        for other in others
        if frozenset((first, other)) not in met
    )


def test_nine_entrants_play_five_rounds_without_meeting_twice() -> None:
    for seed in range(50):
        form = Swiss(5, seed=seed)
        form.check(["e"] * 9)
        met = [frozenset(meeting.seats) for meeting in simulate(form, 9, seed).meetings]
        assert len(met) == len(set(met)) == 20


@pytest.mark.parametrize(("entrants", "most"), [(2, 1), (3, 3), (5, 5), (8, 7), (9, 9), (64, 63)])
def test_rounds_that_would_make_two_meet_again_are_refused(entrants: int, most: int) -> None:
    Swiss(most).check(["e"] * entrants)
    with pytest.raises(ValueError, match=f"{entrants} entrants can play at most {most} rounds? without"):
        Swiss(most + 1).check(["e"] * entrants)
    with pytest.raises(ValueError, match="at least 2"):
        Swiss().check(["e"] * 1)
