"""Ratings of a tournament, computed from its exported CSV files alone: no module of the project takes part.

Run ``python tests/support/recount_ratings.py games.csv`` to see the ratings. The rules are those of
docs/tournament.md, *Elo*, and of docs/league.md, *Ratings*. Nothing here is fast: every matrix is full, and
every sample of the bootstrap is fitted on its own.
"""

from __future__ import annotations

import csv
import io
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

Row = dict[str, str]
#: A score between two in the order of their seats, whether the one had the first move, and its points.
Score = tuple[str, str, bool, float]

#: Elo for each natural unit, standard deviation of strengths, and of those of references and new versions.
UNIT = 400 / math.log(10)
PRIOR, EXACT, DOUBT = 600.0, 0.1, 200.0
#: Rating of a new entrant of a league with references.
NEWCOMER = 400.0
#: Half width of an interval of 95 %, in standard deviations.
WIDTH = 1.959964
#: The place of the first move among the strengths.
FIRST = ""


def read(text: str) -> list[Row]:
    """Return the rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(text)))


def compare(game: Row) -> list[Score]:
    """Return the scores between the entrants of a game: the winner beats all others, or all draw."""
    seats, points = game["seats"].split(), [float(each) for each in game["points"].split()]
    return [
        (one, other, seat == 0, (1 + points[seat] - points[later]) / 2)
        for seat, one in enumerate(seats)
        for later, other in enumerate(seats[seat + 1 :], seat + 1)
        if points[seat] or points[later]
    ]


class Model:
    """The most likely strengths.

    Args:
        names: of the entrants.
        deviations, means: of the normal priors, in Elo, by name; 600 and 0 unless given.
    """

    def __init__(
        self,
        names: list[str],
        deviations: dict[str, float] | None = None,
        means: dict[str, float] | None = None,
    ) -> None:
        self.names = [*names, FIRST]
        self.at = {name: place for place, name in enumerate(self.names)}
        self.precision = [(UNIT / (deviations or {}).get(name, PRIOR)) ** 2 for name in self.names]
        self.means = [(means or {}).get(name, 0.0) / UNIT for name in self.names]
        self.found = [*self.means]
        self.inverse: list[list[float]] = []

    def fit(self, scores: Mapping[Score, float]) -> dict[str, float]:
        """Return the strengths, and the value of the first move, in Elo; scores have weights."""
        self.found = [*self.means]
        value = self._value(scores, self.found)
        for _ in range(200):
            gradient, self.inverse = self._bend(scores)
            step = [sum(a * b for a, b in zip(row, gradient, strict=True)) for row in self.inverse]
            while True:
                there = [a + b for a, b in zip(self.found, step, strict=True)]
                after = self._value(scores, there)
                if after >= value - 1e-9 * abs(value):
                    break
                step = [each / 2 for each in step]
            self.found, value = there, after
            if max(map(abs, step)) < 1e-9:
                break
        _, self.inverse = self._bend(scores)
        return {name: UNIT * each for name, each in zip(self.names, self.found, strict=True)}

    def errors(self) -> dict[str, float]:
        """Return the standard errors of the last strengths, in Elo."""
        return {name: UNIT * math.sqrt(self.inverse[at][at]) for name, at in self.at.items()}

    def _lead(self, at: list[float], score: Score) -> float:
        one, other, moved, _ = score
        return at[self.at[one]] - at[self.at[other]] + moved * at[-1]

    def _value(self, scores: Mapping[Score, float], at: list[float]) -> float:
        """Return the logarithm of the likelihood."""
        total = 0.0
        for score, weight in scores.items():
            lead = self._lead(at, score)
            # Of log(1 + exp(lead)), without overflow.
            total += weight * (score[3] * lead - max(lead, 0.0) - math.log1p(math.exp(-abs(lead))))
        return total - sum(
            precision * (each - mean) ** 2 / 2
            for precision, each, mean in zip(self.precision, at, self.means, strict=True)
        )

    def _bend(self, scores: Mapping[Score, float]) -> tuple[list[float], list[list[float]]]:
        """Return the gradient, and the inverse of the curvature."""
        size = len(self.names)
        gradient = [
            precision * (mean - each)
            for precision, each, mean in zip(self.precision, self.found, self.means, strict=True)
        ]
        curvature = [[self.precision[row] * (row == column) for column in range(size)] for row in range(size)]
        for score, weight in scores.items():
            one, other, moved, points = score
            expected = 1 / (1 + math.exp(-self._lead(self.found, score)))
            signs = {self.at[one]: 1, self.at[other]: -1, size - 1: int(moved)}
            for row, sign in signs.items():
                gradient[row] += weight * sign * (points - expected)
                for column, beside in signs.items():
                    curvature[row][column] += weight * sign * beside * expected * (1 - expected)
        return gradient, invert(curvature)


def invert(matrix: list[list[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(column == at) for column in range(size))] for at, row in enumerate(matrix)]
    for pivot in range(size):
        scale = rows[pivot][pivot]
        rows[pivot] = [each / scale for each in rows[pivot]]
        for at, row in enumerate(rows):
            if at != pivot and row[pivot]:
                factor = row[pivot]
                rows[at] = [a - factor * b for a, b in zip(row, rows[pivot], strict=True)]
    return [row[size:] for row in rows]


class Ratings:
    """The strengths relative to each other, from the games of a tournament.

    Args:
        games: the CSV file.
        names: of all entrants.
        samples: number of samples of the bootstrap.
    """

    def __init__(self, games: str, names: list[str], samples: int = 0) -> None:
        self.names = names
        blocks: defaultdict[str, list[Score]] = defaultdict(list)
        self.rated: Counter[str] = Counter()
        for game in read(games):
            scores = compare(game)
            if scores:
                self.rated.update(game["seats"].split())
                pair = game["pair"]
                blocks[f"pair {pair}" if pair != "0" else game["number"]] += scores
        self.blocks = [*blocks.values()]
        everything = [score for block in self.blocks for score in block]
        self.edges: defaultdict[str, set[str]] = defaultdict(set)
        for one, other, _, points in everything:
            if points > 0:
                self.edges[one].add(other)
            if points < 1:
                self.edges[other].add(one)
        self._reach = {name: self._find_reach(name) for name in names}
        model = Model(names)
        self.elo = model.fit(Counter(everything))
        self.samples = [model.fit(each) for each in self._draw(samples)]

    def _find_reach(self, name: str) -> set[str]:
        """Return the entrants that an entrant scored against, directly or through others."""
        found, todo = {name}, [name]
        while todo:
            fresh = self.edges[todo.pop()] - found
            found |= fresh
            todo += fresh
        return found

    def _equals(self, name: str) -> set[str]:
        """Return the entrants that points connect with this one in both directions."""
        return {other for other in self._reach[name] if name in self._reach[other]}

    def is_open_below(self, name: str) -> bool:
        """Return whether no result bounds a strength from below."""
        equals = self._equals(name)
        takes = any(self.edges[one] - equals for one in equals)
        return not (takes or self._is_whole(equals))

    def is_open_above(self, name: str) -> bool:
        """Return whether no result bounds a strength from above."""
        equals = self._equals(name)
        gives = any(self.edges[other] & equals for other in set(self.names) - equals)
        return not (gives or self._is_whole(equals))

    def _is_whole(self, equals: set[str]) -> bool:
        """Return whether entrants have points only from each other, and of each other."""
        others = set(self.names) - equals
        apart = not any(self.edges[one] - equals for one in equals)
        return len(equals) > 1 and apart and not any(self.edges[other] & equals for other in others)

    def groups(self) -> list[set[str]]:
        """Return the entrants that games connect."""
        found: list[set[str]] = []
        for name in self.names:
            group = {name} | self.edges[name] | {other for other in self.names if name in self.edges[other]}
            joined = [each for each in found if each & group]
            found = [each for each in found if each not in joined] + [group.union(*joined)]
        return found

    def _draw(self, number: int) -> list[Mapping[Score, float]]:
        """Return samples of blocks, drawn with replacement.

        Where points went one way only, blocks with the opposite result are drawn, too.
        """
        one_way = [
            {name for one, other, _, _ in block for name in (one, other) if other not in self._equals(one)}
            for block in self.blocks
        ]
        count = Counter(name for names in one_way for name in names)
        bags, weights = [*self.blocks], [1.0] * len(self.blocks)
        for block, names in zip(self.blocks, one_way, strict=True):
            if names:
                bags.append([(one, other, moved, 1 - points) for one, other, moved, points in block])
                weights.append(1 / max(count[name] for name in names))
        source = random.Random(7)
        return [
            Counter(score for block in source.choices(bags, weights, k=len(self.blocks)) for score in block)
            for _ in range(number if self.blocks else 0)
        ]

    def interval(self, name: str) -> tuple[float, float]:
        """Return the interval of a strength."""
        values = sorted(sample[name] for sample in self.samples)
        low, high = values[round(0.025 * (len(values) - 1))], values[round(0.975 * (len(values) - 1))]
        return (
            -math.inf if self.is_open_below(name) else min(low, self.elo[name]),
            math.inf if self.is_open_above(name) else max(high, self.elo[name]),
        )

    def superiority(self, one: str, other: str) -> float:
        """Return the likelihood that an entrant is stronger than another one."""
        leads = [sample[one] - sample[other] for sample in self.samples]
        return sum(0.5 if abs(lead) <= 0.001 else float(lead > 0) for lead in leads) / len(leads)


class Leaderboard:
    """The leaderboard of a league.

    Args:
        games, standings, versions: the CSV files.
        window: number of last games of an entrant that count.
    """

    def __init__(self, games: str, standings: str, versions: str, window: int) -> None:
        self.rows = read(standings)
        renewed: defaultdict[str, list[Row]] = defaultdict(list)
        for row in read(versions):
            renewed[row["name"]].append(row)
        fixed = {row["name"]: float(row["elo.value"]) for row in self.rows if row["reference"] == "yes"}
        starts = {
            name: float(rows[-1]["elo"])
            for name, rows in renewed.items()
            if name not in fixed and rows[-1]["elo"]
        }
        played: defaultdict[str, list[int]] = defaultdict(list)
        listed = read(games)
        for game in listed:
            for name in game["seats"].split():
                played[name].append(int(game["number"]))
        scores: Counter[Score] = Counter()
        self.rated: Counter[str] = Counter()
        known = [row["name"] for row in self.rows]
        for game in listed:
            number, seats = int(game["number"]), game["seats"].split()
            if not any(number in played[name][-window:] for name in seats):
                continue
            # Versions before the current one are entrants of their own.
            called = {}
            for name in seats:
                later = sum(int(row["first_game"]) > number for row in renewed[name])
                called[name] = f"{name} -{later}" if later else name
            for one, other, moved, points in compare(game):
                scores[called[one], called[other], moved, points] += 1
                self.rated.update((called[one], called[other]))
        names = list(dict.fromkeys([*known, *(name for score in scores for name in score[:2])]))
        mean = NEWCOMER if fixed else 0.0
        means = {name: fixed.get(name, starts.get(name, mean)) for name in names}
        deviations = dict.fromkeys(starts, DOUBT) | dict.fromkeys(fixed, EXACT)
        model = Model(names, deviations, means)
        self.elo = model.fit(scores)
        errors = model.errors()
        self.elo |= fixed
        self.half = {name: 0.0 if name in fixed else WIDTH * errors[name] for name in names}
        ranked = [
            row["name"]
            for row in sorted(self.rows, key=lambda row: int(row["number"]))
            if row["presence"] != "left" and (self.rated[row["name"]] or renewed[row["name"]])
        ]
        ranked.sort(key=lambda name: -self.elo[name])
        self.ranks = {name: place for place, name in enumerate(ranked, 1)}


if __name__ == "__main__":
    games = Path(sys.argv[1]).read_text(encoding="utf-8")
    seated = dict.fromkeys(name for game in read(games) for name in game["seats"].split())
    for name, elo in sorted(Ratings(games, [*seated]).elo.items(), key=lambda item: -item[1]):
        print(name or "first move", f"{elo:.1f}", sep="\t")
