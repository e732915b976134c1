"""The state of a tournament, made of its events alone: the same while it is played and when it is resumed."""

from __future__ import annotations

from collections.abc import Iterable

from quoridor_net.outcome import Result
from quoridor_net.tournament.events import (
    Began,
    Event,
    Finished,
    Played,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
)
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.standings import GameResult


class StateError(ValueError):
    """An event that cannot follow those before it."""


class TournamentState:
    """What is known after a number of events.

    Attributes:
        opened: the beginning; None before it.
        decided: of the games that were played, by game number, in the order in which they ended.
        moves: the moves of the games that are going on, by game number.
        is_over: whether the tournament is over.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.plan: TournamentStarted | None = None
        self.decided: dict[int, Result] = {}
        self.moves: dict[int, list[Played]] = {}
        self.is_over = False
        # Games that came out void at least once; a tournament can end without their being played.
        self._void: set[int] = set()
        for event in events:
            self.apply(event)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names of the entrants, by number from 1; none before the beginning."""
        return () if self.plan is None else self.plan.entrants

    @property
    def games(self) -> int:
        """Number of games in the schedule."""
        return 0 if self.plan is None else len(self.plan.pairings)

    @property
    def pending(self) -> tuple[Pairing, ...]:
        """The games without a result, those that are going on included."""
        pairings = () if self.plan is None else self.plan.pairings
        return tuple(pairing for pairing in pairings if pairing.number not in self.decided)

    def pairing(self, game: int) -> Pairing:
        """Return who plays game ``game``.

        Raises:
            StateError: there is no such game.
        """
        if self.plan is None or not 1 <= game <= len(self.plan.pairings):
            raise StateError(f"there is no game {game}")
        return self.plan.pairings[game - 1]

    def results(self) -> list[GameResult]:
        """Return the games that were played, by number."""
        return [(self.pairing(game), self.decided[game]) for game in sorted(self.decided)]

    def apply(self, event: Event) -> None:
        """Note what happened.

        Raises:
            StateError: it cannot have happened.
        """
        if self.is_over or (self.plan is None) is not isinstance(event, TournamentStarted):
            raise StateError(f"{type(event).__name__.lower()} cannot come here")
        match event:
            case TournamentStarted():
                self.plan = event
            case TournamentResumed():
                self.moves.clear()
            case TournamentEnded():
                self._close()
            case Began(game):
                self._begin(game)
            case Played():
                self._play(event)
            case Finished(game, result):
                self._finish(game, result)

    def _close(self) -> None:
        if any(pairing.number not in self._void for pairing in self.pending):
            raise StateError("there are games without a result")
        self.is_over = True

    def _begin(self, game: int) -> None:
        self.pairing(game)
        if game in self.decided:
            raise StateError(f"game {game} is over already")
        self.moves[game] = []

    def _play(self, move: Played) -> None:
        moves = self._going_on(move.game)
        if move.ply != len(moves) + 1 or move.seat > len(self.pairing(move.game).seats):
            raise StateError(f"this is not the next move of game {move.game}")
        moves.append(move)

    def _finish(self, game: int, result: Result) -> None:
        self._going_on(game)
        if (result.winner or 1) > len(self.pairing(game).seats):
            raise StateError(f"game {game} has no player {result.winner}")
        del self.moves[game]
        if result.is_void:
            self._void.add(game)
        else:
            self.decided[game] = result

    def _going_on(self, game: int) -> list[Played]:
        moves = self.moves.get(game)
        if moves is None:
            raise StateError(f"game {game} is not going on")
        return moves
