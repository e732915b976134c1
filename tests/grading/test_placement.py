"""A placement finds the rating of a program, says how sure it is, and ends in time."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from quoridor_net.grading.placement import FEWEST_GAMES, PROGRAM, Placement, PlacementMatch, place
from quoridor_net.players.ladder import LADDER, Rung, level_at
from quoridor_net.tournament.formats import Field, Meeting
from quoridor_net.tournament.ratings import expected_score

SIMPLE = next(rung for rung in LADDER if rung.name == "simple")


def play(score: Callable[[Rung], float], games: int = 200) -> tuple[Placement, list[Meeting]]:
    """Play a match in which ``score`` gives the points against each opponent."""
    match, meetings, rounds = PlacementMatch(games), list[Meeting](), 0
    while (made := match.next_round(Field(1 + len(LADDER), meetings=meetings, rounds=rounds))) is not None:
        rounds += 1
        for seats, pair in zip(made.games, made.pairs, strict=True):
            (opponent,) = (match.opponent(entrant) for entrant in seats if entrant != PROGRAM)
            points = score(opponent)
            mine = tuple(points if entrant == PROGRAM else 1 - points for entrant in seats)
            meetings.append(Meeting(rounds, seats, mine, pair))
    scores = match.scores(Field(1 + len(LADDER), meetings=meetings))
    return place(scores), meetings


def chance(elo: float, seed: int) -> Callable[[Rung], float]:
    source = random.Random(seed)
    return lambda rung: float(source.random() < expected_score(elo - rung.elo))


@pytest.mark.parametrize("elo", [-1000, -400, 300, 1400, 2100])
def test_interval_contains_the_true_level_nearly_always(elo: int) -> None:
    inside = 0
    for seed in range(8):
        placement, _ = play(chance(elo, seed))
        assert placement.is_known
        assert placement.low <= placement.level <= placement.high
        assert placement.level - placement.low <= 0.5
        assert placement.high - placement.level <= 0.5
        inside += placement.low - 1e-9 <= level_at(elo) <= placement.high + 1e-9
    assert inside >= 6


def test_each_pair_has_one_opponent_and_both_colours() -> None:
    _, meetings = play(chance(300, 1))
    for first, second in zip(meetings[::2], meetings[1::2], strict=True):
        assert first.pair == second.pair
        assert first.seats == second.seats[::-1]
        assert PROGRAM in first.seats


def test_the_first_opponent_is_the_same_for_all_and_later_ones_follow_the_results() -> None:
    for score, last in ((1.0, "level 10"), (0.0, "random")):
        _, meetings = play(lambda _, score=score: score)  # type: ignore[misc]
        match = PlacementMatch(200)
        opponents = [match.opponent(max(meeting.seats)) for meeting in meetings]
        assert opponents[0] == SIMPLE
        assert opponents[-1].name == last


def test_a_program_that_wins_or_loses_everything_is_placed_soon() -> None:
    best, _ = play(lambda _: 1.0)
    worst, _ = play(lambda _: 0.0)
    assert FEWEST_GAMES <= best.games <= 30
    assert FEWEST_GAMES <= worst.games <= 12
    assert best.high == 10.0
    assert best.level > 9.5
    assert worst.level < 0.5
    assert worst.low == 0.0


def test_number_of_games_is_limited_and_even() -> None:
    placement, _ = play(chance(700, 1), games=11)
    assert placement.games == 10
    assert not placement.is_known


def test_a_draw_is_half_a_win_and_half_a_loss() -> None:
    drawn = place([(SIMPLE, 0.5), (SIMPLE, 0.5)])
    shared = place([(SIMPLE, 1.0), (SIMPLE, 0.0)])
    assert drawn == shared
    assert drawn.elo == pytest.approx(SIMPLE.elo, abs=20)


def test_games_without_a_result_do_not_count() -> None:
    match = PlacementMatch(20)
    seats = (PROGRAM, PROGRAM + 1)
    meetings = [Meeting(1, seats, None, 1), Meeting(1, seats[::-1], (0.0, 0.0), 1)]
    assert match.scores(Field(13, meetings=meetings)) == []
