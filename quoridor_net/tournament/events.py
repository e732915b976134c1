"""What happens in a tournament of any game: the journal keeps these, displays and tables are made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import field, frozen

from quoridor_net.outcome import Result
from quoridor_net.tournament.schedule import Pairing

#: What a setting may be; everything here has a form in JSON.
Setting = str | int | float | bool | None


@frozen
class TournamentStarted:
    """The entrants are known and the tournament begins.

    Attributes:
        game: which game is played, in one word.
        entrants: their names, told apart, in the order of their numbers from 1.
        pairings: all games, in the order of their numbers from 1.
        settings: how games are played, as far as a continued tournament has to agree.
    """

    game: str
    entrants: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    settings: Mapping[str, Setting] = field(factory=dict)


@frozen
class TournamentResumed:
    """The tournament goes on after an interruption; games that were going on begin again."""


@frozen
class Began:
    """Game ``game`` begins."""

    game: int


@frozen
class Played:
    """A move was made.

    Attributes:
        game: number of the game.
        ply: number of the move, from 1.
        seat: who made it, from 1.
        move: the move as people write it.
        seconds: how long the player took.
    """

    game: int
    ply: int
    seat: int
    move: str
    seconds: float


@frozen
class Finished:
    """Game ``game`` is over."""

    game: int
    result: Result


@frozen
class TournamentEnded:
    """All games are played."""


Event = TournamentStarted | TournamentResumed | Began | Played | Finished | TournamentEnded

#: A listener is called with every event, in order.
Listener = Callable[[Event], None]
