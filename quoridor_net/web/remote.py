"""People who play in the browser behind a move server: the game is told by its display client."""

from __future__ import annotations

from collections.abc import Mapping

import trio

from quoridor_net.match import GameEnded, GameStarted, MoveMade, MoveRequested, PlayerOut
from quoridor_net.match.game import DEFAULT_PLY_LIMIT
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.players import Eliminated, Moved, Over, Seating
from quoridor_net.players.base import Clock, PlayerEvent
from quoridor_net.rules import Jumps, Move, Position
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.budget import Budget
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from quoridor_net.web.seat import Seat, WebPlayer


class RemoteSeats:
    """The places of a move server for people: each has a link, and one game after another.

    Args:
        name: how the players are called.
        places: how many games at once.
    """

    def __init__(self, name: str, places: int) -> None:
        self._name = name
        budget = Budget()
        self._boards: Mapping[int, LiveGame] = {place: LiveGame(budget) for place in range(1, places + 1)}
        self.seats: Mapping[int, Seat] = {place: Seat(place) for place in self._boards}
        self.games = LiveGames(self._boards, {place: (seat,) for place, seat in self.seats.items()})

    def make_player(self) -> RemoteWebPlayer:
        """Return a player for one game, who takes a seat when it begins."""
        return RemoteWebPlayer(self._name, self)

    def take(self, player: WebPlayer) -> tuple[Seat, LiveGame]:
        """Give a seat that is free to ``player``.

        Raises:
            ForfeitError: there is none.
        """
        for place, seat in self.seats.items():
            if seat.player is None:
                seat.player = player
                return seat, self._boards[place]
        raise ForfeitError(Termination.REFUSED_GAME, VerdictPhrase.NO_SEAT())


class RemoteWebPlayer(WebPlayer):
    """A person at a browser in a game of which the move server learns by the messages of its client.

    Args:
        name: how the player is called.
        seats: where to sit.
    """

    _position_now: Position

    def __init__(self, name: str, seats: RemoteSeats) -> None:
        super().__init__(name)
        self._seats = seats
        self._seat: Seat | None = None
        self._live = LiveGame()
        self._names: tuple[str, ...] = ()
        self._is_over = True
        self._is_thinking = False
        self._moved_at = 0.0

    async def begin(self, seating: Seating[Position]) -> None:
        """Take a seat, and show the game there.

        Raises:
            ForfeitError: there is no seat left.
        """
        self._seat, self._live = self._seats.take(self)
        await super().begin(seating)
        self._names, self._position_now = seating.names, seating.position
        self._is_over = False
        self._moved_at = trio.current_time()
        # The protocol has no word for limits: that of the client is most likely the usual one.
        self._live(GameStarted(self._names, seating.position.copy(), None, DEFAULT_PLY_LIMIT))

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Wait until somebody clicks on a move.

        Raises:
            ForfeitError: the person resigned.
        """
        self._live(MoveRequested(self.number, self.plies))
        self._is_thinking = True
        move = await super().choose(position, clock)
        self._is_thinking = False
        return move

    async def notify(self, event: PlayerEvent[Move]) -> None:
        """Show what happened."""
        await super().notify(event)
        position = self._position_now
        match event:
            case Moved(player, move):
                # Whatever order of play and jump rule the client keeps.
                position.give_turn(player)
                position.push(move, Jumps.CLASSROOM)
                seconds = trio.current_time() - self._moved_at
                self._moved_at = trio.current_time()
                self._live(MoveMade(player, move, self.plies, seconds, position.copy()))
            case Eliminated(player, why):
                position.eliminate(player)
                termination, sentence = self._fault(player, why)
                self._live(PlayerOut(player, termination, sentence, "", position.copy()))
            case Over(winner):
                self._end(self._result(winner))

    async def leave(self) -> None:
        """Leave the seat; a game that is not over was broken off, or drawn."""
        if not self._is_over:
            sentence = VerdictPhrase.BROKEN_OFF()
            self._end(Result(None, Termination.ABORTED, sentence, self.plies))
        if self._seat is not None:
            self._seat.player = None
        await super().leave()

    def _fault(self, player: int, why: str) -> tuple[Termination, str]:
        """Return for what a player is out, as far as it can be known: the protocol does not tell."""
        if player != self.number:
            return Termination.PUT_OUT, why or VerdictPhrase.PUT_OUT()
        if self._is_thinking:
            return Termination.TOO_SLOW, why or VerdictPhrase.TOOK_TOO_LONG()
        return Termination.ILLEGAL_MOVE, why or VerdictPhrase.MOVE_REFUSED()

    def _result(self, winner: int | None) -> Result:
        ending = self._position_now.ending
        if winner is None:
            return Result(None, Termination.NO_MOVES, VerdictPhrase.DRAWN(), self.plies)
        seat = Position.seat_names[winner - 1]
        called = VerdictPhrase.SEAT(name=self._names[winner - 1], seat=seat)
        if ending is Termination.GOAL:
            return Result(winner, ending, VerdictPhrase.GOAL(winner=called), self.plies)
        return Result(winner, Termination.LAST_PLAYER, VerdictPhrase.LAST_PLAYER(winner=called), self.plies)

    def _end(self, result: Result) -> None:
        self._is_over = True
        self._live(GameEnded(result, self._names, self._position_now.copy()))
