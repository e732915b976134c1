"""Four-player tables balance meetings, seats and rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.tournament.formats import Field, FourPlayer
from tests.support.played_formats import play_format


def first(_seats: tuple[int, ...]) -> tuple[float, ...]:
    return (1.0, 0.0, 0.0, 0.0)


def most_spread(counts: Iterable[int]) -> int:
    """Return the difference between the largest and the smallest number."""
    counts = list(counts)
    return max(counts) - min(counts)


# One seed stands for all, because all seeds have the same schedule (see the next test).
@pytest.mark.parametrize(
    ("entrants", "rounds", "meetings"),
    [
        (4, 48, 0),
        *((entrants, 48, 2) for entrants in range(5, 9)),
        *((entrants, 24, 3) for entrants in (9, 11, 13)),
        *((entrants, 12, 3) for entrants in (14, 19, 32, 63)),
    ],
)
def test_every_prefix_of_the_schedule_is_fair(entrants: int, rounds: int, meetings: int) -> None:
    field = play_format(FourPlayer(rounds), entrants, first)
    assert field.rounds == rounds
    assert len(field.meetings) == rounds * (entrants // 4)
    games = Counter(dict.fromkeys(range(1, entrants + 1), 0))
    met = Counter(dict.fromkeys(combinations(games, 2), 0))
    sat = Counter({(entrant, seat): 0 for entrant in games for seat in range(4)})
    for _, tables in groupby(field.meetings, lambda meeting: meeting.round):
        for seats in (table.seats for table in tables):
            games.update(seats)
            met.update(combinations(sorted(seats), 2))
            sat.update((entrant, seat) for seat, entrant in enumerate(seats))
        assert most_spread(games.values()) <= 1
        assert most_spread(met.values()) <= meetings
        assert all(most_spread(sat[entrant, seat] for seat in range(4)) <= 3 for entrant in games)


@settings(max_examples=10, deadline=None)
@given(st.integers(4, 16), st.integers(1, 6), st.integers(0, 2**32))
def test_a_seed_only_draws_the_places_in_the_schedule(entrants: int, rounds: int, seed: int) -> None:
    one, other = (play_format(FourPlayer(rounds, each), entrants, first).meetings for each in (0, seed))
    lots: dict[int, int] = {}
    for meeting, same in zip(one, other, strict=True):
        for entrant, place in zip(meeting.seats, same.seats, strict=True):
            assert lots.setdefault(entrant, place) == place
    assert len(set(lots.values())) == len(lots)


def test_seeds_differ() -> None:
    assert len({FourPlayer(1, seed).next_round(Field(8)) for seed in range(8)}) > 4


def test_entrants_play_once_in_a_round_and_never_after_leaving() -> None:
    field = play_format(FourPlayer(6), 13, first, withdrawn={3: 2, 7: 4}, joined={13: 3})
    for number in range(1, 7):
        seated = [e for meeting in field.meetings if meeting.round == number for e in meeting.seats]
        assert len(set(seated)) == len(seated) == (8 if number in {2, 4, 5, 6} else 12)
    assert sum(3 in meeting.seats for meeting in field.meetings) <= 1
    assert sum(13 in meeting.seats for meeting in field.meetings) >= 3


def test_the_number_of_remaining_tables_is_known() -> None:
    assert FourPlayer(6).count_unpaired(Field(13)) == len(play_format(FourPlayer(6), 13, first).meetings)
    assert FourPlayer(6).count_unpaired(Field(9, withdrawn={1: 3, 2: 3}, rounds=2)) == 4
    assert FourPlayer(6).count_unpaired(Field(4, withdrawn={1: 3}, rounds=2)) == 0
    assert FourPlayer(6).count_unpaired(Field(4, rounds=6)) == 0


def test_four_player_games_need_four_entrants() -> None:
    with pytest.raises(ValueError, match="at least 4 entrants, not 3"):
        FourPlayer().check(["e"] * 3)
    assert play_format(FourPlayer(4), 4, first, withdrawn={1: 2}).rounds == 1
