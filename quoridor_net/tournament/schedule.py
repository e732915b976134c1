"""Who plays, whom, and who sits where."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from attrs import frozen

from quoridor_net.text import normal


@frozen
class Pairing:
    """One game to be played.

    Attributes:
        number: the game's number in the tournament, from 1.
        round: the round it belongs to, from 1. Rounds order the games; nobody waits for one to end.
        seats: the numbers of the entrants, from 1, by seat; the first seat begins.
        pair: games of one pair have the same opening and swapped colours; 0 for a game that is in none.
    """

    number: int
    round: int
    seats: tuple[int, ...]
    pair: int = 0


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names with a number added to every one that was taken before: ``bob``, ``bob#2``."""
    names = tuple(names)
    unique: list[str] = []
    given, taken = set(map(normal, names)), set[str]()
    for name in names:
        numbered = (f"{name}#{number}" for number in itertools.count(2))
        free = (other for other in numbered if normal(other) not in taken and normal(other) not in given)
        unique.append(next(free) if normal(name) in taken else name)
        taken.add(normal(unique[-1]))
    return tuple(unique)
