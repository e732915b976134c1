"""Round robins are complete, concurrent within a round, and fair about the first move."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.tournament import Pairing
from quoridor_net.tournament.formats import RoundRobin
from tests.support.tournament_events import round_robin

entrants = st.integers(2, 64)
games = st.integers(1, 4)


@settings(max_examples=25, deadline=None)
@given(entrants, games)
def test_every_pair_plays_with_seats_alternating(number: int, games: int) -> None:
    schedule = round_robin(number, games)
    assert [pairing.number for pairing in schedule] == list(range(1, len(schedule) + 1))
    seats_of: dict[frozenset[int], list[tuple[int, ...]]] = {}
    for pairing in schedule:
        seats_of.setdefault(frozenset(pairing.seats), []).append(pairing.seats)
    assert seats_of.keys() == set(map(frozenset, combinations(range(1, number + 1), 2)))
    for seats in seats_of.values():
        assert len(seats) == games
        assert all(earlier == later[::-1] for earlier, later in pairwise(seats))


@settings(max_examples=25, deadline=None)
@given(entrants, games)
def test_entrants_play_once_in_a_round(number: int, games: int) -> None:
    by_round: dict[int, list[int]] = {}
    for pairing in round_robin(number, games):
        by_round.setdefault(pairing.round, []).extend(pairing.seats)
    assert len(by_round) == games * (number - 1 + number % 2)
    for seated in by_round.values():
        assert len(seated) == len(set(seated)) == number - number % 2


@pytest.mark.parametrize("number", range(2, 25))
def test_every_prefix_of_the_schedule_is_fair(number: int) -> None:
    field = range(1, number + 1)
    met = Counter({frozenset(pair): 0 for pair in combinations(field, 2)})
    begun, colours = Counter(dict.fromkeys(field, 0)), dict.fromkeys(field, "")
    for _, games in groupby(round_robin(number, 3), lambda pairing: pairing.round):
        for first, second in (pairing.seats for pairing in games):
            met[frozenset((first, second))] += 1
            begun[first] += 1
            colours[first] += "+"
            colours[second] += "-"
        assert max(met.values()) - min(met.values()) <= 1
        assert max(begun.values()) - min(begun.values()) <= 1
        lengths = set(map(len, colours.values()))
        assert max(lengths) - min(lengths) <= 1
        assert all(abs(had.count("+") - had.count("-")) <= 1 for had in colours.values())
    assert not any("+++" in had or "---" in had for had in colours.values())


def test_two_entrants_make_a_match() -> None:
    first, second, third = Pairing(1, 1, (1, 2), 1), Pairing(2, 2, (2, 1), 1), Pairing(3, 3, (1, 2))
    assert round_robin(2, 3) == (first, second, third)


@settings(max_examples=25, deadline=None)
@given(entrants, games)
def test_pairs_are_two_games_of_the_same_two_with_swapped_colours(number: int, games: int) -> None:
    by_pair: dict[int, list[tuple[int, ...]]] = {}
    for pairing in round_robin(number, games):
        by_pair.setdefault(pairing.pair, []).append(pairing.seats)
    assert len(by_pair.pop(0, [])) == games % 2 * number * (number - 1) // 2
    assert all(first == second[::-1] for first, second in by_pair.values())


def test_files_without_a_tournament_are_refused() -> None:
    for number in (0, 1):
        with pytest.raises(ValueError, match=f"at least 2 entrants, not {number}"):
            RoundRobin(1).check(["e"] * number)
    with pytest.raises(ValueError, match="games"):
        RoundRobin(0)
