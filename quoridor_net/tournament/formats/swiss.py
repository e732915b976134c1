"""The Swiss system: in every round, entrants play opponents with about as many points."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

import attrs
from attrs import frozen
from attrs.validators import ge

from quoridor_net.tournament.formats.base import Field, Format, Round
from quoridor_net.tournament.formats.dutch.matching import make_graph, match
from quoridor_net.tournament.formats.dutch.player import Float, Player
from quoridor_net.tournament.formats.dutch.round import pair_round
from quoridor_net.tournament.requirements import RequirementPhrase
from quoridor_net.tournament.standings import SWISS_TIE_BREAKS


@frozen
class Swiss(Format):
    """A Swiss tournament by the FIDE (Dutch) System (Handbook C.04.3).

    Pairing numbers are the numbers of the entrants. A game without players does not count as a meeting,
    and gives no colours; an entrant that wins all games of a round so has had a bye.

    While every entrant has met at most half of the others, a round without repeated meetings exists (Dirac's
    theorem on Hamiltonian cycles, applied to entrants that have not met). If no pairing keeps the absolute
    criteria, entrants have one colour more often than allowed, or else meet again, before one gets a second
    bye, because a game tells more than a free point.

    Args:
        rounds: number of rounds; None for enough to find one winner, the logarithm of the number of entrants.
        games: number of games of each pairing; with 2, both entrants get both colours. A bye counts as this
            many wins.
        seed: draws the lot for the colour in the first round: the first entrant moves first if it is even.
        rests: entrants and the rounds of their requested byes, with half a point. These do not count as byes.
        apart: groups of entrants that never meet each other. If no other opponents are left, they have byes.
        helps_late: whether late entrants get half a point for each round that they missed.
    """

    rounds: int | None = attrs.field(default=None)
    games: int = attrs.field(default=1, validator=ge(1))
    seed: int = 0
    rests: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, ...], ...] = ()
    helps_late: bool = False
    needs_results = True
    accepts_late = True
    accepts_chosen = True
    awards_unplayed = True
    tie_breaks = SWISS_TIE_BREAKS

    def next_round(self, field: Field) -> Round | None:
        """Return the pairings of the next round by the points so far."""
        present = field.present
        rounds = self.rounds or usual_rounds(field.entrants)
        if field.rounds >= rounds or len(present) < 2:
            return None
        resting = self.list_resting(field.rounds + 1)
        half = tuple(entrant for entrant in present if entrant in resting)
        chosen = [pair for pair in field.chosen if set(pair) <= set(present) - set(half)]
        busy = {*half, *(entrant for pair in chosen for entrant in pair)}
        free = [entrant for entrant in present if entrant not in busy]
        players = list_players(field, free, self.games, is_last=field.rounds == rounds - 1)
        paired = pair_round(players, self.list_apart(), -1 if self.seed % 2 else 1)
        games: list[tuple[int, ...]] = []
        numbers: list[int] = []
        highest = max((meeting.pair for meeting in field.meetings), default=0)
        for first, second in (*chosen, *paired.pairs):
            for game in range(self.games):
                # Two games with swapped colours are a pair.
                is_paired = game ^ 1 < self.games
                highest += is_paired and game % 2 == 0
                games.append((first, second) if game % 2 == 0 else (second, first))
                numbers.append(highest if is_paired else 0)
        return Round(
            tuple(games),
            tuple(numbers),
            tuple(bye for bye in paired.byes for _ in range(self.games)),
            tuple(bye for bye in half for _ in range(self.games)),
        )

    def list_resting(self, number: int) -> tuple[int, ...]:
        """Return the entrants that asked for a bye in round ``number``."""
        return tuple(entrant for entrant, resting in self.rests if resting == number)

    def list_apart(self) -> frozenset[frozenset[int]]:
        """Return the pairs of entrants that never meet, unless the organiser chooses so."""
        return frozenset(frozenset(pair) for group in self.apart for pair in combinations(group, 2))

    def half_byes_of_late(self, field: Field) -> tuple[int, ...]:
        """Return the rounds that give half a point to an entrant that joins now, once for each game."""
        rounds = range(1, field.rounds + 1) if self.helps_late else ()
        return tuple(number for number in rounds for _ in range(self.games))

    def count_unpaired(self, field: Field) -> int:
        """Return the number of games in the remaining rounds."""
        left = (self.rounds or usual_rounds(field.entrants)) - field.rounds
        return max(left, 0) * (len(field.present) // 2) * self.games

    def check(self, names: Sequence[str]) -> None:
        """Refuse a number of rounds that would make two entrants meet twice.

        Raises:
            ValueError: there are too many rounds, fewer than two entrants, or one that may meet nobody.
        """
        super().check(names)
        entrants = len(names)
        # With an odd number, each entrant has one bye.
        most = entrants if entrants % 2 else entrants - 1
        if self.rounds is not None and self.rounds > most:
            raise ValueError(RequirementPhrase.ROUNDS(entrants=entrants, count=most))
        kept = self._count_kept()
        alone = [name for number, name in enumerate(names, 1) if kept[number] >= entrants - 1]
        if alone:
            raise ValueError(RequirementPhrase.APART(name=alone[0]))

    def _count_kept(self) -> Counter[int]:
        """Return the number of others that each entrant never meets."""
        return Counter(entrant for pair in self.list_apart() for entrant in pair)

    def count_least_byes(self, entrants: int) -> int:
        """Return the minimum number of byes in a round that all entrants play."""
        if all(2 * (entrants - 1 - number) >= entrants for number in self._count_kept().values()):
            # By Dirac's theorem.
            return entrants % 2
        apart = self.list_apart()
        pairs = combinations(range(1, entrants + 1), 2)
        graph = make_graph((*pair, 1) for pair in pairs if frozenset(pair) not in apart)
        return entrants - 2 * len(match(graph))


def usual_rounds(entrants: int) -> int:
    """Return the number of rounds that leaves one entrant without a loss: log2, rounded up."""
    return max(1, (entrants - 1).bit_length())


def list_players(field: Field, entrants: Iterable[int], games: int, *, is_last: bool) -> list[Player]:
    """Return the entrants as players of the Dutch system.

    Args:
        field: the rounds so far.
        entrants: the entrants to be paired.
        games: number of games of each pairing.
        is_last: whether the last round is paired.
    """
    # By round and entrant: half points with and without playing, opponents, first minus second moves.
    scored: defaultdict[int, Counter[int]] = defaultdict(Counter)
    given: defaultdict[int, Counter[int]] = defaultdict(Counter)
    opponents: defaultdict[int, dict[int, int]] = defaultdict(dict)
    balances: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for bye in field.byes:
        given[bye.round][bye.entrant] += round(2 * bye.points)
    for meeting in field.meetings:
        halves = scored if meeting.is_played else given
        for seat, (entrant, points) in enumerate(zip(meeting.seats, meeting.points or (0, 0), strict=True)):
            halves[meeting.round][entrant] += round(2 * points)
            if meeting.is_played:
                opponents[meeting.round][entrant] = meeting.seats[1 - seat]
                balances[meeting.round][entrant] += -1 if seat else 1
    score: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    met: defaultdict[int, Counter[int]] = defaultdict(Counter)
    colours: defaultdict[int, list[int]] = defaultdict(list)
    floats: list[dict[int, Float]] = [{}, {}]
    for number in range(1, field.rounds + 1):
        floating = {entrant: Float.DOWN for entrant, points in given[number].items() if points}
        for entrant, opponent in opponents[number].items():
            met[entrant][opponent] += 1
            # Both colours in a round are as good as none.
            if balance := balances[number][entrant]:
                colours[entrant].append(1 if balance > 0 else -1)
            floating.pop(entrant, None)
            if score[entrant] != score[opponent]:
                floating[entrant] = Float.DOWN if score[entrant] > score[opponent] else Float.UP
        byes.update(entrant for entrant, points in given[number].items() if points >= 2 * games)
        score += scored[number] + given[number]
        floats.append(floating)
    return [
        Player(
            entrant,
            score[entrant],
            tuple(colours[entrant]),
            met[entrant],
            byes[entrant],
            sum(met[entrant].values()),
            (floats[-1].get(entrant), floats[-2].get(entrant)),
            is_last and score[entrant] > field.rounds * games,
        )
        for entrant in entrants
    ]
