"""Who plays, whom, and who sits where."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from attrs import frozen


@frozen
class Pairing:
    """One game to be played.

    Attributes:
        number: the game's number in the tournament, from 1.
        round: the round it belongs to, from 1. Rounds order the games; nobody waits for one to end.
        seats: the numbers of the entrants, from 1, by seat; the first seat begins.
        pair: games of one pair share an opening and have their seats swapped; 0 for a game on its own.
    """

    number: int
    round: int
    seats: tuple[int, ...]
    pair: int = 0


def round_robin(entrants: int, games: int) -> tuple[Pairing, ...]:
    """Return a schedule in which every pair of entrants plays ``games`` games with seats alternating.

    Within a round nobody plays twice, so that all its games can be played at once. However many games a pair
    plays, no entrant begins two games more than another one, over all its games.

    Args:
        entrants: number of entrants.
        games: number of games for each pair. 1 is a single round robin, 2 a double one.

    Raises:
        ValueError: fewer than two entrants, or less than one game.
    """
    if entrants < 2:
        raise ValueError(f"a tournament needs at least 2 entrants, not {entrants}")
    if games < 1:
        raise ValueError(f"every pair plays at least 1 game, not {games}")
    pairings: list[Pairing] = []
    number_of_round = 0
    for turn in range(games):
        for pairs in _rounds(entrants):
            number_of_round += 1
            for low, high in pairs:
                # Of the others, as many are at an odd distance below and at an even distance above as the
                # other way round, give or take one: so first moves are shared out evenly in every turn.
                low_begins = ((high - low) % 2 == 1) == (turn % 2 == 0)
                seats = (low, high) if low_begins else (high, low)
                pairings.append(Pairing(len(pairings) + 1, number_of_round, seats))
    return tuple(pairings)


def _rounds(entrants: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs, lower number first, of each round of the circle method.

    One entrant stays where it is while the others move round a circle; with an odd number of entrants the
    one that stays is nobody, and whoever meets it has a rest.
    """
    circle = list(range(1, entrants + 1))
    if entrants % 2:
        circle.insert(0, 0)
    half = len(circle) // 2
    for _ in range(len(circle) - 1):
        facing = zip(circle[:half], reversed(circle[half:]), strict=True)
        yield sorted((min(pair), max(pair)) for pair in facing if 0 not in pair)
        circle.insert(1, circle.pop())


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names with a number added to every one that was taken before: ``bob``, ``bob#2``."""
    names = tuple(names)
    unique: list[str] = []
    for name in names:
        numbered = (f"{name}#{number}" for number in itertools.count(2))
        free = (other for other in numbered if other not in unique and other not in names)
        unique.append(next(free) if name in unique else name)
    return tuple(unique)
