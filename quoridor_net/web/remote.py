"""People who play in the browser behind a move server: the game is told by its display client."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from quoridor_net.events import Event, GameEnded, GameStarted, MoveMade, MoveRequested, PlayerOut
from quoridor_net.match.match_game import DEFAULT_PLY_LIMIT
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.players import Clock, Seating
from quoridor_net.rules import Move, Position
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

    async def begin(self, seating: Seating[Position]) -> None:
        """Take a seat, and show the game there.

        Raises:
            ForfeitError: there is no seat left.
        """
        self._seat, self._live = self._seats.take(self)
        await super().begin(seating)
        self._names, self._position_now = seating.names, seating.position
        self._is_over = False
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

    async def notify(self, event: Event) -> None:
        """Show what happened."""
        await super().notify(event)
        match event:
            case MoveMade(position=position):
                self._position_now = position
            case PlayerOut(player, fault, position):
                self._position_now = position
                if player == self.number and fault.termination is Termination.PUT_OUT:
                    event = evolve(event, fault=self._likely_fault())
            case GameEnded():
                self._is_over = True
        self._live(event)

    async def leave(self) -> None:
        """Leave the seat; a game that is not over was broken off, or drawn."""
        if not self._is_over:
            result = Result(None, Termination.ABORTED, VerdictPhrase.BROKEN_OFF(), self.plies)
            self._live(GameEnded(result, self._names, self._position_now))
        if self._seat is not None:
            self._seat.player = None
        await super().leave()

    def _likely_fault(self) -> ForfeitError:
        """Return for what this player is out, as far as it can be known: the protocol does not tell."""
        if self._is_thinking:
            return ForfeitError(Termination.TOO_SLOW, VerdictPhrase.TOOK_TOO_LONG())
        return ForfeitError(Termination.ILLEGAL_MOVE, VerdictPhrase.MOVE_REFUSED())
