"""The Swiss system: in every round, entrants play opponents with about as many points."""

from __future__ import annotations

import random
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import combinations

import attrs
from attrs import frozen
from attrs.validators import ge

from quoridor_net.tournament.formats.base import Field, Format, Round
from quoridor_net.tournament.requirements import RequirementPhrase
from quoridor_net.tournament.standings import BYE, SWISS_TIE_BREAKS

#: Number of opponents, nearest in points, that are considered at first for each entrant.
NEAREST = 8

#: Costs of a pairing: for the square of the difference in half points; for two entrants that must both have
#: the same colour; for two that both had the same colour more often. Smaller terms order equal pairings.
_SCORE = 10_000
_FORBIDDEN = 10**15
_COLOUR = 500

#: An entrant has a colour at most twice more often than the other, and at most twice in a row (FIDE Handbook
#: C.04.1, *Basic rules for Swiss Systems*, rules 6 and 7).
MOST_BALANCE = 2
MOST_IN_A_ROW = 2


@frozen
class Swiss(Format):
    """A Swiss tournament: if possible, without repeated meetings and second byes, and with balanced colours.

    The rules are those of FIDE's Handbook C.04.1, *Basic rules for Swiss Systems*. Pairings are a matching of
    all entrants at minimum cost. The bye goes to the lowest-ranked entrant with the fewest byes; a game won
    because the opponent did not show up or had left counts as a bye (rule 4). Rules 2 and 4 can both be kept
    for as many rounds as half the entrants, if few leave: while every entrant has met at most half of the
    others, a round without repeated meetings exists (Dirac's theorem on Hamiltonian cycles, applied to
    entrants that have not met). Later, a round without repeated meetings is paired if there is one. Otherwise
    entrants meet again before one gets a second bye, because a game tells more than a free point.

    Args:
        rounds: number of rounds; None for enough to find one winner, the logarithm of the number of entrants.
        games: number of games of each pairing; with 2, both entrants get both colours. A bye counts as this
            many wins.
        seed: orders entrants that are equal.
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
        table = _Table(
            field, [entrant for entrant in present if entrant not in busy], self.seed, self.list_apart()
        )
        pairs, byes = _match(table)
        pairs = chosen + pairs
        games: list[tuple[int, ...]] = []
        numbers: list[int] = []
        highest = max((meeting.pair for meeting in field.meetings), default=0)
        for first, second in pairs:
            for game in range(self.games):
                # Two games with swapped colours are a pair.
                is_paired = game ^ 1 < self.games
                highest += is_paired and game % 2 == 0
                games.append((first, second) if game % 2 == 0 else (second, first))
                numbers.append(highest if is_paired else 0)
        return Round(
            tuple(games),
            tuple(numbers),
            tuple(bye for bye in byes for _ in range(self.games)),
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

    def check(self, entrants: int) -> None:
        """Refuse a number of rounds that would make two entrants meet twice.

        Raises:
            ValueError: there are too many rounds, or fewer than two entrants.
        """
        super().check(entrants)
        # With an odd number, each entrant has one bye.
        most = entrants if entrants % 2 else entrants - 1
        if self.rounds is not None and self.rounds > most:
            raise ValueError(RequirementPhrase.ROUNDS(entrants=entrants, count=most))


def usual_rounds(entrants: int) -> int:
    """Return the number of rounds that leaves one entrant without a loss: log2, rounded up."""
    return max(1, (entrants - 1).bit_length())


class _Table:
    """The scores and colours that a round is paired from, by entrant."""

    def __init__(
        self, field: Field, present: Sequence[int], seed: int, apart: Collection[frozenset[int]]
    ) -> None:
        #: Pairs of entrants that never meet.
        self.apart = apart
        self.points: defaultdict[int, float] = defaultdict(float)
        self.met: Counter[frozenset[int]] = Counter()
        #: First moves minus second moves of each entrant, and its last colours: 1 for first, -1 for second.
        self.balance: Counter[int] = Counter()
        self.recent: defaultdict[int, deque[int]] = defaultdict(partial(deque, maxlen=MOST_IN_A_ROW))
        # A bye with half a point, on request, does not count as one.
        self.byes = Counter(bye.entrant for bye in field.byes if bye.points == BYE)
        self.rests = Counter(bye.entrant for bye in field.byes if bye.points != BYE)
        for bye in field.byes:
            self.points[bye.entrant] += bye.points
        for meeting in field.meetings:
            first, second = meeting.seats
            self.met[frozenset(meeting.seats)] += 1
            for entrant, points in zip(meeting.seats, meeting.points or (0.0, 0.0), strict=True):
                self.points[entrant] += points
                self.byes[entrant] += not meeting.is_played and points == 1
            if meeting.is_played:
                for entrant, colour in ((first, 1), (second, -1)):
                    self.balance[entrant] += colour
                    self.recent[entrant].append(colour)
        order = list(present)
        random.Random(f"{seed} {field.rounds}").shuffle(order)
        #: Best first.
        self.ranked = sorted(order, key=lambda entrant: -self.points[entrant])

    def due(self, entrant: int) -> int:
        """Return 1 for an entrant that must move first, -1 for one that must move second, otherwise 0."""
        balance, recent = self.balance[entrant], self.recent[entrant]
        if abs(balance) >= MOST_BALANCE:
            return -1 if balance > 0 else 1
        if len(recent) == MOST_IN_A_ROW and len(set(recent)) == 1:
            return -recent[-1]
        return 0

    def clash(self, one: int, other: int) -> bool:
        """Return whether two entrants must both have the same colour."""
        return self.due(one) * self.due(other) > 0

    def last(self, entrant: int) -> int:
        """Return the last colour of an entrant; 0 before its first game."""
        recent = self.recent[entrant]
        return recent[-1] if recent else 0

    def cost(self, one: int, other: int, distance: int) -> int:
        """Return the cost of pairing two entrants that are ``distance`` places apart."""
        halves = round(2 * abs(self.points[one] - self.points[other]))
        balances = self.balance[one], self.balance[other]
        clash = 0
        if balances[0] * balances[1] > 0:
            clash = min(abs(balance) for balance in balances)
        colour = _FORBIDDEN if self.clash(one, other) else _COLOUR * clash
        in_a_row = self.last(one) * self.last(other) > 0
        return _SCORE * halves * halves + colour + 10 * in_a_row + max(0, 9 - distance)

    def seat(self, one: int, other: int) -> tuple[int, int]:
        """Return two entrants by seat, in order of claim to the first move: duty, balance, last colour."""
        place = self.ranked.index
        return min(
            (one, other),
            (other, one),
            key=lambda seats: (
                self.due(seats[1]) - self.due(seats[0]),
                self.balance[seats[0]] - self.balance[seats[1]],
                self.last(seats[0]) - self.last(seats[1]),
                # If nothing else decides, the better one moves first in every second pairing.
                (place(seats[0]) < place(seats[1])) == (place(min(seats)) // 2 % 2 == 1),
            ),
        )


def _match(table: _Table) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """Return the pairings, best first, and the entrants with a bye."""
    ranked = table.ranked
    byes: tuple[int, ...] = ()
    if not ranked:
        return [], ()
    if len(ranked) % 2 == 0:
        matching = _perfect(table, ranked)
    else:
        # The lowest-ranked entrant with the fewest byes whose bye lets the others avoid repeated meetings.
        fewest = min(table.byes[entrant] for entrant in ranked)
        candidates = [entrant for entrant in reversed(ranked) if table.byes[entrant] == fewest]
        # Among equals, one that has not rested.
        candidates.sort(key=lambda entrant: (table.points[entrant], table.rests[entrant]))
        matching = None
        for bye in candidates:
            matching = _perfect(table, [entrant for entrant in ranked if entrant != bye])
            if matching is not None:
                byes = (bye,)
                break
        else:
            byes = (candidates[0],)
            ranked = [entrant for entrant in ranked if entrant != candidates[0]]
    if matching is None:
        matching = _perfect(table, ranked, again=True)
    if matching is None:
        # Too few entrants may meet each other, so more of them have byes.
        matching = _largest(table, ranked)
        paired = {entrant for pair in matching for entrant in pair}
        byes += tuple(entrant for entrant in ranked if entrant not in paired)
    places = {entrant: place for place, entrant in enumerate(table.ranked)}
    ordered = sorted(sorted(pair, key=places.__getitem__) for pair in matching)
    ordered.sort(key=lambda pair: places[pair[0]])
    return [table.seat(one, other) for one, other in ordered], byes


def _largest(table: _Table, ranked: Sequence[int]) -> set[tuple[int, int]]:
    """Return as many pairs as possible, with as few repeated meetings as possible."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    pairs = [pair for pair in combinations(ranked, 2) if frozenset(pair) not in table.apart]
    most = max((table.met[frozenset(pair)] for pair in pairs), default=0)
    graph.add_weighted_edges_from((*pair, most + 1 - table.met[frozenset(pair)]) for pair in pairs)
    found: set[tuple[int, int]] = nx.max_weight_matching(graph, maxcardinality=True)
    return found


