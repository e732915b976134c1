"""People who play in the browser behind a move server, whose display client referees the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from quoridor_net.events import Event, GameEnded, GameStarted, MoveMade, MoveRequested, PlayerOut
from quoridor_net.match.match_game import DEFAULT_PLY_LIMIT
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.players import Clock, Seating
from quoridor_net.rules import Move, Position
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.board import Board
from quoridor_net.web.games import Boards
from quoridor_net.web.seat import Seat, WebPlayer


class RemoteSeats:
    """The seats of a move server for people. Each has a link and hosts one game after another.

    Args:
        name: name of the players.
        places: number of concurrent games.
        first: number of the first game. Boards are numbered from 1.
    """

    def __init__(self, name: str, places: int, first: int = 1) -> None:
        self._name = name
        self.seats: Mapping[int, Seat] = {place: Seat(place) for place in range(1, places + 1)}
        self.games = Boards[Board](first)
        for place, seat in self.seats.items():
            self.games.add(place, Board(*self.games.begin_game(), (seat,)))

    def make_player(self) -> RemoteWebPlayer:
        """Return a player for one game, which takes a seat when the game starts."""
        return RemoteWebPlayer(self._name, self)

    def take(self, player: WebPlayer) -> tuple[Seat, Callable[[Event], None]]:
        """Give a free seat to ``player``; return it with a listener that shows the game there.

        Raises:
            ForfeitError: all seats are taken.
        """
        for place, seat in self.seats.items():
            board = self.games.board(place)
            if board is not None and seat.player is None:
                seat.take(player, player.number)
                return seat, partial(self.games.show, board)
        raise ForfeitError(Termination.REFUSED_GAME, VerdictPhrase.NO_SEAT())


class RemoteWebPlayer(WebPlayer):
    """A person at a browser, in a game that the move server follows through the messages of its client.

    Args:
        name: name of the player.
        seats: the seats of the server.
    """

    _position_now: Position

    def __init__(self, name: str, seats: RemoteSeats) -> None:
        super().__init__(name)
        self._seats = seats
        self._seat: Seat | None = None
        self._show: Callable[[Event], None] | None = None
        self._names: tuple[str, ...] = ()
        self._is_over = True

    async def begin(self, seating: Seating[Position]) -> None:
        """Take a seat, and show the game there.

        Raises:
            ForfeitError: all seats are taken.
        """
        await super().begin(seating)
        self._seat, self._show = self._seats.take(self)
        self._names, self._position_now = seating.names, seating.position
        self._is_over = False
        # The protocol does not transmit limits, so assume the client's default.
        self._tell(GameStarted(self._names, seating.position.copy(), None, DEFAULT_PLY_LIMIT))

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Wait until the person makes a move.

        Raises:
            ForfeitError: the person resigned.
        """
        self._tell(MoveRequested(self.number, self.plies))
        return await super().choose(position, clock)

    async def notify(self, event: Event) -> None:
        """Show an event."""
        await super().notify(event)
        match event:
            case MoveMade(position=position):
                self._position_now = position
            case PlayerOut(position=position):
                self._position_now = position
            case GameEnded():
                self._is_over = True
        self._tell(event)

    async def leave(self) -> None:
        """Leave the seat; an unfinished game was aborted or drawn."""
        if not self._is_over:
            result = Result(None, Termination.ABORTED, VerdictPhrase.BROKEN_OFF(), self.plies)
            self._tell(GameEnded(result, self._names, self._position_now))
        if self._seat is not None:
            self._seat.leave()
        await super().leave()

    def _tell(self, event: Event) -> None:
        if self._show is not None:
            self._show(event)
