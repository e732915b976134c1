"""Formats of tournaments: who plays whom in the next round, by what was played before."""

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
FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "four-player")


def make_format(name: str, rounds: int | None, games: int, seed: int) -> Format:
    """Return a format.

    Args:
        name: one of :data:`FORMATS`.
        rounds: how many, where the format leaves it open; None for its default.
        games: of every pairing of two.
        seed: of everything random.

    Raises:
        ValueError: there is no format of that name.
    """
    match name:
        case "round-robin":
            return RoundRobin(games)
        case "gauntlet":
            return Gauntlet(games)
        case "swiss":
            return Swiss(rounds, games, seed)
        case "knockout":
            return Knockout(games)
        case "four-player":
            return FourPlayer(rounds, seed)
    raise ValueError(f"there is no format {name!r}: choose from {', '.join(FORMATS)}")
