"""Formats of tournaments: who plays whom in the next round, by what was played before."""

from collections.abc import Mapping
from inspect import signature

from quoridor_net.tournament.formats.base import Bye, Field, Format, Meeting, Round
from quoridor_net.tournament.formats.four_player import FourPlayer
from quoridor_net.tournament.formats.knockout import Knockout
from quoridor_net.tournament.formats.round_robin import Gauntlet, RoundRobin
from quoridor_net.tournament.formats.series import Series
from quoridor_net.tournament.formats.sprt_match import SprtMatch
from quoridor_net.tournament.formats.swiss import Swiss

__all__ = [
    "FORMATS",
    "Bye",
    "Field",
    "Format",
    "FourPlayer",
    "Gauntlet",
    "Knockout",
    "Meeting",
    "Round",
    "RoundRobin",
    "Series",
    "SprtMatch",
    "Swiss",
    "make_format",
]

#: The formats by the names that people give them.
FORMATS: Mapping[str, type[Format]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "four-player": FourPlayer,
}


def make_format(name: str, rounds: int | None, games: int, seed: int) -> Format:
    """Return a format, made of those of the numbers that its class takes.

    Args:
        name: one of :data:`FORMATS`.
        rounds: how many, where the format leaves it open; None for its default.
        games: of every pairing of two.
        seed: of everything random.

    Raises:
        ValueError: there is no format of that name.
    """
    if name not in FORMATS:
        raise ValueError(f"there is no format {name!r}: choose from {', '.join(FORMATS)}")
    kind, numbers = FORMATS[name], {"rounds": rounds, "games": games, "seed": seed}
    return kind(**{each: numbers[each] for each in signature(kind).parameters if each in numbers})
