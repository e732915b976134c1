"""Games that people begin in the browser, against players of this program."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import trio
from attrs import define, evolve, field, frozen
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quoridor_net.match import MatchSettings, play_match
from quoridor_net.output import ignore
from quoridor_net.players import Player
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, TURN_ORDER, Jumps, Move, Position, default_walls
from quoridor_net.web.budget import Budget
from quoridor_net.web.faults import Faults
from quoridor_net.web.live import LiveGame
from quoridor_net.web.messages import address_of, read_object
from quoridor_net.web.refusals import RefusalPhrase, RefusedError, refusal
from quoridor_net.web.seat import MAX_HINTS, Seat, WebPlayer
from quoridor_net.web.turns import Turns

#: Most games at once, as each engine has tables of its own, and seconds after which a game at which nobody
#: looks makes room. Where all are taken, see :meth:`OwnGames.begin`.
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
        raise RefusedError("malformed", RefusalPhrase.WISH())
    _check_number(told["level"], RefusalPhrase.LEVEL, WEAKEST, STRONGEST)
    _check_number(told["size"], RefusalPhrase.SIZE, MIN_SIZE, MAX_SIZE)
    if told["walls"] is not None:
        _check_number(told["walls"], RefusalPhrase.WALLS, 0, MAX_WALLS)
    if told["side"] not in ("first", "second", "random"):
        raise RefusedError("malformed", RefusalPhrase.SIDE())
    if type(told["players"]) is not int or told["players"] not in TURN_ORDER:
        raise RefusedError("malformed", RefusalPhrase.PLAYERS())
    if told["jumps"] not in [str(rule) for rule in Jumps]:
        raise RefusedError("malformed", RefusalPhrase.JUMPS())
    return Wish(**told | {"jumps": Jumps(told["jumps"])})


def _check_number(value: object, phrase: RefusalPhrase, least: int, most: int) -> None:
    # To Python a truth value is an integer.
    if type(value) is not int or not least <= value <= most:
        raise RefusedError("malformed", phrase(least=least, most=most))


@define(eq=False)
class _Board:
    """One place at which a person plays game after game."""

    wish: Wish
    seat: Seat
    live: LiveGame
    # Of the browser that began.
    address: str
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
        report: gets a sentence about an error of this program that ended a game.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        make_engine: MakeEngine,
        usual: Wish | None = None,
        settings: MatchSettings | None = None,
        report: Callable[[str], None] = ignore,
    ) -> None:
        self._nursery = nursery
        self._faults = Faults(report)
        self._make_engine = make_engine
        self._usual = usual or Wish()
        self._settings = evolve(settings or MatchSettings(), takes_back=True)
        self._budget = Budget()
        self._hints = Turns(MAX_HINTS)
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

    def begin(self, wish: Wish, address: str) -> tuple[int, str]:
        """Begin a game; return its number and the token of the seat.

        Nobody keeps others out by beginning many games: where all places are taken, the address that has
        most of them gives one up to an address that has fewer, of the game that has been idle for longest.

        Args:
            wish: the game.
            address: of the browser that asks.

        Raises:
            RefusedError: there is no room for another game.
        """
        self._make_room(address)
        self._last += 1
        number = self._last
        seat = Seat(number, partial(self._play_again, number))
        self._boards[number] = board = _Board(wish, seat, LiveGame(self._budget), address)
        self._nursery.start_soon(self._play, board)
        return number, seat.token

    def _play_again(self, number: int) -> None:
        # Who looks on may not have noticed yet that the game had to make room.
        if number in self._boards:
            self._boards[number].again.set()

    async def _answer(self, request: Request) -> Response:
        try:
            wish = parse_wish(await read_object(request), self._usual)
            number, token = self.begin(wish, address_of(request))
        except RefusedError as error:
            return refusal(error.sentence, 503 if error.code == "full" else 400)
        return JSONResponse({"game": number, "token": token})

    def _make_room(self, address: str) -> None:
        """End games that nobody looks at any more, or one of an address that has more than its share."""
        now = trio.current_time()
        for number, board in tuple(self._boards.items()):
            if board.live.spectators:
                continue
            is_abandoned = now - max(board.begun_at, board.live.left_at) >= ABANDONED_TIME
            if is_abandoned or (len(self._boards) >= MAX_GAMES and board.live.is_over):
                self._end(number)
        if len(self._boards) < MAX_GAMES:
            return
        numbers = Counter(board.address for board in self._boards.values())
        [(greatest, most)] = numbers.most_common(1)
        if most < numbers[address] + 2:
            raise RefusedError("full", RefusalPhrase.NO_ROOM(most=MAX_GAMES))
        games = [number for number, board in self._boards.items() if board.address == greatest]
        self._end(min(games, key=self._use))

    def _use(self, number: int) -> tuple[bool, float]:
        """Return a measure of how much somebody makes of a game."""
        live = self._boards[number].live
        return live.spectators > 0, live.happened_at

    def _end(self, number: int) -> None:
        self._boards.pop(number).scope.cancel()

    async def _play(self, board: _Board) -> None:
        """Play one game after another at a board, until it is needed for others."""
        with board.scope:
            while True:
                board.again = trio.Event()
                try:
                    await self._play_once(board)
                except Exception as error:
                    # It ends this game alone, and none of the others.
                    self._faults.tell(error)
                await board.again.wait()
                board.wish = board.wish.exchanged()

    async def _play_once(self, board: _Board) -> None:
        wish = board.wish
        adviser = self._make_engine(STRONGEST)
        person = WebPlayer("person", adviser, takes_back=True, turns=self._hints)
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
