"""Ratings by maximum likelihood agree with published fits, choix, scipy and closed forms."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import GameResult, Pairing, Ratings, Score, rate
from quoridor_net.tournament.ratings import NATURAL, elo_difference, expected_score
from tests.support.tournament_events import round_robin

#: A prior too wide to have an effect.
NO_PRIOR = 1e5


def game(*seats: int, winner: int | None = 1, pair: int = 0, how: str = "goal") -> GameResult:
    """Return a game that the seat ``winner`` won; drawn when it is None."""
    return Pairing(1, 1, seats, pair), Result(winner, Termination(how if winner else "ply_limit"), "", 9)


def both_ways(wins: list[list[int]]) -> list[GameResult]:
    """Return the games of a table of wins, each with either seat first, so that the first move cancels."""
    return [
        result
        for one, row in enumerate(wins, 1)
        for other, count in enumerate(row, 1)
        for result in [game(one, other, winner=1), game(other, one, winner=2)] * count
    ]


def values(ratings: Ratings) -> list[float]:
    return [rating.elo.value for rating in ratings.entrants]


#: Matches of five tennis players, 2014 to 2018, a row for each winner: A. Agresti, *An Introduction to
#: Categorical Data Analysis*, 3rd edition, table 8.8.
TENNIS = [[0, 9, 14, 9, 4], [6, 0, 5, 5, 7], [3, 0, 0, 2, 2], [2, 1, 4, 0, 4], [3, 2, 2, 3, 0]]


def test_ratings_match_the_tennis_players_of_agresti() -> None:
    """Strengths of section 8.6 above Wawrinka's: Djokovic, Federer, Murray, Nadal, Wawrinka."""
    found = values(rate(5, both_ways(TENNIS), resamples=1, prior=NO_PRIOR))
    natural = [(value - found[-1]) / NATURAL for value in found]
    assert natural == pytest.approx([1.176, 1.136, -0.569, -0.062, 0], abs=0.0006)


def test_ratings_match_the_worked_example_of_wikipedia() -> None:
    """*Bradley–Terry model*: four teams, geometric mean 1."""
    wins = [[0, 2, 0, 1], [3, 0, 5, 0], [0, 3, 0, 1], [4, 0, 3, 0]]
    found = values(rate(4, both_ways(wins), resamples=1, prior=NO_PRIOR))
    assert [math.exp(value / NATURAL) for value in found] == pytest.approx(
        [0.640, 1.043, 0.660, 2.270], abs=0.0006
    )


@pytest.mark.parametrize("prior", [100.0, 600.0])
def test_choix_agrees(prior: float) -> None:
    choix: Any = pytest.importorskip("choix")
    source = random.Random(7)
    wins = [[source.randrange(4) if one != other else 0 for other in range(12)] for one in range(12)]
    data = [
        pair for one, row in enumerate(wins) for other, won in enumerate(row) for pair in [(one, other)] * won
    ]
    # Each game occurs twice; the penalty of choix is alpha times the squares.
    expected = choix.opt_pairwise(12, data * 2, alpha=NATURAL**2 / prior**2 / 2, tol=1e-9)
    found = values(rate(12, both_ways(wins), resamples=1, prior=prior))
    assert [value / NATURAL for value in found] == pytest.approx(list(expected), abs=1e-4)


def likelihood_by_scipy(entrants: int, results: list[GameResult], prior: float) -> list[float]:
    """Return strengths and first-move advantage in Elo, from a general optimiser."""
    optimize: Any = pytest.importorskip("scipy.optimize")

    def cost(strengths: Any) -> float:
        total = float(sum(value**2 for value in strengths)) * NATURAL**2 / prior**2 / 2
        for pairing, result in results:
            for one, other in combinations(range(len(pairing.seats)), 2):
                if result.winner not in {None, one + 1, other + 1}:
                    continue
                difference = strengths[pairing.seats[one] - 1] - strengths[pairing.seats[other] - 1]
                difference += strengths[-1] * (one == 0)
                won = 0.5 if result.winner is None else float(result.winner == one + 1)
                total += won * math.log1p(math.exp(-difference))
                total += (1 - won) * math.log1p(math.exp(difference))
        return total

    found = optimize.minimize(cost, [0.0] * (entrants + 1), method="BFGS", options={"gtol": 1e-7})
    return [NATURAL * float(value) for value in found.x]


@pytest.mark.parametrize("players", [2, 4])
def test_scipy_agrees_with_draws_and_a_first_move(players: int) -> None:
    source = random.Random(players)
    seatings = [tuple(source.sample(range(1, 7), players)) for _ in range(80)]
    results = [game(*seats, winner=source.choice([None, 1, 1, players])) for seats in seatings]
    ratings = rate(6, results, resamples=1)
    expected = likelihood_by_scipy(6, results, 600)
    assert [*values(ratings), ratings.first_move.value] == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(("won", "drawn", "lost"), [(3, 0, 1), (10, 5, 7), (1, 30, 0), (99, 0, 1)])
