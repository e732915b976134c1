"""A Clobber tournament between the clients of a lobby."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import trio
from attrs import asdict, frozen

from quoridor_net.clobber import MAX_SIZE, ClobberPosition, Move
from quoridor_net.match import GameEnded, MatchListener, MatchSettings, play_match
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player
from quoridor_net.players.olympiad import OlympiadPlayer
from quoridor_net.rules import Termination
from quoridor_net.tournament import (
    Journal,
    Pairing,
    Tournament,
    TournamentStarted,
    TournamentState,
    unique_names,
)
from quoridor_net.tournament import Listener as TournamentListener
from quoridor_net.tournament.formats import RoundRobin

#: The name of the game in journals.
RULES = "clobber"


@frozen
class Terms:
    """The terms of all games of a tournament, which its journal keeps.

    Attributes:
        columns: columns of the board.
        rows: rows of the board.
        move_time: time limit per move, in seconds.
        rows_first: whether ``m n b`` has the rows before the columns.
    """

    columns: int
    rows: int
    move_time: float
    rows_first: bool = False

    @classmethod
    def of(cls, state: TournamentState) -> Terms:
        """Return the terms in a journal.

        Raises:
            ValueError: it is the journal of another game, or has no valid terms.
        """
        if state.rules == RULES and all(len(meeting.seats) == 2 for meeting in state.field().meetings):
            match state.settings:
                case {
                    "columns": int(columns),
                    "rows": int(rows),
                    "move_time": int() | float() as move_time,
                    "rows_first": bool(rows_first),
                    "games": int(games),
                } if (
                    1 <= columns <= MAX_SIZE
                    and 1 <= rows <= MAX_SIZE
                    and 0 < move_time < math.inf
                    and games > 0
                    # In Python, a truth value is an integer.
                    and bool not in {type(columns), type(rows), type(move_time), type(games)}
                ):
                    return cls(columns, rows, float(move_time), rows_first)
        raise ValueError("the file is not the journal of a Clobber tournament")


class _Absent(Player[ClobberPosition, Move]):
    """Holds the place of an entrant that did not come back."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.gone = ForfeitError(Termination.DISCONNECTED, Translatable("did not come back"))

    async def ready(self) -> None:
        raise self.gone

    async def choose(self, position: ClobberPosition, clock: Clock) -> Move:
        """Raise the reason; never called, because the game does not begin."""
        raise self.gone


async def play_clobber(
    terms: Terms,
    entrants: Sequence[OlympiadPlayer | None],
    games: int,
    listeners: Sequence[TournamentListener],
    state: TournamentState,
    journal: Journal | None = None,
) -> None:
    """Play all games or the remaining ones, and record the end.

    Args:
        terms: the terms of the games.
        entrants: the players, by number; None for one that is missing from a resumed tournament.
        games: number of games per pair in a new tournament; a resumed one has its schedule.
        listeners: called with every event.
        state: the state so far; empty for a new tournament.
        journal: records the tournament; None to keep no record.
    """
    names = state.entrants or unique_names(player.name for player in entrants if player is not None)
    players = [player or _Absent(name) for name, player in zip(names, entrants, strict=True)]
    for name, player in zip(names, players, strict=True):
        player.name = name
    start = TournamentStarted(RULES, names, asdict(terms) | {"games": games})
    again = state.settings["games"] if state.has_started else games
    assert isinstance(again, int), "Terms.of has checked it"
    form = RoundRobin(again)
    play = partial(_play, terms, players)
    await Tournament(start, form, play, listeners, state=state, record=journal).run()
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(_hear_out, player)


async def _play(
    terms: Terms,
    players: Sequence[OlympiadPlayer | _Absent],
    pairing: Pairing,
    listener: MatchListener[ClobberPosition, Move],
) -> Result:
    black, white = (players[seat - 1] for seat in pairing.seats)
    start = ClobberPosition.start(terms.columns, terms.rows)
    if black.gone is not None and white.gone is not None:
        sentence = f"Nobody wins: both {black.name} and {white.name} are gone."
        result = Result(None, Termination.DISCONNECTED, sentence, 0)
        listener(GameEnded(result, (black.name, white.name), start))
        return result
    settings = MatchSettings(start, terms.move_time, ends_at_fault=True)
    return await play_match([black, white], settings, [listener])


async def _hear_out(player: Player[ClobberPosition, Move]) -> None:
    """Receive a move that is on its way, because a client that cannot send it would miss the verdict."""
    with suppress(ForfeitError):
        await player.ready()
