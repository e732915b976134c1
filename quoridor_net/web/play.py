"""Games that people begin in the browser, against players of this program."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import trio
from attrs import define, evolve, field, frozen
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quoridor_net.match import MatchSettings, play_match
from quoridor_net.players import Player
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, TURN_ORDER, Jumps, Move, Position, default_walls
from quoridor_net.web.live import LiveGame
from quoridor_net.web.messages import RefusedError, read_object
from quoridor_net.web.seat import Seat, WebPlayer

#: Most games at once, as each engine has tables of its own, and seconds after which a game at which nobody
#: looks makes room.
MAX_GAMES = 8
ABANDONED_TIME = 600.0

#: The levels of the engine.
WEAKEST, STRONGEST = 1, 10

#: Most walls of a player that a board is drawn with.
MAX_WALLS = 999

#: Makes a player of a level; the first argument is the level.
MakeEngine = Callable[[int], Player[Position, Move]]


@frozen
class Wish:
    """The game that somebody wants to play.

    Attributes:
        level: of the engine.
        side: ``first``, ``second`` or ``random``.
        walls: of each player; None for the usual number.
        players: 2 or 4; all but one are engines.
    """

    level: int = STRONGEST
    side: str = "first"
    size: int = 9
    walls: int | None = None
    players: int = 2
    jumps: Jumps = Jumps.OFFICIAL

    def as_object(self) -> Mapping[str, Any]:
        """Return the same as an object for JSON."""
        return {
            "level": self.level,
            "side": self.side,
            "size": self.size,
            "walls": self.walls,
            "players": self.players,
            "jumps": str(self.jumps),
        }

    def position(self) -> Position:
        """Return the first position."""
        walls = default_walls(self.size, self.players) if self.walls is None else self.walls
        return Position(self.size, self.players, walls, self.jumps)

    def seat(self) -> int:
        """Return the number of the player that the person is."""
        order = TURN_ORDER[self.players]
        if self.side == "random":
            return int(random.choice(order))
        return int(order[0] if self.side == "first" else order[1])

    def exchanged(self) -> Wish:
        """Return the game in which who began is second, and the other way round."""
        return evolve(self, side={"first": "second", "second": "first"}.get(self.side, self.side))


def parse_wish(message: Mapping[str, Any], usual: Wish) -> Wish:
    """Return what an object of JSON asks for; what it leaves out is as in ``usual``.

    Raises:
        RefusedError: there is no such game.
    """
    told = dict(usual.as_object()) | {name: value for name, value in message.items() if value is not None}
    if "walls" in message and message["walls"] is None:
        told["walls"] = None
    if told.keys() != usual.as_object().keys():
        raise RefusedError("malformed", "A game has level, side, size, walls, players and jumps.")
    _check_number(told["level"], "The level", WEAKEST, STRONGEST)
    _check_number(told["size"], "The size", MIN_SIZE, MAX_SIZE)
    if told["walls"] is not None:
        _check_number(told["walls"], "The number of walls", 0, MAX_WALLS)
    if told["side"] not in ("first", "second", "random"):
        raise RefusedError("malformed", "The side is first, second or random.")
    if type(told["players"]) is not int or told["players"] not in TURN_ORDER:
        raise RefusedError("malformed", "There are 2 or 4 players.")
    if told["jumps"] not in [str(rule) for rule in Jumps]:
        raise RefusedError("malformed", "The jumps are official or classroom.")
    return Wish(**told | {"jumps": Jumps(told["jumps"])})


def _check_number(value: object, what: str, least: int, most: int) -> None:
    # To Python a truth value is an integer.
    if type(value) is not int or not least <= value <= most:
        raise RefusedError("malformed", f"{what} is a number from {least} to {most}.")


@define(eq=False)
class _Board:
    """One place at which a person plays game after game."""

    wish: Wish
    seat: Seat
    live: LiveGame = field(factory=LiveGame)
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    again: trio.Event = field(factory=trio.Event)
    begun_at: float = field(factory=trio.current_time)


class OwnGames:
    """The games that people play at one program, each with a seat of its own.

    Args:
        nursery: where they are played.
        make_engine: makes the opponents, and who gives hints.
        usual: what is played unless somebody wants something else.
        settings: how: time and plies.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        make_engine: MakeEngine,
        usual: Wish | None = None,
        settings: MatchSettings | None = None,
    ) -> None:
        self._nursery = nursery
        self._make_engine = make_engine
        self._usual = usual or Wish()
        self._settings = evolve(settings or MatchSettings(), takes_back=True)
        self._boards: dict[int, _Board] = {}
        self._last = 0

    @property
    def routes(self) -> Sequence[Route]:
        """How browsers begin games."""
        return (Route("/play", self._answer, methods=["POST"]),)

    @property
    def usual(self) -> Wish:
        """What is played unless somebody wants something else."""
        return self._usual

    def find(self, number: int) -> LiveGame | None:
        """Return a game; None if there is none."""
        board = self._boards.get(number)
        return None if board is None else board.live

    async def document(self, number: int) -> str | None:
        """Return the events of a game as one JSON object; None if there is no such game."""
        live = self.find(number)
        return None if live is None else live.document()

    def seats(self, number: int) -> Sequence[Seat]:
        """Return the seat of the person in a game."""
        board = self._boards.get(number)
        return () if board is None else (board.seat,)

    def begin(self, wish: Wish) -> tuple[int, str]:
        """Begin a game; return its number and the token of the seat.

        Raises:
            RefusedError: there is no room for another game.
        """
        self._make_room()
        self._last += 1
        number = self._last
        seat = Seat(number, partial(self._play_again, number))
        self._boards[number] = _Board(wish, seat)
        self._nursery.start_soon(self._play, number)
        return number, seat.token

    def _play_again(self, number: int) -> None:
        self._boards[number].again.set()

    async def _answer(self, request: Request) -> Response:
        try:
            number, token = self.begin(parse_wish(await read_object(request), self._usual))
        except RefusedError as error:
            status = 503 if error.code == "full" else 400
            return JSONResponse({"error": error.sentence}, status)
        return JSONResponse({"game": number, "token": token})

    def _make_room(self) -> None:
        """End the games that nobody looks at any more."""
        now = trio.current_time()
        for number, board in tuple(self._boards.items()):
            if board.live.spectators:
                continue
            is_abandoned = now - max(board.begun_at, board.live.left_at) >= ABANDONED_TIME
            if is_abandoned or (len(self._boards) >= MAX_GAMES and board.live.is_over):
                board.scope.cancel()
                del self._boards[number]
        if len(self._boards) >= MAX_GAMES:
            raise RefusedError("full", f"{MAX_GAMES} games are being played here already: try again later.")

    async def _play(self, number: int) -> None:
        """Play one game after another at a board, until it is needed for others."""
        board = self._boards[number]
        with board.scope:
            while True:
                board.again = trio.Event()
                await self._play_once(board)
                await board.again.wait()
                board.wish = board.wish.exchanged()

    async def _play_once(self, board: _Board) -> None:
        wish = board.wish
        person = WebPlayer("you", self._make_engine(STRONGEST), takes_back=True)
        # Known before the first event of the game, with which the page is told of it.
        person.number = seat = wish.seat()
        players: list[Player[Position, Move]] = []
        for number in range(1, wish.players + 1):
            player = person if number == seat else self._make_engine(wish.level)
            if player is not person:
                player.name = f"engine:level={wish.level}"
            players.append(player)
        board.seat.player = person
        try:
            await play_match(players, evolve(self._settings, position=wish.position()), [board.live])
        finally:
            board.seat.player = None
