"""The events of a tournament of any game. Journals and displays listen to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from quoridor_net import match
from quoridor_net.tournament.schedule import Pairing

#: The value of a setting; each of these has a form in JSON.
Setting = str | int | float | bool | None


@frozen
class TournamentStarted:
    """The entrants are known and the tournament begins.

    Attributes:
        rules: the name of the game that is played, one word.
        entrants: their unique names, in the order of their numbers from 1.
        settings: how the games are scheduled and played, as far as a resumed tournament needs it.
        addresses: where to reach each entrant again, in the same order; empty if entrants connect themselves.
    """

    rules: str
    entrants: tuple[str, ...]
    settings: Mapping[str, Setting] = field(factory=dict)
    addresses: tuple[str, ...] = ()


@frozen
class RoundPaired:
    """The games of a round are known.

    Attributes:
        round: its number, from 1, without gaps.
        pairings: its games, numbered on from the round before.
        byes: the entrants without an opponent in this round, once for each game that the others play; each
            time, they score as for a win.
        half_byes: the same, of those that asked for a bye in this round; they score half a point each time.
    """

    round: int
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    half_byes: tuple[int, ...] = ()


@frozen
class EntrantJoined:
    """A late entrant joined, from ``address``; its number is one more than the highest so far.

    It scores half a point for each of the earlier rounds ``half_byes``, named once for each game.
    """

    name: str
    address: str = ""
    half_byes: tuple[int, ...] = ()


@frozen
class EntrantWithdrawn:
    """An entrant plays no more games."""

    entrant: int


@frozen
class EntrantReturned:
    """An entrant that left is back, from ``address``, and plays its remaining games."""

    entrant: int
    address: str = ""


@frozen
class EntrantAway:
    """An entrant of a league does not answer, or rests after faults. Its unstarted games are cancelled.

    Attributes:
        entrant: its number.
        sentence: the reason, as a clause without a subject; usually translatable.
    """

    entrant: int
    sentence: str


@frozen
class EntrantBack:
    """An entrant that was away answers, and plays again."""

    entrant: int


@frozen
class EntrantRenewed:
    """An entrant announced a new version of its program.

    Attributes:
        entrant: its number.
        version: the name of the version.
        address: where to reach it from now on.
        elo: its rating before, which the new version starts with; None if it had none.
    """

    entrant: int
    version: str
    address: str = ""
    elo: float | None = None


@frozen
class SettingChanged:
    """A setting changed; the new value also holds when the tournament is resumed."""

    name: str
    value: Setting


@frozen
class TournamentResumed:
    """The tournament continues after an interruption; games that were running start again."""


@frozen
class TournamentStopping:
    """No more games start; running games are finished. Journals do not record this event."""


@frozen
class GameEvent:
    """``event`` happened in game ``game``. A void game is replayed, so it can start more than once."""

    game: int
    event: match.MatchEvent[Any, Any]


@frozen
class TournamentEnded:
    """All games have been played."""


#: The events of one entrant.
EntrantEvent = EntrantJoined | EntrantWithdrawn | EntrantReturned | EntrantAway | EntrantBack | EntrantRenewed

Event = (
    TournamentStarted
    | RoundPaired
    | EntrantEvent
    | SettingChanged
    | TournamentResumed
    | TournamentStopping
    | GameEvent
    | TournamentEnded
)

#: A listener is called with every event, in order.
Listener = Callable[[Event], None]
