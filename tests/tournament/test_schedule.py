"""Round robins are complete, playable side by side and fair about the first move."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.tournament import Pairing, round_robin, unique_names

entrants = st.integers(2, 31)
games = st.integers(1, 4)


@given(entrants, games)
def test_every_pair_plays_with_seats_alternating(number: int, games: int) -> None:
    schedule = round_robin(number, games)
    assert [pairing.number for pairing in schedule] == list(range(1, len(schedule) + 1))
    for one, other in combinations(range(1, number + 1), 2):
        seats = [pairing.seats for pairing in schedule if set(pairing.seats) == {one, other}]
        assert len(seats) == games
        assert all(earlier == later[::-1] for earlier, later in pairwise(seats))


@given(entrants, games)
def test_nobody_plays_twice_in_a_round(number: int, games: int) -> None:
    by_round: dict[int, list[int]] = {}
    for pairing in round_robin(number, games):
        by_round.setdefault(pairing.round, []).extend(pairing.seats)
    assert len(by_round) == games * (number - 1 + number % 2)
    for seated in by_round.values():
        assert len(seated) == len(set(seated)) == number - number % 2


@given(entrants, games)
def test_first_moves_are_shared_out_evenly(number: int, games: int) -> None:
    begins = Counter(pairing.seats[0] for pairing in round_robin(number, games))
    counts = [begins[entrant] for entrant in range(1, number + 1)]
    assert max(counts) - min(counts) <= games % 2


def test_two_entrants_make_a_match() -> None:
    assert round_robin(2, 3) == (Pairing(1, 1, (1, 2)), Pairing(2, 2, (2, 1)), Pairing(3, 3, (1, 2)))


@pytest.mark.parametrize(("number", "games"), [(1, 1), (0, 1), (2, 0)])
def test_what_is_no_tournament(number: int, games: int) -> None:
    with pytest.raises(ValueError, match="at least"):
        round_robin(number, games)


@pytest.mark.parametrize(
    ("names", "unique"),
    [
        (("bob", "ann"), ("bob", "ann")),
        (("bob", "bob", "bob"), ("bob", "bob#2", "bob#3")),
        (("bob", "bob#2", "bob"), ("bob", "bob#2", "bob#3")),
        (("bob#2", "bob", "bob"), ("bob#2", "bob", "bob#3")),
        ((), ()),
    ],
)
def test_duplicate_names_get_numbers(names: tuple[str, ...], unique: tuple[str, ...]) -> None:
    assert unique_names(names) == unique


@given(st.lists(st.sampled_from(["a", "a#2", "a#3", "a#2#2", "b"])))
def test_unique_names_are_all_different(names: list[str]) -> None:
    unique = unique_names(names)
    assert len(set(unique)) == len(unique) == len(names)
    assert all(own.startswith(name) for own, name in zip(unique, names, strict=True))
