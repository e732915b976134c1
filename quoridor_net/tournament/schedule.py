"""Pairings: who plays whom, and in which seat."""

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
        round: its round, from 1. Rounds order the games; a round may start before the one before it ends.
        seats: the numbers of the entrants, from 1, by seat; the first seat moves first.
        pair: the number of its pair of games, which share an opening and swap colours; 0 for a single game.
    """

    number: int
    round: int
    seats: tuple[int, ...]
    pair: int = 0


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, with a number added to each repeated one: ``bob``, ``bob#2``."""
    names = tuple(names)
    unique: list[str] = []
    given, taken = set(map(normal, names)), set[str]()
    for name in names:
        numbered = (f"{name}#{number}" for number in itertools.count(2))
        free = (other for other in numbered if normal(other) not in taken and normal(other) not in given)
        unique.append(next(free) if normal(name) in taken else name)
        taken.add(normal(unique[-1]))
    return tuple(unique)
