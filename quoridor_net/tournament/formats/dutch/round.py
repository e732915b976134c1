"""The pairing of a round."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby

from attrs import frozen

from quoridor_net.tournament.formats.dutch.bracket import Bracket
from quoridor_net.tournament.formats.dutch.colours import allot
from quoridor_net.tournament.formats.dutch.constraints import Constraints
from quoridor_net.tournament.formats.dutch.player import Pair, Player, leave_out


@frozen
class Pairings:
    """The pairs of a round, each with the first move first and in order of importance, and the byes."""

    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]


def pair_round(
    players: Iterable[Player], apart: Collection[frozenset[int]] = (), initial_colour: int = 1
) -> Pairings:
    """Return the pairings of a round.

    If no complete pairing keeps the absolute criteria C1 to C3, the best one that breaks them least is taken:
    in this order, the fewest further byes, repeated meetings, and pairs with the same absolute preference.

    Args:
        players: the players to be paired.
        apart: pairs of players, by number, that never meet. If no other opponents are left, they have byes.
        initial_colour: the colour of the player with the lowest number in the first round (article 5.1).
    """
    ranked = sorted(players, key=lambda player: player.rank)
    constraints = Constraints(ranked, apart)
    groups = [list(group) for _, group in groupby(ranked, lambda player: player.score)]
    pairs: list[Pair] = []
    moved: list[Player] = []
    for place, residents in enumerate(groups, 1):
        pairs += Bracket(constraints, moved, residents, groups[place:]).pair()
        moved = leave_out([*moved, *residents], pairs)
    # The order of publication (General Handling Rules for Swiss Tournaments, Handbook C.04.2).
    pairs.sort(key=lambda pair: (-pair[0].score, -pair[1].score, pair[0].number))
    seats = (allot(*pair, initial_colour) for pair in pairs)
    return Pairings(
        tuple((first.number, second.number) for first, second in seats),
        tuple(player.number for player in moved),
    )
