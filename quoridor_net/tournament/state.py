"""The state of a tournament. It follows from the events alone: the same live, and read from a journal."""

from __future__ import annotations

from quoridor_net.match import GameEnded, GameStarted, MoveMade
from quoridor_net.outcome import Result
from quoridor_net.tournament.events import (
    Event,
    GameEvent,
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
        plan: how the tournament started; None before that.
        decided: results of the games that are over and not void, by game number.
        running: how many moves were made in each game that is being played, by game number.
        is_over: whether the tournament has ended.
    """

    def __init__(self) -> None:
        self.plan: TournamentStarted | None = None
        self.decided: dict[int, Result] = {}
        self.running: dict[int, int] = {}
        self.is_over = False
        # Games that came out void at least once; a tournament can end without their being played.
        self._void: set[int] = set()

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names of the entrants, by number from 1; none before the start."""
        return () if self.plan is None else self.plan.entrants

    @property
    def games(self) -> int:
        """Number of games in the schedule."""
        return 0 if self.plan is None else len(self.plan.pairings)

    @property
    def pending(self) -> tuple[Pairing, ...]:
        """The games without a result, running ones included."""
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
        """Return the games that were decided, by number."""
        return [(self.pairing(game), self.decided[game]) for game in sorted(self.decided)]

    def apply(self, event: Event) -> None:
        """Note what happened.

        Raises:
            StateError: it cannot have happened.
        """
        match event:
            case TournamentStarted():
                self.start(event)
            case TournamentResumed():
                self.resume()
            case GameEvent(game, GameStarted()):
                self.start_game(game)
            case GameEvent(game, MoveMade(player=player, ply=ply)):
                self.make_move(game, player, ply)
            case GameEvent(game, GameEnded(result=result)):
                self.end_game(game, result)
            case TournamentEnded():
                self.end()

    def start(self, plan: TournamentStarted) -> None:
        """Start the tournament."""
        if self.plan is not None:
            raise StateError("the tournament has started already")
        self.plan = plan

    def resume(self) -> None:
        """Go on after an interruption: what was running begins again."""
        self._check_started()
        self.running.clear()

    def start_game(self, game: int) -> None:
        """Start a game."""
        self._check_started()
        self.pairing(game)
        if game in self.decided:
            raise StateError(f"game {game} is over already")
        self.running[game] = 0

    def make_move(self, game: int, player: int, ply: int) -> None:
        """Count a move of a running game."""
        moves = self.running.get(game)
        if moves is None:
            raise StateError(f"game {game} is not running")
        if ply != moves + 1 or player > len(self.pairing(game).seats):
            raise StateError(f"this is not the next move of game {game}")
        self.running[game] = ply

    def end_game(self, game: int, result: Result) -> None:
        """Note the result of a game; it need not have started, as when a player did not come."""
        self._check_started()
        if game in self.decided:
            raise StateError(f"game {game} is over already")
        if (result.winner or 1) > len(self.pairing(game).seats):
            raise StateError(f"game {game} has no player {result.winner}")
        self.running.pop(game, None)
        if result.is_void:
            self._void.add(game)
        else:
            self.decided[game] = result

    def end(self) -> None:
        """End the tournament, when every game has a result or came out void."""
        self._check_started()
        if any(pairing.number not in self._void for pairing in self.pending):
            raise StateError("there are games without a result")
        self.is_over = True

    def _check_started(self) -> None:
        if self.plan is None:
            raise StateError("the tournament has not started")
        if self.is_over:
            raise StateError("the tournament is over")
