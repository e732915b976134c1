"""A Clobber tournament between the clients of a lobby: the game-independent pieces, given Clobber to play."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import trio
from attrs import asdict, evolve, frozen

from quoridor_net.clobber import MAX_SIZE, Move, Position
from quoridor_net.match.clobber import SEATS, Event, GameEnded, MoveMade, play_clobber
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.players import Clock
from quoridor_net.players.clobber import ClobberPlayer
from quoridor_net.players.clobber.remote import RemotePlayer
from quoridor_net.rules import Termination
from quoridor_net.tournament import Listener as TournamentListener
from quoridor_net.tournament import (
    Pairing,
    Played,
    Setting,
    TournamentStarted,
    TournamentState,
    play_tournament,
    round_robin,
    tell_apart,
)

#: The name of the game in journals.
GAME = "clobber"


@frozen
class Terms:
    """How all games of a tournament are played.

    Attributes:
        columns: columns of the board.
        rows: rows of the board.
        move_time: seconds for each move.
        rows_first: write the rows before the columns in ``m n b``.
    """

    columns: int
    rows: int
    move_time: float
    rows_first: bool = False

    def as_settings(self) -> dict[str, Setting]:
        """Return what the journal keeps."""
        return asdict(self)

    @classmethod
    def of(cls, state: TournamentState) -> Terms:
        """Return the terms that a journal kept.

        Raises:
            ValueError: it is the journal of another game, or they are not in it.
        """
        opened = state.plan
        if opened is not None and opened.game == GAME and _is_for_two(opened.pairings):
            match opened.settings:
                case {
                    "columns": int(columns),
                    "rows": int(rows),
                    "move_time": int() | float() as move_time,
                    "rows_first": bool(rows_first),
                } if _are_sane(columns, rows, move_time):
                    return cls(columns, rows, float(move_time), rows_first)
        raise ValueError("that is not the journal of a Clobber tournament")


def _is_for_two(pairings: Iterable[Pairing]) -> bool:
    return all(len(pairing.seats) == len(SEATS) for pairing in pairings)


def _are_sane(columns: int, rows: int, move_time: float) -> bool:
    # To Python a truth value is an integer.
    if bool in {type(columns), type(rows), type(move_time)}:
        return False
    return 1 <= columns <= MAX_SIZE and 1 <= rows <= MAX_SIZE and 0 < move_time < math.inf


class _Absent(ClobberPlayer):
    """Holds the place of an entrant that did not come back."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.gone = ForfeitError(Termination.DISCONNECTED, "did not come back")

    async def ready(self) -> None:
        """Forfeit."""
        raise self.gone

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Never called: the game does not begin."""
        raise self.gone


class ClobberTournament:
    """Plays all games.

    Args:
        terms: how to play.
        entrants: who plays, by number; None for one that a resumed tournament misses.
        listeners: called with every event; the first ones before the later ones.
        state: what was played before; empty for a new tournament.
        watch: called with the number of a game and everything that happens in it.

    Attributes:
        state: what is known so far.
    """

    def __init__(
        self,
        terms: Terms,
        entrants: Sequence[RemotePlayer | None],
        listeners: Sequence[TournamentListener],
        state: TournamentState | None = None,
        watch: Callable[[int, Event], None] | None = None,
    ) -> None:
        self.state = TournamentState() if state is None else state
        self._watch = watch
        self._terms = terms
        self._listeners = listeners
        names = self.state.entrants or tell_apart(player.name for player in entrants if player is not None)
        self._names = names
        self._players: list[RemotePlayer | _Absent] = [
            _Absent(name) if player is None else player for name, player in zip(names, entrants, strict=True)
        ]
        for name, player in zip(names, self._players, strict=True):
            player.name = name

    async def run(self, games: int) -> None:
        """Play all games, or those that are left, and note the end.

        Args:
            games: number of games for each pair in a new tournament; a resumed one has its schedule.
        """
        pairings = round_robin(len(self._names), games)
        plan = TournamentStarted(GAME, self._names, pairings, self._terms.as_settings())
        await play_tournament(plan, self._play, self._listeners, state=self.state)
        async with trio.open_nursery() as nursery:
            for player in self._players:
                nursery.start_soon(_hear_out, player)

    async def _play(self, pairing: Pairing, record: TournamentListener) -> Result:
        black, white = (self._players[seat - 1] for seat in pairing.seats)
        if black.gone is not None and white.gone is not None:
            sentence = f"Nobody wins: both {black.name} and {white.name} are gone."
            return Result(None, Termination.DISCONNECTED, sentence, 0)
        line = ""

        def listen(event: Event) -> None:
            nonlocal line
            if self._watch is not None:
                self._watch(pairing.number, event)
            match event:
                case MoveMade(colour, move, ply, seconds):
                    record(Played(pairing.number, ply, SEATS[colour], str(move), seconds))
                case GameEnded():
                    line = event.line

        position = Position.start(self._terms.columns, self._terms.rows)
        result = await play_clobber(black, white, position, self._terms.move_time, [listen])
        return evolve(result, line=line)


async def _hear_out(player: ClobberPlayer) -> None:
    """Let a client send a move that is on its way: it would find a closed connection, and read no verdict."""
    with suppress(ForfeitError):
        await player.ready()
