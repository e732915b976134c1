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
        pairings: all games, in the order of their numbers from 1.
        settings: how games are played, as far as a resumed tournament needs it.
    """

    rules: str
    entrants: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    settings: Mapping[str, Setting] = field(factory=dict)


@frozen
class TournamentResumed:
    """The tournament goes on after an interruption; games that were running begin again."""


@frozen
class GameEvent:
    """``event`` happened in game ``game``. A game that comes out void is played, and starts, again."""

    game: int
    event: match.MatchEvent[Any, Any]


@frozen
class TournamentEnded:
    """All games are played."""


Event = TournamentStarted | TournamentResumed | GameEvent | TournamentEnded

#: A listener is called with every event, in order.
Listener = Callable[[Event], None]
