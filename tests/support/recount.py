"""Tables of a tournament, computed from its exported CSV files alone: no module of the project takes part.

Run ``python tests/support/recount.py games.csv unfinished.csv byes.csv`` to see the standings. The rules are
those of docs/tournament.md, *Points and tie-breaks* and *Withdrawals*.
"""

from __future__ import annotations

import csv
import io
import math
import sys
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import Path
from typing import Any

Row = dict[str, str]
#: The tie-breaks in their order, apart from Buchholz, which comes first in a Swiss.
TIE_BREAKS = ("sonneborn_berger", "head_to_head", "won")
#: Most extra games of a tie of a knockout.
MOST_EXTRA = 10
#: Half width of an interval of 95 %, in standard deviations.
WIDTH = 1.959964
#: Endings that are nobody's fault.
BLAMELESS = {"goal", "last_player", "no_moves", "ply_limit", "repetition"}


def read(text: str) -> list[Row]:
    """Return the rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(text)))


class Recount:
    """The tables of a tournament.

    Args:
        games, unfinished, byes: the CSV files of these tables.
        is_round_robin: whether the games of entrants that left early do not count.
        is_swiss: whether Buchholz breaks ties.
    """

    def __init__(
        self, games: str, unfinished: str, byes: str, *, is_round_robin: bool = False, is_swiss: bool = False
    ) -> None:
        self.games, self.byes = read(games), read(byes)
        self.paired = self.games + read(unfinished)
        self.names = list(
            dict.fromkeys(
                [name for game in self.paired for name in game["seats"].split()]
                + [bye["name"] for bye in self.byes]
            )
        )
        left = {name for game in self.paired for name in game.get("left", "").split()}
        self.uncounted = {name for name in left if is_round_robin and not self._has_played_half(name)}
        self.breaks = ("buchholz", *TIE_BREAKS) if is_swiss else TIE_BREAKS
        self.cells: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for game in self.games:
            seats = list(zip(game["seats"].split(), scores_of(game), strict=True))
            for one, points in seats:
                for other, _ in seats:
                    if one != other:
                        self.cells[one, other].append(points)
        self.rows = {name: self._count(name) for name in self.names}
        self._break_ties()

    def _has_played_half(self, name: str) -> bool:
        paired = [game for game in self.paired if name in game["seats"].split()]
        played = [game for game in paired if game["points"] and not is_no_show(game)]
        return 2 * len(played) >= len(paired)

    def _count(self, name: str) -> dict[str, Any]:
        """Return what follows from the games of an entrant."""
        row: dict[str, Any] = dict.fromkeys(
            ("points", "played", "won", "drawn", "lost", "forfeited", "byes", "half_byes"), 0
        )
        sides = {side: [0.0, 0] for side in ("as_first", "as_later")}
        endings: Counter[str] = Counter()
        faults: Counter[str] = Counter()
        for game in self.games:
            seats = game["seats"].split()
            if name not in seats or not self.uncounted.isdisjoint(seats):
                continue
            points = scores_of(game)[seats.index(name)]
            row["points"] += points
            row["played"] += 1
            row[{1.0: "won", 0.5: "drawn", 0.0: "lost"}[points]] += 1
            side = sides["as_first" if seats[0] == name else "as_later"]
            side[0] += points
            side[1] += 1
            endings[game["termination"]] += 1
            if points == 0 and game["termination"] not in BLAMELESS:
                faults[game["termination"]] += 1
        for bye in self.byes:
            if bye["name"] == name:
                row["byes" if float(bye["points"]) == int(bye["games"]) else "half_byes"] += 1
                row["points"] += float(bye["points"])
        row["forfeited"] = faults.total()
        for called, (scored, count) in sides.items():
            row |= {f"{called}.points": scored, f"{called}.played": count}
        row |= {f"terminations.{ending}": count for ending, count in endings.items()}
        row |= {f"faults.{fault}": count for fault, count in faults.items()}
        return row | {"counted": "no" if name in self.uncounted else "yes", "pairs": self._count_pairs(name)}

    def _count_pairs(self, name: str) -> str:
        """Return how often an entrant scored 0, 1, 2, 3 and 4 half points in two games of a pair."""
        pairs: defaultdict[str, list[float]] = defaultdict(list)
        for game in self.games:
            seats, scored = game["seats"].split(), scores_of(game)
            if name in seats and len(seats) == 2 and game.get("pair", "0") != "0" and any(scored):
                pairs[game["pair"]].append(scored[seats.index(name)])
        counts = Counter(round(2 * sum(scored)) for scored in pairs.values() if len(scored) == 2)
        return " ".join(str(counts[points]) for points in range(5)) if counts else ""

    def _break_ties(self) -> None:
        for name, row in self.rows.items():
            byes = [bye for bye in self.byes if bye["name"] == name]
            row["buchholz"] = row["points"] * sum(int(bye["games"]) for bye in byes)
            row["sonneborn_berger"] = row["points"] * sum(float(bye["points"]) for bye in byes)
            for other in self.names:
                scored = self.cells.get((name, other), [])
                if self.uncounted.isdisjoint({name, other}):
                    row["buchholz"] += len(scored) * self.rows[other]["points"]
                    row["sonneborn_berger"] += sum(scored) * self.rows[other]["points"]
            row["head_to_head"] = 0.0
        before = self.breaks[: self.breaks.index("head_to_head")]
        ordered = sorted(self.names, key=lambda name: self._key(name, before))
        for _, tied in groupby(ordered, key=lambda name: self._key(name, before)):
            self._compare([name for name in tied if name not in self.uncounted])
        keys = {name: self._key(name, self.breaks) for name in self.names}
        for name, row in self.rows.items():
            row["rank"] = 1 + sum(key < keys[name] for key in keys.values())

    def _key(self, name: str, breaks: tuple[str, ...]) -> tuple[float, ...]:
        row = self.rows[name]
        return (name in self.uncounted, -row["points"], *(-row[each] for each in breaks))

    def _compare(self, tied: list[str]) -> None:
        """Add up the mean scores between entrants that are equal, if all of them have met."""
        scored = {one: [self.cells.get((one, other), []) for other in tied if other != one] for one in tied}
        if all(each for others in scored.values() for each in others):
            for one, others in scored.items():
                mean = sum(sum(each) / len(each) for each in others)
                self.rows[one]["head_to_head"] = round(mean, 9)

    def openings(self) -> list[tuple[str, int, float]]:
        """Return each opening with its games and the points of those who moved first."""
        found: dict[str, list[float]] = {}
        for game in self.games:
            found.setdefault(game["opening"], []).append(scores_of(game)[0])
        return [(opening, len(points), sum(points)) for opening, points in found.items()]

    def duel(self, name: str) -> dict[str, Any]:
        """Return the facts of a match of two, from the side of an entrant."""
        # Games that both lost by a fault do not count.
        counted = [game for game in self.games if any(scores_of(game))]
        scored = [scores_of(game)[game["seats"].split().index(name)] for game in counted]
        drawn = scored.count(0.5)
        won, lost = scored.count(1.0), scored.count(0.0)
        pairs = self._count_pairs(name) or "0 0 0 0 0"
        return {
            "duel.score.won": won,
            "duel.score.drawn": drawn,
            "duel.score.lost": lost,
            **_find_elo(sum(scored), len(scored)),
            "duel.superiority": (1 + math.erf((won - lost) / math.sqrt(2 * (won + lost)))) / 2
            if won + lost
            else 0.5,
            "duel.pentanomial": pairs,
            **_normalise([int(each) for each in pairs.split()]),
        }

    def places(self, standings: str, games: int) -> dict[str, int]:
        """Return the places in a knockout; entrants that may still win have place 1.

        Args:
            standings: the CSV file of the standings.
            games: number of games of a tie, without extra games.
        """
        return Bracket(self, standings, games).places()


class Bracket:
    """The ties of a knockout; the arguments are those of ``Recount.places``."""

    def __init__(self, recount: Recount, standings: str, games: int) -> None:
        self.cells, self.games = recount.cells, games
        rows = sorted(read(standings), key=lambda row: int(row["number"]))
        self.seeds = [row["name"] for row in rows]
        self.left = {row["name"]: int(row["left.round"]) for row in rows if row.get("left.round")}
        self.paired = Counter(frozenset(game["seats"].split()) for game in recount.paired)
        # A void game has a sentence.
        waiting = [game for game in recount.paired if not game["points"] and not game["sentence"]]
        self.waiting = {frozenset(game["seats"].split()) for game in waiting}

    def places(self) -> dict[str, int]:
        """Return the places."""
        places = dict.fromkeys(self.seeds, 1)
        standing = self._arrange()
        has_semifinals = len(standing) > 2
        while len(standing) > 1:
            met = [self.meet(*standing[at : at + 2]) for at in range(0, len(standing), 2)]
            losers = [loser for _, loser in met]
            standing = [winner for winner, _ in met]
            is_semifinal = len(met) == 2 and has_semifinals
            if not is_semifinal:
                places |= {loser: len(met) + 1 for loser in losers if loser is not None}
            if None in standing:
                break
            if is_semifinal:
                third, fourth = self.meet(*losers)
                places |= {name: place for name, place in ((third, 3), (fourth, 4)) if name is not None}
        return places

    def _arrange(self) -> list[str | None]:
        """Return the entrants in the order of the first stage; None for byes."""
        order = [1]
        while len(order) < len(self.seeds):
            order = [each for seed in order for each in (seed, 2 * len(order) + 1 - seed)]
        return [self.seeds[seed - 1] if seed <= len(self.seeds) else None for seed in order]

    def meet(self, one: str | None, other: str | None) -> tuple[str | None, str | None]:
        """Return the winner and the loser of a tie; twice None if it is open."""
        if one is None or other is None:
            return one or other, None
        better, worse = sorted((one, other), key=self.seeds.index)
        winner = self._decide(better, worse)
        return winner, None if winner is None else worse if winner == better else better

    def _decide(self, better: str, worse: str) -> str | None:
        both = frozenset((better, worse))
        lead, played = sum(self.cells[better, worse]) - sum(self.cells[worse, better]), self.paired[both]
        if played >= self.games and both not in self.waiting:
            if lead:
                return better if lead > 0 else worse
            if played >= self.games + MOST_EXTRA:
                return better
        # After the games, because a tie that was decided stays so.
        stayed = both - self.left.keys()
        if len(stayed) == 2:
            return None
        return next(iter(stayed)) if stayed else worse if self.left[better] < self.left[worse] else better


def _find_elo(points: float, games: int) -> dict[str, float | str]:
    """Return the difference in Elo with Wilson's interval; an open end is empty."""
    if not games:
        return {"duel.elo.difference": 0.0, "duel.elo.low": "", "duel.elo.high": ""}
    z, share = WIDTH, points / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    ends = {
        "difference": share,
        "low": middle - reach if share > 0 else 0.0,
        "high": middle + reach if share < 1 else 1.0,
    }
    return {
        f"duel.elo.{name}": "" if end in {0, 1} else round(400 * math.log10(end / (1 - end)), 1)
        for name, end in ends.items()
    }


