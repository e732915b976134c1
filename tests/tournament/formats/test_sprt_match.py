"""A match under an SPRT plays pairs until the test is decided, and not many more."""

from __future__ import annotations

import random

import attrs
import pytest

from quoridor_net.tournament.formats import Field, Meeting, SprtMatch
from quoridor_net.tournament.sprt import Decision, Sprt
from tests.support.played_formats import played


def match(games: int = 4000, ahead: int = 2) -> SprtMatch:
    return SprtMatch(Sprt(0, 50), games, ahead)


@pytest.mark.parametrize(("share", "decision"), [(0.8, Decision.ACCEPTED), (0.3, Decision.REJECTED)])
def test_it_ends_with_the_decision(share: float, decision: Decision) -> None:
    chance = random.Random(1)

    def score(seats: tuple[int, ...]) -> tuple[float, float]:
        first_wins = chance.random() < share
        return (1.0, 0.0) if first_wins == (seats[0] == 1) else (0.0, 1.0)

    form = match()
    field = played(form, 2, score)
    assert form.verdict(field).decision is decision
    assert 10 < len(field.meetings) < 400
    # One pair less, and it was open.
    before = Field(2, meetings=field.meetings[:-2], rounds=field.rounds - 1)
    assert form.verdict(before).decision is Decision.RUNNING
    assert all(
        one.seats == other.seats[::-1] and one.pair == other.pair
        for one, other in zip(field.meetings[::2], field.meetings[1::2], strict=True)
    )


def test_it_ends_after_the_last_game_without_one() -> None:
    field = played(match(games=11), 2, lambda _: (0.5, 0.5))
    assert len(field.meetings) == 10


def test_so_many_games_are_played_ahead() -> None:
    form, field = match(ahead=4), Field(2)
    for pairs in range(1, 3):
        made = form.next_round(field)
        assert made is not None
        assert made.pairs == (pairs, pairs)
        meetings = (*field.meetings, *(Meeting(pairs, seats, None, pairs) for seats in made.games))
        field = Field(2, meetings=meetings, rounds=pairs)
    assert form.next_round(field) is None


@pytest.mark.parametrize("ahead", [2, 4, 8])
def test_the_order_in_which_games_end_makes_no_difference(ahead: int) -> None:
    chance = random.Random(3)
    results = [chance.random() < 0.7 for _ in range(400)]
    form = match(ahead=ahead)
    matches = set()
    for seed in range(20):
        order = random.Random(seed)
        meetings: list[Meeting] = []
        rounds = 0
        while True:
            field = Field(2, meetings=tuple(meetings), rounds=rounds)
            if (made := form.next_round(field)) is not None:
                rounds += 1
                meetings += [Meeting(rounds, seats, None, rounds) for seats in made.games]
                continue
            going_on = [number for number, meeting in enumerate(meetings) if meeting.points is None]
            if not going_on:
                break
            number = order.choice(going_on)
            points = (1.0, 0.0) if results[number] == (meetings[number].seats[0] == 1) else (0.0, 1.0)
            meetings[number] = attrs.evolve(meetings[number], points=points)
        matches.add(field.meetings)
        assert form.verdict(field).decision is Decision.ACCEPTED
    assert len(matches) == 1


def test_what_tells_nothing_does_not_count() -> None:
    void = (Meeting(1, (1, 2), (0.0, 0.0), 1), Meeting(1, (2, 1), (0.0, 1.0), 1))
    assert match().verdict(Field(2, meetings=void, rounds=1)).ratio == 0


def test_it_is_for_two() -> None:
    match().check(2)
    with pytest.raises(ValueError, match="between 2 entrants, not 3"):
        match().check(3)
    assert match().next_round(Field(2, withdrawn={1: 1})) is None
