"""Pairings: who plays whom, and in which seat."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from quoridor_net.text import normal

#: Maximum number of attempts at a game that comes out void. This machine is at fault then, not the players,
#: so endless retries would not help.
ATTEMPTS = 3


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


_ROUND = re.compile(r"[1-9][0-9]{0,8}:", re.ASCII)
_PAIR = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})", re.ASCII)


def format_chosen(number: int, pairs: Iterable[tuple[int, int]]) -> str:
    """Return the pairings that an organiser chose for a round: ``3: 1-2 4-5``."""
    return f"{number}: {' '.join(f'{first}-{second}' for first, second in pairs)}"


def parse_chosen(text: str) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Return the round and the pairs of :func:`format_chosen`.

    Raises:
        ValueError: the text has another form, or an entrant occurs twice.
    """
    number, *words = text.split(" ")
    found = [match for match in map(_PAIR.fullmatch, words) if match is not None]
    if not _ROUND.fullmatch(number) or not words or len(found) < len(words):
        raise ValueError("pairings are not a round and pairs of entrants, as in 3: 1-2 4-5")
    pairs = tuple((int(match[1]), int(match[2])) for match in found)
    entrants = [entrant for pair in pairs for entrant in pair]
    if len(set(entrants)) != len(entrants):
        raise ValueError("pairings have an entrant twice")
    return int(number[:-1]), pairs


def find_entrant(names: Sequence[str], text: str) -> int:
    """Return the number, from 1, of the entrant with this name or the only one whose name begins so.

    Raises:
        ValueError: there is none, or there are several; the message lists names.
    """
    known, wanted = [*map(normal, names)], normal(text)
    if wanted in known:
        return known.index(wanted) + 1
    found = [number for number, name in enumerate(known, 1) if wanted and name.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        among = ", ".join(names[number - 1] for number in found)
        raise ValueError(f"the names of several entrants begin with {text!r}: {among}")
    raise ValueError(f"no entrant is called {text!r}: there are {', '.join(names) or 'none yet'}")


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