def test_two_entrants_have_the_difference_of_their_score(won: int, drawn: int, lost: int) -> None:
    results = both_ways([[0, won], [lost, 0]])
    results += [game(1, 2, winner=None), game(2, 1, winner=None)] * drawn
    one, other = values(rate(2, results, resamples=1, prior=NO_PRIOR))
    assert one - other == pytest.approx(Score(won, drawn, lost).elo.value, abs=0.01)
    # With a prior, the surplus over the expected score equals the pull of the prior.
    one, other = values(rate(2, results, resamples=1, prior=300))
    games = len(results)
    excess = games * (Score(won, drawn, lost).share - expected_score(one - other))
    assert excess == pytest.approx(one * NATURAL / 300**2, abs=1e-4)
    assert one == pytest.approx(-other)


def test_the_value_of_the_first_move_between_equals_is_estimated() -> None:
    results = [game(1, 2), game(2, 1)] * 3 + [game(1, 2, winner=2), game(2, 1, winner=2)]
    ratings = rate(2, results, prior=NO_PRIOR)
    assert ratings.first_move.value == pytest.approx(elo_difference(0.75), abs=0.01)
    assert values(ratings) == pytest.approx([0, 0], abs=1e-6)


def test_the_interval_is_close_to_that_of_wilson() -> None:
    results = both_ways([[0, 60], [40, 0]])
    ratings = rate(2, results, resamples=1000)
    wilson = Score(120, 0, 80).elo
    # The mean lies halfway between the two entrants.
    elo = ratings.entrants[0].elo
    assert (2 * elo.low, 2 * elo.high) == pytest.approx((wilson.low, wilson.high), abs=12)
    assert ratings.superiority(1, 2) == pytest.approx(Score(120, 0, 80).superiority, abs=0.01)


def test_pairs_are_drawn_together() -> None:
    """If the first player always wins, every pair is level and nothing is uncertain."""
    paired = [game(*seats, pair=pair) for pair in range(1, 51) for seats in ((1, 2), (2, 1))]
    alone = [game(*seats) for _ in range(50) for seats in ((1, 2), (2, 1))]
    elo = rate(2, paired).entrants[0].elo
    assert (elo.low, elo.high) == pytest.approx((0, 0), abs=1e-6)
    elo = rate(2, alone).entrants[0].elo
    assert elo.low < -5
    assert elo.high > 5


def test_an_entrant_that_won_everything_has_no_upper_bound() -> None:
    ratings = rate(2, [game(1, 2), game(2, 1, winner=2)] * 5)
    winner, loser = (rating.elo for rating in ratings.entrants)
    assert (winner.high, loser.low) == (math.inf, -math.inf)
    # Wilson's bound for ten wins is a difference of 166 Elo; the resamples are as cautious.
    assert 40 < winner.low < 150 < winner.value < 1000
    assert winner.low == pytest.approx(-loser.high)
    superiority = ratings.superiority(1, 2)
    assert superiority is not None
    assert superiority > 0.98


def test_an_unbeaten_entrant_has_no_upper_bound_among_others() -> None:
    # 1 beats all; 2, 3 and 4 beat each other in a cycle; 5 loses to all.
    circle = [game(2, 3), game(3, 4), game(4, 2)]
    results = [game(1, other) for other in (2, 3, 4, 5)] + circle + [game(other, 5) for other in (2, 3, 4)]
    elos = [rating.elo for rating in rate(5, results).entrants]
    assert [elo.high == math.inf for elo in elos] == [True, False, False, False, False]
    assert [elo.low == -math.inf for elo in elos] == [False, False, False, False, True]
    assert elos[0].value > elos[1].value > elos[4].value


def test_a_first_move_that_always_wins_has_an_open_interval() -> None:
    first_move = rate(2, [game(1, 2), game(2, 1)] * 10).first_move
    assert (first_move.high, first_move.value > 300) == (math.inf, True)
    assert first_move.low <= first_move.value


@pytest.mark.parametrize("wins", [[[0, 9], [0, 0]], [[0, 0], [1, 0]], [[0, 4, 4], [0, 0, 4], [0, 0, 0]]])
def test_wins_of_the_stronger_say_nothing_about_the_first_move(wins: list[list[int]]) -> None:
    first_move = rate(len(wins), both_ways(wins)).first_move
    assert (first_move.low, first_move.high) == (-math.inf, math.inf)


def test_only_games_between_rivals_bound_the_value_of_the_first_move() -> None:
    rivals, others = [game(1, 2), game(2, 1)] * 10, both_ways([[0, 0, 9], [0, 0, 9], [0, 0, 0]])
    first_move = rate(3, rivals + others).first_move
    assert (first_move.high, first_move.value > 200) == (math.inf, True)


def test_groups_that_never_met_are_reported() -> None:
    results = [game(1, 4), game(4, 1), game(2, 3), game(3, 2), game(3, 5), game(5, 3)]
    ratings = rate(6, results)
    assert ratings.groups == ((2, 3, 5), (1, 4), (6,))
    assert ratings.superiority(1, 2) is None
    assert ratings.superiority(2, 5) is not None
    idle = ratings.entrants[5]
    assert (idle.elo.low, idle.elo.value, idle.elo.high, idle.games) == (-math.inf, 0, math.inf, 0)
    for group in ratings.groups:
        assert sum(ratings.entrants[entrant - 1].elo.value for entrant in group) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("entrants", [0, 1, 3])
