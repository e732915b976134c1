"""The Bradley-Terry model: the strengths that explain the scores between entrants best.

With strengths x and a first-move advantage f, in natural units (400 / ln 10 Elo each), an entrant that moves
first is expected to score 1 / (1 + exp(−(x₁ + f − x₂))). A draw counts as half a win and half a loss: then at
the maximum of the likelihood, the expected score of every entrant equals its actual score, whatever the draw
rate, and draws need no parameter. The bootstrap, which uses results and not the model, accounts for the
smaller variance of draws.

A normal prior around zero keeps the strengths of entrants that won or lost everything finite, and makes the
strengths of every connected group add up to zero. Priors with means of their own place strengths on a scale,
and a narrow prior fixes a strength.

All samples are computed at once; arrays have one row for each sample. No array grows with the square of the
number of entrants, because Newton's method solves its equations by conjugate gradients.

Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", 1952; D. R. Hunter, "MM
algorithms for generalized Bradley-Terry models", 2004 (first-move advantage); B. Efron, "Bootstrap methods:
another look at the jackknife", 1979.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
#: Maximum size of an array of samples; arrays that fit a processor's cache are several times as fast.
_LARGEST = 200_000
#: Step of Newton's method below which it ends, in natural units; the error is then a hundredth of that. The
#: first is far below display precision, the second, for samples, below the sampling error.
_EXACT, _CLOSE = 1e-8, 1e-4
#: Fraction of the squared error that remains when the equations of a step count as solved.
_SOLVED = 1e-4


class Comparison(NamedTuple):
    """The score of one entrant against another one in a game.

    Attributes:
        one: the entrant, from 0.
        other: its opponent, with a higher number.
        moved: 1 if ``one`` had the first move, −1 if ``other`` had it, 0 if a third entrant had it.
        points: of ``one``: 1, ½ or 0.
    """

    one: int
    other: int
    moved: int
    points: float

    @property
    def mirrored(self) -> Comparison:
        """The same game with the opposite result."""
        return Comparison(self.one, self.other, self.moved, 1 - self.points)


#: Games that the bootstrap draws together.
Block = tuple[Comparison, ...]


class BradleyTerry:
    """Comparisons, sorted and added up over games with the same entrants in the same seats.

    Args:
        blocks: played blocks and their counterparts, each once; at least one comparison in all.
        entrants: number of entrants.
        prior: standard deviation of the prior of each strength and of the first-move advantage, in natural
            units; one for all, or one for each.
        means: of the priors, in natural units; None for zero.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        entrants: int,
        prior: float | Sequence[float],
        means: Sequence[float] | None = None,
    ) -> None:
        rows: Floats = np.array([(*each, index) for index, block in enumerate(blocks) for each in block])
        keys = (rows[:, 0] * entrants + rows[:, 1]) * 3 + rows[:, 2] + 1
        order = np.argsort(keys, kind="stable")
        rows = rows[order]
        self._points = rows[:, 3]
        self._block = rows[:, 4].astype(np.intp)
        _, self._starts = np.unique(keys[order], return_index=True)
        first = rows[self._starts]
        self._one, self._other = first[:, :2].astype(np.intp).T
        self._moved: Floats = first[:, 2]
        self._entrants = entrants
        self._precision: Floats = np.broadcast_to(1 / np.square(prior), entrants + 1)
        self._means: Floats = np.zeros(entrants + 1) if means is None else np.array(means, dtype=np.float64)
        # For sums over the comparisons of an entrant; they are already sorted by the first entrant.
        self._ones, self._one_starts = np.unique(self._one, return_index=True)
        self._by_other = np.argsort(self._other, kind="stable")
        self._others, self._other_starts = np.unique(self._other[self._by_other], return_index=True)

    def fit(self, weights: Sequence[float]) -> Floats:
        """Return the most likely strengths, followed by the first-move advantage.

        Args:
            weights: number of times that each block was played.
        """
        totals = self._totals(np.array([weights], dtype=np.float64))
        best: Floats = self._maximise(*totals, self._means, _EXACT)[0]
        return best

    def bootstrap(self, mass: Sequence[float], drawn: int, number: int, seed: int, start: Floats) -> Floats:
        """Return the result of ``fit`` for samples of blocks drawn with replacement, one row for each sample.

        Args:
            mass: relative probability of drawing each block.
            drawn: number of blocks in a sample.
            number: number of samples.
            seed: of the random numbers.
            start: strengths to start from, such as those that ``fit`` found for the actual games.
        """
        random = np.random.default_rng(seed)
        shares = np.array(mass) / np.sum(mass)
        size = max(1, _LARGEST // len(self._block))
        parts = []
        for begin in range(0, number, size):
            weights = random.multinomial(drawn, shares, size=min(size, number - begin)).astype(np.float64)
            parts.append(self._maximise(*self._totals(weights), start, _CLOSE))
        return np.concatenate(parts)

    def draw(
        self, weights: Sequence[float], strengths: Floats, number: int, seed: int
    ) -> tuple[Floats, Floats]:
        """Return the standard errors of the most likely strengths, and samples, one in each row.

        The samples follow the normal distribution with the curvature of the likelihood at its maximum,
        including the priors.
        """
        games, _ = self._totals(np.array([weights], dtype=np.float64))
        _, expected = self._likelihood(strengths[np.newaxis], games, games)
        curvature = np.diag(self._precision.astype(np.float64))
        parts = [
            (self._one, 1.0),
            (self._other, -1.0),
            (np.full_like(self._one, self._entrants), self._moved),
        ]
        weight = (games * expected * (1 - expected))[0]
        for row, sign in parts:
            for column, other in parts:
                np.add.at(curvature, (row, column), weight * sign * other)
        covariance = np.linalg.inv(curvature)
        errors: Floats = np.sqrt(np.diag(covariance))
        if not number:
            return errors, np.empty((0, len(strengths)))
        random = np.random.default_rng(seed)
        roots = np.linalg.cholesky(covariance + 1e-12 * np.eye(len(covariance)))
        samples: Floats = strengths + random.standard_normal((number, len(strengths))) @ roots.T
        return errors, samples

    def _totals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the games of each comparison in each sample, and the points of its first entrant."""
        drawn = weights.take(self._block, 1)
        return (
            np.add.reduceat(drawn, self._starts, axis=1),
            np.add.reduceat(drawn * self._points, self._starts, axis=1),
        )

    def _maximise(self, games: Floats, points: Floats, start: Floats, tolerance: float) -> Floats:
        """Return the most likely strengths, starting from ``start``, until a step is below ``tolerance``."""
        strengths = np.tile(start, (len(games), 1))
        value, expected = self._likelihood(strengths, games, points)
        is_far = bool((np.abs(start - self._means) > 1).any())
        for turn in range(100):
            gradient = self._sums(points - games * expected) - self._precision * (strengths - self._means)
            step = self._solve(games * expected * (1 - expected), gradient, tolerance)
            # A step that leads downhill is too long, which happens only far from the maximum. If it is the
            # first step, restart from the priors, where no expected score is near 0 or 1; later, halve it.
            for _ in range(30):
                after, expected = self._likelihood(strengths + step, games, points)
                worse = after < value - 1e-9 * (1 + np.abs(value))
                if not worse.any():
                    break
                if is_far and turn == 0:
                    step[worse], value[worse] = self._means - strengths[worse], -np.inf
                else:
                    step[worse] /= 2
            strengths, value = strengths + step, after
            if np.abs(step).max() < tolerance:
                break
        return strengths

    def _solve(self, weights: Floats, gradient: Floats, tolerance: float) -> Floats:
        """Return Newton's step by conjugate gradients, scaled by the diagonal of the matrix."""
        diagonal = self._sums(weights, signed=False) + self._precision
        step = np.zeros_like(gradient)
        residual = gradient.copy()
        scaled = residual / diagonal
        direction = scaled.copy()
        size = (residual * scaled).sum(axis=1, keepdims=True)
        # The second bound stops samples at their maximum, where only noise is left.
        target = np.maximum(_SOLVED * size, (_SOLVED * tolerance) ** 2)
        for _ in range(2 * (self._entrants + 1)):
            if (size <= target).all():
                break
            product = self._sums(weights * self._differences(direction)) + self._precision * direction
            length = size / np.maximum((direction * product).sum(axis=1, keepdims=True), 1e-300)
            step += length * direction
            residual -= length * product
            scaled = residual / diagonal
            before, size = size, (residual * scaled).sum(axis=1, keepdims=True)
            direction = scaled + size / np.maximum(before, 1e-300) * direction
        return step

    def _likelihood(self, strengths: Floats, games: Floats, points: Floats) -> tuple[Floats, Floats]:
        """Return the log-likelihood of each sample, including the prior, and the expected scores."""
        differences = self._differences(strengths)
        exponential = np.exp(-np.abs(differences))
        # log(1 + exp(d)), several times as fast as logaddexp.
        softplus = np.maximum(differences, 0) + np.log1p(exponential)
        terms = points * differences - games * softplus
        value: Floats = terms.sum(axis=1) - (self._precision / 2 * (strengths - self._means) ** 2).sum(axis=1)
        expected: Floats = np.where(differences < 0, exponential, 1) / (1 + exponential)
        return value, expected

    def _differences(self, strengths: Floats) -> Floats:
        """Return the lead in strength of the first entrant of each comparison, including the first move."""
        difference: Floats = strengths.take(self._one, 1) - strengths.take(self._other, 1)
        return difference + strengths[:, -1:] * self._moved

    def _sums(self, values: Floats, *, signed: bool = True) -> Floats:
        """Return the sums of the values of all comparisons for each entrant, and for the first move.

        If ``signed``, the second entrant of a comparison and its first move count negatively.
        """
        sums = np.zeros((len(values), self._entrants + 1))
        sums[:, self._ones] = np.add.reduceat(values, self._one_starts, axis=1)
        others = np.add.reduceat(values.take(self._by_other, 1), self._other_starts, axis=1)
        sums[:, self._others] += -others if signed else others
        sums[:, -1] = values @ (self._moved if signed else self._moved**2)
        return sums
