"""The SPRT agrees with figures of fastchess and with an independent optimiser."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import Decision, EloModel, GameResult, Pairing, Pentanomial, Sprt
from quoridor_net.tournament.sprt import NORMALISED_ELO

NORMALISED, LOGISTIC = EloModel.NORMALISED, EloModel.LOGISTIC

COUNTS = st.tuples(*[st.integers(0, 3000)] * 5)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "ratio"),
    [
        # fastchess, app/tests/sprt_test.cpp; it counts WL and DD separately, here they are added up.
        ((365, 16618, 36029 + 200, 16974, 390), 0, 2, NORMALISED, 2.25),
        ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, NORMALISED, 3.01),
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, LOGISTIC, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, LOGISTIC, -4.98),
        # Printed by fastchess for 78 games: "LLR: 2.96 (100.6%) (-2.94, 2.94) [0.00, 20.00]",
        # github.com/heofthetea/dhbw, semester-5/thunfisch/SPRT.md.
        ((0, 0, 2, 0, 37), 0, 20, NORMALISED, 2.96),
    ],
)
def test_ratios_are_those_of_fastchess(
    counts: tuple[int, ...], elo0: float, elo1: float, model: EloModel, ratio: float
) -> None:
    assert Sprt(elo0, elo1, model=model).ratio(Pentanomial(counts)) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize(
    ("counts", "value", "error", "superiority"),
    [
        # fastchess, app/tests/elo_test.cpp.
        ((34, 54, 31 + 32, 64, 75), 57.94, 28.28, 1.0),
        ((332, 433, 457 + 41, 333, 334), -9.17, 10.96, 0.0505),
        ((7895, 8757, 5485 + 200, 568, 9999), -19.01, 2.65, 0.0),
        # "nElo: 1056.68 +/- 77.10, LOS: 100.00 %", from the same output as above.
        ((0, 0, 2, 0, 37), 1056.68, 77.10, 1.0),
    ],
)
def test_normalised_elo_is_that_of_fastchess(
    counts: tuple[int, ...], value: float, error: float, superiority: float
) -> None:
    results = Pentanomial(counts)
    elo = results.normalised_elo
    assert elo.value == pytest.approx(value, abs=0.005)
    assert (elo.high - elo.value, elo.value - elo.low) == pytest.approx((error, error), abs=0.005)
    assert results.superiority == pytest.approx(superiority, abs=5e-5)


def best_likelihood(counts: tuple[int, ...], elo: float, model: EloModel) -> float:
    """Maximise the likelihood under the condition by a general optimiser."""
    optimize: Any = pytest.importorskip("scipy.optimize")
    values = [0, 0.25, 0.5, 0.75, 1]
    pairs = sum(counts)

    def condition(shares: Any) -> float:
        mean = sum(value * share for value, share in zip(values, shares, strict=True))
        if model is LOGISTIC:
            return float(mean - 1 / (1 + 10 ** (-elo / 400)))
        variance = sum((value - mean) ** 2 * share for value, share in zip(values, shares, strict=True))
        # A game's variance is twice that of the mean of a pair.
        return float(mean - 0.5 - elo * math.log(10) / 800 * math.sqrt(2 * variance))

    found = optimize.minimize(
        lambda shares: -sum(n * math.log(share) for n, share in zip(counts, shares, strict=True)) / pairs,
        [count / pairs for count in counts],
        method="SLSQP",
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": condition},
            {"type": "eq", "fun": lambda shares: sum(shares) - 1},
        ],
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    assert abs(condition(found.x)) < 1e-7
    return float(-found.fun * pairs)


@pytest.mark.parametrize("model", EloModel)
@pytest.mark.parametrize(
    ("counts", "elo0", "elo1"),
    [
        ((10, 60, 100, 80, 20), 0, 10),
        ((10, 60, 100, 80, 20), -30, 60),
        ((3, 8, 11, 20, 15), 0, 150),
        ((90, 15, 200, 25, 60), -50, 5),
        ((1, 2, 3, 4, 5), -5, 5),
    ],
)
def test_ratios_agree_with_an_independent_optimiser(
    counts: tuple[int, ...], elo0: float, elo1: float, model: EloModel
) -> None:
    zero, one = (best_likelihood(counts, elo, model) for elo in (elo0, elo1))
    assert Sprt(elo0, elo1, model=model).ratio(Pentanomial(counts)) == pytest.approx(one - zero, abs=1e-4)


def test_bounds_are_those_of_wald() -> None:
    test = Sprt(0, 5)
    # ±2.94, as in every test of fishtest.
    assert test.upper == -test.lower == pytest.approx(math.log(19)) == pytest.approx(2.94, abs=0.005)
    uneven = Sprt(0, 5, alpha=0.01, beta=0.2)
    assert uneven.lower == pytest.approx(math.log(0.2 / 0.99))
    assert uneven.upper == pytest.approx(math.log(0.8 / 0.01))


def test_the_ratio_decides() -> None:
    test = Sprt(0, 20)
    assert test.judge(Pentanomial((0, 0, 2, 0, 37))).decision is Decision.ACCEPTED
    assert test.judge(Pentanomial((0, 0, 2, 0, 36))).decision is Decision.RUNNING
    assert test.judge(Pentanomial((37, 0, 2, 0, 0))).decision is Decision.REJECTED
    start = test.judge(Pentanomial())
    assert (start.ratio, start.decision) == (0, Decision.RUNNING)


# A binomial with 5 % is above the second number in less than one of 100 series.
@pytest.mark.parametrize(("matches", "most"), [(40, 6), pytest.param(150, 15, marks=pytest.mark.slow)])
def test_errors_are_as_rare_as_they_should_be(matches: int, most: int) -> None:
    """Between equal sides, with [0, 60], about one match in twenty is accepted, and all end."""
    source = random.Random(18)
    test = Sprt(0, 60)
    decisions = []
    for _ in range(matches):
        counts = [0] * 5
        decision = Decision.RUNNING
        while decision is Decision.RUNNING and sum(counts) < 2000:
            counts[source.choices(range(5), (1, 4, 6, 4, 1))[0]] += 1
            decision = test.judge(Pentanomial(tuple(counts))).decision
        decisions.append(decision)
    assert Decision.RUNNING not in decisions
    assert decisions.count(Decision.ACCEPTED) <= most


@given(COUNTS, st.floats(-100, 100), st.floats(1, 100), st.sampled_from(EloModel))
def test_swapped_sides_with_mirrored_hypotheses_swap_the_sign(
    counts: tuple[int, ...], elo0: float, distance: float, model: EloModel
) -> None:
    ratio = Sprt(elo0, elo0 + distance, model=model).ratio(Pentanomial(counts))
    mirrored = Sprt(-elo0 - distance, -elo0, model=model).ratio(Pentanomial(counts[::-1]))
    assert mirrored == pytest.approx(-ratio, rel=1e-5, abs=1e-4)
    assert math.isfinite(ratio)
    here, there = Pentanomial(counts), Pentanomial(counts[::-1])
    assert here.normalised_elo.value == pytest.approx(-there.normalised_elo.value)
    assert here.superiority == pytest.approx(1 - there.superiority)
    assert here.normalised_elo.low <= here.normalised_elo.value <= here.normalised_elo.high


@given(COUNTS, st.integers(2, 5))
def test_more_of_the_same_moves_the_ratio_in_proportion(counts: tuple[int, ...], times: int) -> None:
    counts = tuple(count + 1 for count in counts)
    test = Sprt(-3, 12)
    once = test.ratio(Pentanomial(counts))
    assert test.ratio(Pentanomial(tuple(times * count for count in counts))) == pytest.approx(
        times * once, rel=1e-6, abs=1e-5
    )


def test_pairs_are_read_from_results() -> None:
    def game(number: int, pair: int, seats: tuple[int, int], winner: int | None, how: str) -> GameResult:
        return Pairing(number, 1, seats, pair), Result(winner, Termination(how), "", 9)

    results = [
        game(1, 1, (1, 2), 1, "goal"),
        game(2, 1, (2, 1), 2, "goal"),
        game(3, 2, (1, 2), 1, "goal"),
        game(4, 2, (2, 1), None, "ply_limit"),
        game(5, 3, (1, 2), 2, "too_slow"),
        # The second game of the third pair has not ended; no pair; void; lost by both; of others.
        game(7, 0, (1, 2), 1, "goal"),
        game(8, 4, (1, 2), None, "aborted"),
        game(9, 4, (2, 1), 1, "goal"),
        game(10, 5, (1, 2), None, "disconnected"),
        game(11, 5, (2, 1), 1, "goal"),
        game(12, 6, (3, 2), 1, "goal"),
        game(13, 6, (2, 3), 1, "goal"),
    ]
    assert Pentanomial.of(results, 1) == Pentanomial((0, 0, 0, 1, 1))
    assert Pentanomial.of(results, 2) == Pentanomial((1, 1, 1, 0, 0))
    assert Pentanomial.of(results, 1).share == 3.5 / 4


def test_results_without_variance_have_infinite_intervals() -> None:
    won, level, none = Pentanomial((0, 0, 0, 0, 9)), Pentanomial((0, 0, 9, 0, 0)), Pentanomial()
    assert won.normalised_elo.value == math.inf
    assert (won.superiority, level.superiority, none.superiority) == (1, 0.5, 0.5)
    for results in (level, none):
        elo = results.normalised_elo
        assert (elo.low, elo.value, elo.high) == (-math.inf, 0, math.inf)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"elo0": 5, "elo1": 5}, "must be below the second"),
        ({"elo0": math.nan, "elo1": 5}, "must be below the second"),
        ({"elo0": 0, "elo1": math.inf}, "must be below the second"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "error rates"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.5, "beta": 0.5}, "error rates"),
        ({"elo0": 0, "elo1": 250}, "within ±200"),
    ],
)
def test_senseless_tests_are_refused(arguments: dict[str, float], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Sprt(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("counts", [(1, 2, 3), (1, 2, 3, 4, -5)])
def test_senseless_counts_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="5 counts"):
        Pentanomial(counts)


@pytest.mark.parametrize("elo", [0.0, 5.0, 10.0, 20.0])
def test_the_expected_length_is_that_of_a_random_walk(elo: float) -> None:
    """Each pair adds (high - low) * (x - middle), with x normal, to the ratio."""
    test = Sprt(0.0, 20.0, alpha=0.1, beta=0.05)
    scale = math.sqrt(2) / NORMALISED_ELO
    source, lengths = random.Random(7), []
    for _ in range(200):
        ratio, length = 0.0, 0
        while test.lower < ratio < test.upper:
            length += 1
            ratio += 20 * scale * (source.gauss(elo * scale, 1) - 10 * scale)
        lengths.append(length)
    assert test.expected_pairs(elo) == pytest.approx(sum(lengths) / len(lengths), rel=0.15)