def test_a_score_without_games_is_neutral(entrants: int) -> None:
    ratings = rate(entrants, [])
    assert values(ratings) == [0] * entrants
    assert ratings.groups == tuple((entrant,) for entrant in range(1, entrants + 1))
    assert (ratings.first_move.low, ratings.first_move.high) == (-math.inf, math.inf)


def test_entrants_that_only_draw_are_equal() -> None:
    ratings = rate(3, [game(*seats, winner=None) for seats in ((1, 2), (2, 3), (3, 1))] * 4)
    assert values(ratings) == pytest.approx([0, 0, 0])
    assert ratings.superiority(1, 2) == 0.5
    assert all(math.isfinite(rating.elo.low + rating.elo.high) for rating in ratings.entrants)


def test_games_without_information_do_not_count() -> None:
    void = Pairing(1, 1, (1, 2)), Result(None, Termination.ABORTED, "", 0)
    nobody = Pairing(2, 1, (1, 2)), Result(None, Termination.DISCONNECTED, "", 0)
    results = [game(1, 2), game(2, 1)]
    assert rate(2, [*results, void, nobody]).entrants == rate(2, results).entrants
    assert rate(2, [void, nobody]).entrants[0].games == 0


@pytest.mark.parametrize(("options", "error"), [({"resamples": 0}, "1 sample"), ({"prior": 0.0}, "above 0")])
def test_senseless_options_are_refused(options: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        rate(2, [game(1, 2)], **options)


GAMES = st.integers(2, 7).flatmap(
    lambda number: st.tuples(
        st.just(number),
        st.lists(
            st.tuples(
                st.permutations(range(1, number + 1)),
                st.sampled_from([2, 4]),
                st.sampled_from([1, 2, None]),
                st.integers(0, 4),
            ),
            max_size=25,
        ),
        st.permutations(range(1, number + 1)),
    )
)


@given(GAMES)
@settings(deadline=None)
def test_another_order_of_the_entrants_changes_no_rating(
    drawn: tuple[int, list[tuple[list[int], int, int | None, int]], list[int]],
) -> None:
    number, games, permuted = drawn
    results = [game(*seats[:players], winner=winner, pair=pair) for seats, players, winner, pair in games]
    others = [
        (Pairing(1, 1, tuple(permuted[seat - 1] for seat in pairing.seats), pairing.pair), result)
        for pairing, result in results
    ]
    one, other = rate(number, results, resamples=20), rate(number, others, resamples=20)
    for rating in one.entrants:
        moved = other.entrants[permuted[rating.entrant - 1] - 1]
        assert rating.elo.low <= rating.elo.value <= rating.elo.high
        assert (rating.elo.low, rating.elo.value, rating.elo.high, rating.games) == pytest.approx(
            (moved.elo.low, moved.elo.value, moved.elo.high, moved.games), abs=1e-4
        )
    assert one.first_move.low <= one.first_move.value <= one.first_move.high
    assert sum(values(one)) == pytest.approx(0, abs=1e-4)
    superior, inferior = one.superiority(1, 2), one.superiority(2, 1)
    assert (superior is None) == (inferior is None)
    if superior is not None and inferior is not None:
        assert superior + inferior == pytest.approx(1)
        assert superior == other.superiority(permuted[0], permuted[1])


@given(st.lists(st.sampled_from([1, 2, None]), min_size=30, max_size=30))
@settings(deadline=None)
def test_expected_scores_equal_actual_scores(winners: list[int | None]) -> None:
    results = [
        (pairing, game(1, 2, winner=winner)[1])
        for pairing, winner in zip(round_robin(6, 2), winners, strict=True)
    ]
    ratings = rate(6, results, resamples=1)
    scored = [0.0] * 6
    for pairing, result in results:
        one, other = (ratings.entrants[seat - 1].elo.value for seat in pairing.seats)
        expected = expected_score(one - other + ratings.first_move.value)
        points = 0.5 if result.winner is None else float(result.winner == 1)
        for seat, excess in zip(pairing.seats, (points - expected, expected - points), strict=True):
            scored[seat - 1] += excess
    # The surplus over the expected score equals the pull of the prior.
    pull = [value * NATURAL / 600**2 for value in values(ratings)]
    assert scored == pytest.approx(pull, abs=1e-5)


def test_the_same_seed_gives_the_same_intervals() -> None:
    results = both_ways(TENNIS)
    assert rate(5, results, seed=3) == rate(5, results, seed=3)
    assert rate(5, results, seed=3) != rate(5, results, seed=4)


def test_numpy_is_loaded_only_for_ratings() -> None:
    program = (
        "import sys; from quoridor_net.tournament import rate, standings, Sprt;"
        " assert 'numpy' not in sys.modules; rate(0, []); assert 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