def _perfect(
    table: _Table, ranked: Sequence[int], *, again: bool = False
) -> Iterable[tuple[int, int]] | None:
    """Return the cheapest pairs of all of ``ranked``; None if some entrants would have to meet twice.

    At first only entrants near each other in the ranking are considered, then more, until all have an
    opponent that their colours allow.
    """
    # Imported here, because importing it takes as long as the rest of the program.
    import networkx as nx

    reach = NEAREST
    while True:
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(ranked)
        most = 0
        edges = []
        for place, one in enumerate(ranked):
            found = 0
            for distance, other in enumerate(ranked[place + 1 :], 1):
                pair = frozenset((one, other))
                meetings = table.met[pair]
                if pair in table.apart or (meetings and not again):
                    continue
                cost = table.cost(one, other, distance) + meetings * 100 * _FORBIDDEN
                most = max(most, cost)
                edges.append((one, other, cost))
                found += 1
                if found == reach:
                    break
        graph.add_weighted_edges_from((one, other, most + 1 - cost) for one, other, cost in edges)
        matching: set[tuple[int, int]] = nx.max_weight_matching(graph, maxcardinality=True)
        is_perfect = 2 * len(matching) == len(ranked)
        if is_perfect and not any(table.clash(one, other) for one, other in matching):
            return matching
        if reach >= len(ranked):
            return matching if is_perfect else None
        reach *= 4
