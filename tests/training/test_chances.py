"""Fitting recovers known scales of winning chances."""

from __future__ import annotations

import numpy as np
import pytest

from training.chances import KINDS, PositionKind, fit, play

pytestmark = pytest.mark.compiled("engine")


@pytest.mark.parametrize(("scale", "base"), [(150.0, 0.0), (370.0, -0.96)])
def test_fit_recovers_a_known_scale(scale: float, base: float) -> None:
    source = np.random.default_rng(1)
    scores = source.uniform(-900, 900, 20_000)
    results = (source.random(20_000) < 1 / (1 + np.exp(-base - scores / scale))).astype(np.float64)
    found = fit(scores, results, base != 0)
    assert found == pytest.approx((scale, base), rel=0.05)


@pytest.mark.parametrize("kind", [PositionKind(5, 2), PositionKind(5, 4)], ids=str)
def test_games_give_scores_and_results(kind: PositionKind) -> None:
    scores, results = play(kind, 3, 50, 1)
    assert len(scores) == len(results) > 0
    assert set(results) <= {0.0, 1.0}


def test_all_kinds_of_games_are_measured() -> None:
    assert {kind.players for kind in KINDS} == {2, 4}
