"""Tournament formats, which pair the next round from the games so far."""

from collections.abc import Mapping
from inspect import signature
from typing import Any

from quoridor_net.tournament.formats.base import Field, Format, Meeting, Round
from quoridor_net.tournament.formats.four_player import FourPlayer
from quoridor_net.tournament.formats.knockout import Knockout
from quoridor_net.tournament.formats.league import League
from quoridor_net.tournament.formats.round_robin import Gauntlet, RoundRobin
from quoridor_net.tournament.formats.series import Series
from quoridor_net.tournament.formats.sprt_match import SprtMatch
from quoridor_net.tournament.formats.swiss import Swiss
from quoridor_net.tournament.standings import Bye

__all__ = [
    "FORMATS",
    "Bye",
    "Field",
    "Format",
    "FourPlayer",
    "Gauntlet",
    "Knockout",
    "League",
    "Meeting",
    "Round",
    "RoundRobin",
    "Series",
    "SprtMatch",
    "Swiss",
    "make_format",
]

#: The formats, by the names used on the command line.
FORMATS: Mapping[str, type[Format]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "four-player": FourPlayer,
    "league": League,
}


def make_format(name: str, rounds: int | None, games: int, seed: int, **others: Any) -> Format:
    """Return a format; numbers that its class does not take are ignored.

    Args:
        name: one of :data:`FORMATS`.
        rounds: number of rounds, for formats that leave it open; None for the default.
        games: number of games of each pairing.
        seed: of all random choices.
        others: further arguments of its class.

    Raises:
        ValueError: no format has that name.
    """
    if name not in FORMATS:
        raise ValueError(f"unknown format {name!r}: choose from {', '.join(FORMATS)}")
    kind, numbers = FORMATS[name], {"rounds": rounds, "games": games, "seed": seed}
    taken = {each: numbers[each] for each in signature(kind).parameters if each in numbers}
    return kind(**taken, **others)
