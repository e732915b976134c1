"""What happens in a tournament of any game. Journal and displays are listeners of these events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from quoridor_net import match
from quoridor_net.tournament.schedule import Pairing

#: What a setting may be; everything here has a form in JSON.
Setting = str | int | float | bool | None


@frozen
class TournamentStarted:
    """The entrants are known and the tournament begins.

    Attributes:
        rules: which game is played, in one word.
        entrants: their names, made unique, in the order of their numbers from 1.
        settings: how the games are scheduled and played, as far as a resumed tournament needs it.
        addresses: where each entrant is found again, in the same order; empty where they come by themselves.
    """

    rules: str
    entrants: tuple[str, ...]
    settings: Mapping[str, Setting] = field(factory=dict)
    addresses: tuple[str, ...] = ()


@frozen
class RoundPaired:
    """The games of a round are known.

    Attributes:
        round: its number, one more than that of the round before, from 1.
        pairings: its games; their numbers go on from those of the rounds before.
        byes: the entrants that have no opponent in this round and score as for a win.
    """

    round: int
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()


@frozen
class EntrantJoined:
    """An entrant came late, from ``address``; its number is one more than the highest so far."""

    name: str
    address: str = ""


@frozen
class EntrantWithdrawn:
    """An entrant plays no more games."""

    entrant: int


@frozen
class EntrantReturned:
    """An entrant that left plays again, from ``address``, with the games that it had before."""

    entrant: int
    address: str = ""


@frozen
class SettingChanged:
    """A setting of the start is another one from now on, also when the tournament is resumed."""

    name: str
    value: Setting


@frozen
class TournamentResumed:
    """The tournament goes on after an interruption; games that were running begin again."""


@frozen
class TournamentStopping:
    """No more games begin; those that are running are played to their end. No journal keeps it."""


@frozen
class GameEvent:
    """``event`` happened in game ``game``. A game that comes out void is played, and starts, again."""

    game: int
    event: match.MatchEvent[Any, Any]


@frozen
class TournamentEnded:
    """All games are played."""


Event = (
    TournamentStarted
    | RoundPaired
    | EntrantJoined
    | EntrantWithdrawn
    | EntrantReturned
    | SettingChanged
    | TournamentResumed
    | TournamentStopping
    | GameEvent
    | TournamentEnded
)

#: A listener is called with every event, in order.
Listener = Callable[[Event], None]
