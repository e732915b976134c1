"""Adam: gradient descent with a separate rate for each weight (Kingma and Ba, 2015)."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Real = TypeVar("Real", np.float32, np.float64)

#: Decay rates of the mean gradient and of its mean square.
_KEEP, _KEEP_SQUARE = 0.9, 0.999
_LEAST_ROOT = 1e-8


class Adam(Generic[Real]):
    """An optimizer that changes arrays of weights in place.

    Args:
        weights: arrays by name.
        decay: weight decay per step, relative to the weight and times the rate.
    """

    def __init__(self, weights: dict[str, NDArray[Real]], decay: float = 0.0) -> None:
        self._weights: dict[str, NDArray[Real]] = weights
        self._decay = decay
        self._means: dict[str, NDArray[Real]] = {}
        self._squares: dict[str, NDArray[Real]] = {}
        for name, values in weights.items():
            self._means[name], self._squares[name] = np.zeros_like(values), np.zeros_like(values)
        self._steps = 0

    def step(self, gradients: dict[str, NDArray[Real]], rate: float) -> None:
        """Take a step against the gradients, given by the names of the weights."""
        self._steps += 1
        for name, gradient in gradients.items():
            mean, square, weights = self._means[name], self._squares[name], self._weights[name]
            mean += (1 - _KEEP) * (gradient - mean)
            square += (1 - _KEEP_SQUARE) * (gradient**2 - square)
            corrected = mean / (1 - _KEEP**self._steps)
            root = np.sqrt(square / (1 - _KEEP_SQUARE**self._steps)) + _LEAST_ROOT
            weights -= rate * (corrected / root + self._decay * weights)
