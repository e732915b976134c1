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

import numpy as np
import numpy.typing as npt
from attrs import frozen

Floats = npt.NDArray[np.float64]
#: Numbers in one array of samples at most: what fits a processor's cache is several times as fast.
_LARGEST = 200_000
#: The last step of Newton's method, in natural units, after which the error is some thousandths of that: far
#: below what can be shown, or for samples below what the number of samples leaves open.
_EXACT, _CLOSE = 1e-8, 1e-4


@frozen
class Comparison:
    """What one entrant scored against another one in a game.

    Attributes:
        one: the entrant, from 0.
        other: its opponent, from 0.
        points: of ``one``: 1, ½ or 0.
        moved: 1 when ``one`` had the first move, −1 when ``other`` had it, 0 when a third entrant did.
        block: games of one block, from 0, are drawn together by the bootstrap.
    """

    one: int
    other: int
    points: float
    moved: int
    block: int


class BradleyTerry:
    """Comparisons, sorted and added up as far as they have the same entrants in the same seats.

    Args:
        comparisons: what was played; at least one.
        entrants: number of entrants.
        prior: standard deviation of the prior of each strength and of the first-move advantage, in natural
            units.
    """

    def __init__(self, comparisons: Sequence[Comparison], entrants: int, prior: float) -> None:
        rows = np.array(
            [
                # Whoever has the lower number comes first.
                (one, other, moved, block) if one < other else (other, one, -moved, block)
                for one, other, _, moved, block in map(_fields, comparisons)
            ],
            dtype=np.intp,
        )
        points = np.array([each.points if each.one < each.other else 1 - each.points for each in comparisons])
        keys = (rows[:, 0] * entrants + rows[:, 1]) * 3 + rows[:, 2] + 1
        order = np.argsort(keys, kind="stable")
        self._block = rows[order, 3]
        self._points = points[order]
        _, self._starts = np.unique(keys[order], return_index=True)
        first = rows[order][self._starts]
        self._one, self._other = first[:, 0], first[:, 1]
        self._moved = first[:, 2].astype(np.float64)
        self._entrants = entrants
        self._precision = 1 / prior**2
        # Sums over all comparisons of an entrant: those of lower numbers are sorted already.
        self._ones, self._one_starts = np.unique(self._one, return_index=True)
        self._by_other = np.argsort(self._other, kind="stable")
        self._others, self._other_starts = np.unique(self._other[self._by_other], return_index=True)

    def fit(self, weights: Floats) -> Floats:
        """Return the most likely strengths for each sample, and in the last column the first-move advantage.

        Args:
            weights: how often each block was drawn; those of mirrored blocks, in which every comparison
                ended the other way round, follow.
        """
        return self._maximise(*self._totals(weights), np.zeros(self._entrants + 1), _EXACT)

    def bootstrap(self, mass: Sequence[float], number: int, seed: int, start: Floats) -> Floats:
        """Return what ``fit`` finds for samples with as many blocks as were played, drawn with replacement.

        Args:
            mass: how likely each block is drawn, relative to one that was played: those that were, each 1,
                and the mirrored ones.
            number: number of samples.
            seed: of the random numbers.
            start: strengths to search from; those that ``fit`` found for what was played are near.
        """
        random = np.random.default_rng(seed)
        shares = np.array(mass) / np.sum(mass)
        size = max(1, _LARGEST // len(self._block))
        parts = []
        for begin in range(0, number, size):
            drawn = random.multinomial(len(mass) // 2, shares, size=min(size, number - begin)).astype(float)
            parts.append(self._maximise(*self._totals(drawn), start, _CLOSE))
        return np.concatenate(parts)

    def _totals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return how many games each comparison has in each sample, and the points of its first entrant."""
        blocks = weights.shape[1] // 2
        real, mirrored = weights[:, self._block], weights[:, blocks + self._block]
        games = np.add.reduceat(real + mirrored, self._starts, axis=1)
        points = np.add.reduceat(real * self._points + mirrored * (1 - self._points), self._starts, axis=1)
        return games, points

    def _maximise(self, games: Floats, points: Floats, start: Floats, tolerance: float) -> Floats:
        """Return the most likely strengths, searched from ``start`` until a step is below ``tolerance``."""
        strengths = np.tile(start, (len(games), 1))
        value = self._likelihood(strengths, games, points)
        for _ in range(100):
            expected = 1 / (1 + np.exp(-self._differences(strengths)))
            gradient = self._sums(points - games * expected) - self._precision * strengths
            step = self._solve(games * expected * (1 - expected), gradient)
            # Half the step as long as it leads downhill, which it does only far from the maximum.
            for _ in range(30):
                after = self._likelihood(strengths + step, games, points)
                worse = after < value - 1e-9 * (1 + np.abs(value))
                if not worse.any():
                    break
                step[worse] /= 2
            strengths, value = strengths + step, after
            if np.abs(step).max() < tolerance:
                break
        return strengths

    def _solve(self, weights: Floats, gradient: Floats) -> Floats:
        """Return Newton's step by conjugate gradients, scaled by the diagonal of the matrix."""
        diagonal = self._sums(weights, signed=False) + self._precision
        step = np.zeros_like(gradient)
        residual = gradient.copy()
        scaled = residual / diagonal
        direction = scaled.copy()
        size = (residual * scaled).sum(axis=1, keepdims=True)
        target = 1e-6 * size
        for _ in range(2 * (self._entrants + 1)):
            if (size <= np.maximum(target, 1e-300)).all():
                break
            product = self._sums(weights * self._differences(direction)) + self._precision * direction
            length = size / np.maximum((direction * product).sum(axis=1, keepdims=True), 1e-300)
            step += length * direction
            residual -= length * product
            scaled = residual / diagonal
            before, size = size, (residual * scaled).sum(axis=1, keepdims=True)
            direction = scaled + size / np.maximum(before, 1e-300) * direction
        return step

    def _likelihood(self, strengths: Floats, games: Floats, points: Floats) -> Floats:
        """Return the logarithm of the likelihood of each sample, prior included."""
        differences = self._differences(strengths)
        # The logarithm of 1 + exp(d), several times as fast as by logaddexp.
        softplus = np.maximum(differences, 0) + np.log1p(np.exp(-np.abs(differences)))
        terms = points * differences - games * softplus
        value: Floats = terms.sum(axis=1) - self._precision / 2 * (strengths**2).sum(axis=1)
        return value

    def _differences(self, strengths: Floats) -> Floats:
        """Return by how much the first entrant of each comparison is stronger, the first move included."""
        advantage = strengths[:, -1:] * self._moved
        return strengths.take(self._one, 1) - strengths.take(self._other, 1) + advantage

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


def _fields(each: Comparison) -> tuple[int, int, float, int, int]:
    return each.one, each.other, each.points, each.moved, each.block
