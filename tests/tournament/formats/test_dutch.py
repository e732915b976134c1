"""Rounds are paired by the FIDE (Dutch) System: as in published examples, and as an arbiter would."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.tournament.formats import Bye, Field, Meeting, Swiss
from quoridor_net.tournament.formats.dutch.colours import allot
from quoridor_net.tournament.formats.dutch.player import Player
from quoridor_net.tournament.formats.dutch.round import pair_round
from quoridor_net.tournament.formats.swiss import list_players
from tests.support.dutch_by_hand import Arbiter

#: Examples that bbpPairings publishes.
EXAMPLES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data/dutch_examples.json").read_text()
)["examples"]

#: The points of each result, and of a round without a game.
POINTS = {"1": 1.0, "0": 0.0, "=": 0.5, "+": 1.0, "-": 0.0}

#: Numbers of random events, and of the first one.
EVENTS = [(50, 0), *(pytest.param(500, first, marks=pytest.mark.slow) for first in range(1000, 3000, 500))]


def make_field(example: dict[str, Any]) -> Field:
    """Return the field after the rounds of an example."""
    rows = [text.split() for text in example["history"]]
    meetings = []
    for number in range(1, 1 + max(map(len, rows))):
        for player, row in enumerate(rows, 1):
            word = row[number - 1]
            if word == "Z" or "w" not in word:
                continue
            opponent, result = int(word[: word.index("w")]), word[-1]
            other = rows[opponent - 1][number - 1][-1]
            points = POINTS[result], POINTS[other]
            meetings.append(Meeting(number, (player, opponent), points, is_played=result not in "+-"))
    return Field(len(rows), meetings=meetings, rounds=number)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_published_examples_are_paired_as_expected(example: dict[str, Any]) -> None:
    field = make_field(example)
    rests = tuple((player, field.rounds + 1) for player in example["absent"])
    made = Swiss(example["rounds"], rests=rests).next_round(field)
    assert made is not None
    assert ["{}-{}".format(*seats) for seats in made.games] == example["pairs"]
    assert [*made.byes] == example["byes"]


def play_round(field: Field, form: Swiss, source: random.Random) -> Field:
    """Return the field after another round with random results, some of them without a game."""
    made = form.next_round(field)
    assert made is not None
    number = field.rounds + 1
    meetings = [*field.meetings]
    for seats in made.games:
        is_played = source.random() < 0.95
        results = [(1.0, 0.0), (0.0, 1.0), (0.5, 0.5) if is_played else (0.0, 0.0)]
        meetings.append(Meeting(number, seats, source.choice(results), is_played=is_played))
    byes = [*field.byes, *(Bye(number, entrant) for entrant in made.byes)]
    byes += (Bye(number, entrant, 0.5) for entrant in made.half_byes)
    return Field(
        field.entrants, withdrawn=field.withdrawn, meetings=meetings, byes=tuple(byes), rounds=number
    )


def find_differences(seed: int) -> list[str]:
    """Play a random event, and return the rounds that an arbiter pairs otherwise."""
    source = random.Random(seed)
    entrants = source.randint(3, 8)
    rounds = source.randint(1, entrants if entrants % 2 else entrants - 1)
    rests = [(source.randint(1, entrants), source.randint(1, rounds)) for _ in range(source.randint(0, 3))]
    groups = [tuple(source.sample(range(1, entrants + 1), 2)) for _ in range(source.choice([0, 0, 1, 2]))]
    left = {source.randint(1, entrants): source.randint(2, 5)} if source.random() < 0.3 else {}
    form = Swiss(rounds, seed=seed, rests=tuple(rests), apart=tuple(groups))
    field = Field(entrants, withdrawn=left)
    found = []
    for number in range(1, rounds + 1):
        field = Field(
            entrants,
            withdrawn={entrant: first for entrant, first in left.items() if first <= number},
            meetings=field.meetings,
            byes=field.byes,
            rounds=field.rounds,
        )
        free = [entrant for entrant in field.present if entrant not in form.list_resting(number)]
        players = list_players(field, free, 1, is_last=number == rounds)
        by_hand = Arbiter(
            tuple(sorted(players, key=lambda player: player.rank)), frozenset(form.list_apart())
        ).pair()
        if by_hand is not None:
            paired = pair_round(players, form.list_apart())
            expected = {frozenset(pair) for pair in by_hand[0]}, by_hand[1]
            if (set(map(frozenset, paired.pairs)), {*paired.byes}) != expected:
                found.append(f"round {number} of event {seed}: {paired} instead of {by_hand}")
        field = play_round(field, form, source)
    return found


@pytest.mark.parametrize(("count", "first"), EVENTS)
def test_rounds_are_paired_as_by_an_arbiter_who_tries_all_candidates(count: int, first: int) -> None:
    assert [fault for seed in range(first, first + count) for fault in find_differences(seed)] == []


def test_the_upper_half_meets_the_lower_half_in_the_first_round() -> None:
    assert pair_round(map(Player, range(1, 8))).pairs == ((1, 4), (5, 2), (3, 6))
    assert pair_round(map(Player, range(1, 8)), initial_colour=-1).pairs == ((4, 1), (2, 5), (6, 3))
    assert pair_round(map(Player, range(1, 8))).byes == (7,)
    assert pair_round([]).pairs == ()


@pytest.mark.parametrize(
    ("higher", "lower", "colour"),
    [
        # Both preferences; one preference; the stronger one.
        ((1,), (-1,), -1),
        ((), (1,), 1),
        ((1, -1, 1), (-1, 1), -1),
        ((-1, 1), (1, -1, 1), 1),
        # The wider difference of two topscorers.
        ((1, 1), (1, 1, -1, 1, 1), 1),
        # The last round with different colours.
        ((-1, 1, 1, -1), (1, -1, 1, -1), -1),
        # The higher rank.
        ((-1, 1), (-1, 1), -1),
    ],
)
def test_colours_are_allotted_in_the_order_of_the_rules(
    higher: tuple[int, ...], lower: tuple[int, ...], colour: int
) -> None:
    players = Player(1, 4, higher), Player(2, 2, lower)
    assert allot(*players, 1) == (players if colour > 0 else players[::-1])


def test_colours_are_broken_before_entrants_meet_again() -> None:
    upper = [Player(number, 2, (1, 1), {3: 1, 4: 1}, played=2) for number in (1, 2)]
    lower = [Player(number, 2, (-1, -1), {1: 1, 2: 1}, played=2) for number in (3, 4)]
    assert set(map(frozenset, pair_round([*upper, *lower]).pairs)) == {frozenset((1, 2)), frozenset((3, 4))}


def test_large_fields_are_paired_completely() -> None:
    """Of many players, only near opponents are considered at first."""
    form, field, source = Swiss(9), Field(151), random.Random(1)
    for _ in range(3):
        field = play_round(field, form, source)
    met = [frozenset(meeting.seats) for meeting in field.meetings]
    assert len(met) == len(set(met)) == 3 * 75
