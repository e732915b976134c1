"""The Bradley-Terry model: strengths that explain best who scored what against whom.

With strengths x and a first-move advantage f, all in natural units (400 / ln 10 Elo each), an entrant is
expected to score 1 / (1 + exp(−(x₁ + f − x₂))) against another one when it moves first. A draw counts as half
a win and half a loss: then at the maximum of the likelihood every entrant is expected to score just what it
scored, whatever the draw rate, and no parameter for draws is needed. That a draw varies less than a win and a
loss is left to the bootstrap, which looks at results and not at the model.

A normal prior around zero for each strength keeps those finite that won or lost everything, and makes the
strengths of every connected group add up to zero.

Everything is computed for many samples at once; arrays have one row for each sample. Nothing is as large as
the square of the number of entrants: Newton's method solves its equations by conjugate gradients.

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
#: Numbers in one array of samples at most: what fits a processor's cache is several times as fast.
_LARGEST = 200_000
#: The last step of Newton's method, in natural units, after which the error is a hundredth of that: far below
#: what can be shown, or for samples below what the number of samples leaves open.
_EXACT, _CLOSE = 1e-8, 1e-4
#: By how much the equations of a step are solved: what is left of the square of the error.
_SOLVED = 1e-4


class Comparison(NamedTuple):
    """What one entrant scored against another one in a game.

    Attributes:
        one: the entrant, from 0.
        other: its opponent, of a higher number.
        moved: 1 when ``one`` had the first move, −1 when ``other`` had it, 0 when a third entrant did.
        points: of ``one``: 1, ½ or 0.
    """

    one: int
    other: int
    moved: int
    points: float

    @property
    def mirrored(self) -> Comparison:
        """The same game as if it had ended the other way round."""
        return Comparison(self.one, self.other, self.moved, 1 - self.points)


#: Games that the bootstrap draws together.
Block = tuple[Comparison, ...]


class BradleyTerry:
    """Comparisons, sorted and added up as far as they have the same entrants in the same seats.

    Args:
        blocks: what was or might have been played, each block once; at least one comparison in all.
        entrants: number of entrants.
        prior: standard deviation of the prior of each strength and of the first-move advantage, in natural
            units.
    """

    def __init__(self, blocks: Sequence[Block], entrants: int, prior: float) -> None:
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
        self._precision = 1 / prior**2
        # Sums over all comparisons of an entrant: those of lower numbers are sorted already.
        self._ones, self._one_starts = np.unique(self._one, return_index=True)
        self._by_other = np.argsort(self._other, kind="stable")
        self._others, self._other_starts = np.unique(self._other[self._by_other], return_index=True)

    def fit(self, weights: Sequence[float]) -> Floats:
        """Return the most likely strengths, and in the last place the first-move advantage.

        Args:
            weights: how often each block was played.
        """
        totals = self._totals(np.array([weights], dtype=np.float64))
        best: Floats = self._maximise(*totals, np.zeros(self._entrants + 1), _EXACT)[0]
        return best

    def bootstrap(self, mass: Sequence[float], drawn: int, number: int, seed: int, start: Floats) -> Floats:
        """Return what ``fit`` finds for samples of blocks, drawn with replacement, in a row for each sample.

        Args:
            mass: how likely each block is drawn, relative to the others.
            drawn: blocks in a sample.
            number: number of samples.
            seed: of the random numbers.
            start: strengths to search from; those that ``fit`` found for what was played are near.
        """
        random = np.random.default_rng(seed)
        shares = np.array(mass) / np.sum(mass)
        size = max(1, _LARGEST // len(self._block))
        parts = []
        for begin in range(0, number, size):
            weights = random.multinomial(drawn, shares, size=min(size, number - begin)).astype(np.float64)
            parts.append(self._maximise(*self._totals(weights), start, _CLOSE))
        return np.concatenate(parts)

    def _totals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return how many games each comparison has in each sample, and the points of its first entrant."""
        drawn = weights.take(self._block, 1)
        return (
            np.add.reduceat(drawn, self._starts, axis=1),
            np.add.reduceat(drawn * self._points, self._starts, axis=1),
        )

    def _maximise(self, games: Floats, points: Floats, start: Floats, tolerance: float) -> Floats:
        """Return the most likely strengths, searched from ``start`` until a step is below ``tolerance``."""
        strengths = np.tile(start, (len(games), 1))
        value, expected = self._likelihood(strengths, games, points)
        is_far = bool((np.abs(start) > 1).any())
        for turn in range(100):
            gradient = self._sums(points - games * expected) - self._precision * strengths
            step = self._solve(games * expected * (1 - expected), gradient, tolerance)
            # A step that leads downhill is too long, which happens only far from the maximum. Where it is
            # the first one, zero is a better start: no expected score is near 0 or 1 there. Later, half of
            # the step is tried.
            for _ in range(30):
                after, expected = self._likelihood(strengths + step, games, points)
                worse = after < value - 1e-9 * (1 + np.abs(value))
                if not worse.any():
                    break
                if is_far and turn == 0:
                    step[worse], value[worse] = -strengths[worse], -np.inf
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
        # Of a sample at its maximum only noise is left, for which the others need not go on.
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
        """Return the logarithm of the likelihood of each sample, prior included, and the expected scores."""
        differences = self._differences(strengths)
        exponential = np.exp(-np.abs(differences))
        # The logarithm of 1 + exp(d), several times as fast as by logaddexp.
        softplus = np.maximum(differences, 0) + np.log1p(exponential)
        terms = points * differences - games * softplus
        value: Floats = terms.sum(axis=1) - self._precision / 2 * (strengths**2).sum(axis=1)
        expected: Floats = np.where(differences < 0, exponential, 1) / (1 + exponential)
        return value, expected

    def _differences(self, strengths: Floats) -> Floats:
        """Return by how much the first entrant of each comparison is stronger, the first move included."""
        difference: Floats = strengths.take(self._one, 1) - strengths.take(self._other, 1)
        return difference + strengths[:, -1:] * self._moved

    def _sums(self, values: Floats, *, signed: bool = True) -> Floats:
        """Return the sums of the values of all comparisons over each entrant, and over the first move.

        The second entrant of a comparison and a second player's first move count negatively when ``signed``.
        """
        sums = np.zeros((len(values), self._entrants + 1))
        sums[:, self._ones] = np.add.reduceat(values, self._one_starts, axis=1)
        others = np.add.reduceat(values.take(self._by_other, 1), self._other_starts, axis=1)
        sums[:, self._others] += -others if signed else others
        sums[:, -1] = values @ (self._moved if signed else self._moved**2)
        return sums
