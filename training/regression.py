"""Logistic regression by Newton's method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROUNDS = 20
#: Logits are clipped to this, because the exponential function would overflow.
_MOST = 500.0


def chances(inputs: Floats, weights: Floats) -> Floats:
    """Return the predicted chance of winning for each row of ``inputs``."""
    found: Floats = 1 / (1 + np.exp(-np.clip(inputs @ weights, -_MOST, _MOST)))
    return found


def fit(inputs: Floats, results: Floats, ridge: float | Floats) -> Floats:
    """Return the weights with the least penalised log-loss.

    Args:
        inputs: one row per result.
        results: 1 for a win, 0 for a loss.
        ridge: strength of the ridge penalty, for all weights or for each.
    """
    weights = np.zeros(inputs.shape[1])
    pull = np.broadcast_to(ridge, weights.shape)
    for _ in range(_ROUNDS):
        chance = chances(inputs, weights)
        gradient = inputs.T @ (results - chance) - pull * weights
        hessian = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + np.diag(pull)
        weights += np.linalg.solve(hessian, gradient)
    return weights


def log_loss(inputs: Floats, results: Floats, weights: Floats) -> float:
    """Return the mean log-loss of the predictions of ``weights``."""
    chance = np.clip(chances(inputs, weights), 1e-6, 1 - 1e-6)
    return -float(np.mean(np.log(np.where(results > 0, chance, 1 - chance))))