def _normalise(pairs: list[int]) -> dict[str, float | str]:
    """Return the difference in normalised Elo with its interval, from the pentanomial counts."""
    names, number = ("value", "low", "high"), sum(pairs)
    if not number:
        return dict(zip((f"duel.normalised_elo.{name}" for name in names), (0.0, "", ""), strict=True))
    mean = sum(count * half / 4 for half, count in enumerate(pairs)) / number
    variance = sum(count * (half / 4 - mean) ** 2 for half, count in enumerate(pairs)) / number
    scale = 800 / math.log(10)
    if not variance:
        found: list[float | str] = [0.0 if mean == 0.5 else "", "", ""]
    else:
        value = (mean - 0.5) / math.sqrt(2 * variance) * scale
        error = WIDTH * scale / math.sqrt(2 * number)
        found = [round(value, 1), round(value - error, 1), round(value + error, 1)]
    return dict(zip((f"duel.normalised_elo.{name}" for name in names), found, strict=True))


def scores_of(game: Row) -> list[float]:
    """Return the points of a game, by seat."""
    return [float(each) for each in game["points"].split()]


def is_no_show(game: Row) -> bool:
    """Return whether a fault ended the game before its first move."""
    return int(game["plies"]) == 0 and game["termination"] not in BLAMELESS


if __name__ == "__main__":
    recount = Recount(*(Path(name).read_text(encoding="utf-8") for name in sys.argv[1:4]))
    for name, row in sorted(recount.rows.items(), key=lambda item: item[1]["rank"]):
        print(row["rank"], name, row["points"], *(row[each] for each in recount.breaks), sep="\t")
