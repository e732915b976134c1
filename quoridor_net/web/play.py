"""Games that people start in the browser against the engine."""

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
from quoridor_net.players.spec import LEVEL_FOR_PEOPLE
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, TURN_ORDER, Jumps, Move, Position, default_walls
from quoridor_net.web.budget import Budget
from quoridor_net.web.faults import Faults
from quoridor_net.web.games import Games
from quoridor_net.web.live import LiveGame
from quoridor_net.web.messages import address_of, read_object
from quoridor_net.web.refusals import RefusalPhrase, RefusedError, refusal
from quoridor_net.web.seat import MAX_HINTS, Seat, WebPlayer
from quoridor_net.web.turns import Turns

#: Maximum number of games, because each engine has its own tables, and time after which a game without
#: spectators is abandoned, in seconds. :meth:`OwnGames.begin` makes room when all places are taken.
MAX_GAMES = 8
ABANDONED_TIME = 600.0

#: Time after which a game without spectators makes room for another of its address, in seconds; browsers
#: reconnect sooner.
LEFT_TIME = 10.0

#: The lowest and highest level of the engine.
WEAKEST, STRONGEST = 1, 10

#: Maximum number of walls of a player for which a board is drawn.
MAX_WALLS = 999

#: Returns a new engine player of a level.
MakeEngine = Callable[[int], Player[Position, Move]]


@frozen
class Wish:
    """The settings of a new game.

    Attributes:
        level: level of the engine.
        side: the person's turn: ``first``, ``second`` or ``random``.
        size: squares on a side of the board.
        walls: walls of each player; None for the default number.
        players: 2 or 4; all but one are engines.
        jumps: the jump rule.
    """

    level: int = LEVEL_FOR_PEOPLE
    side: str = "first"
    size: int = 9
    walls: int | None = None
    players: int = 2
    jumps: Jumps = Jumps.OFFICIAL

    def as_object(self) -> Mapping[str, Any]:
        """Return the settings as a JSON object."""
        return {
            "level": self.level,
            "side": self.side,
            "size": self.size,
            "walls": self.walls,
            "players": self.players,
            "jumps": str(self.jumps),
        }

    def position(self) -> Position:
        """Return the start position."""
        walls = default_walls(self.size, self.players) if self.walls is None else self.walls
        return Position(self.size, self.players, walls, self.jumps)

    def seat(self) -> int:
        """Return the person's player number, drawn by lot if the side is random."""
        order = TURN_ORDER[self.players]
        if self.side == "random":
            return int(random.choice(order))
        return int(order[0] if self.side == "first" else order[1])

    def swap_sides(self) -> Wish:
        """Return the same game with first and second side swapped."""
        return evolve(self, side={"first": "second", "second": "first"}.get(self.side, self.side))


def parse_wish(message: Mapping[str, Any], usual: Wish) -> Wish:
    """Parse the settings of a game from a JSON object, with missing ones taken from ``usual``.

    Raises:
        RefusedError: the settings are not valid.
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
    # In Python, booleans are integers too.
    if type(value) is not int or not least <= value <= most:
        raise RefusedError("malformed", phrase(least=least, most=most))


@define(eq=False)
class _Board:
    """A board on which one person plays one game after another."""

    wish: Wish
    seat: Seat
    live: LiveGame
    # Address of the browser that started the game.
    address: str
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    again: trio.Event = field(factory=trio.Event)
    begun_at: float = field(factory=trio.current_time)

    @property
    def unwatched_for(self) -> float:
        """Seconds since anybody followed the game; negative while somebody does."""
        if self.live.spectators:
            return -1.0
        return trio.current_time() - max(self.begun_at, self.live.left_at)


class OwnGames(Games):
    """The games that a program runs for people, each with its own seat.

    Args:
        nursery: runs the games.
        make_engine: makes the opponents and the advisers for hints.
        usual: default settings of a game.
        settings: time and ply limits.
        report: gets a sentence about each internal error that ended a game.
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
        """The route for starting games."""
        return (Route("/play", self._answer, methods=["POST"]),)

    @property
    def usual(self) -> Wish:
        """The default settings of a game."""
        return self._usual

    def find(self, number: int) -> LiveGame | None:
        """Return a game; None if there is none."""
        board = self._boards.get(number)
        return None if board is None else board.live

    def seats(self, number: int) -> Sequence[Seat]:
        """Return the seat of the person in a game."""
        board = self._boards.get(number)
        return () if board is None else (board.seat,)

    def begin(self, wish: Wish, address: str) -> tuple[int, str]:
        """Start a game; return its number and the token of the seat.

        When all places are taken, a game that its address has left makes room for another of that address. No
        address can shut out others by starting many games: the one with the most games loses the one that has
        been idle longest to an address with fewer.

        Args:
            wish: settings of the game.
            address: address of the browser.

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
        # A browser may not know yet that its game was removed to make room.
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
        """End abandoned games, or else one that ``address`` left, or one of an address with too many."""
        for number, board in tuple(self._boards.items()):
            is_over = len(self._boards) >= MAX_GAMES and board.live.is_over
            if board.unwatched_for >= (0.0 if is_over else ABANDONED_TIME):
                self._end(number)
        if len(self._boards) < MAX_GAMES:
            return
        left = [
            number
            for number, board in self._boards.items()
            if board.address == address and board.unwatched_for >= LEFT_TIME
        ]
        if left:
            self._end(min(left, key=self._use))
            return
        numbers = Counter(board.address for board in self._boards.values())
        [(greatest, most)] = numbers.most_common(1)
        if most < numbers[address] + 2:
            raise RefusedError("full", RefusalPhrase.NO_ROOM(most=MAX_GAMES))
        games = [number for number, board in self._boards.items() if board.address == greatest]
        self._end(min(games, key=self._use))

    def _use(self, number: int) -> tuple[bool, float]:
        """Return a sort key that puts the least used game first."""
        live = self._boards[number].live
        return live.spectators > 0, live.happened_at

    def _end(self, number: int) -> None:
        self._boards.pop(number).scope.cancel()

    async def _play(self, board: _Board) -> None:
        """Play one game after another on a board, until its place is needed."""
        with board.scope:
            while True:
                board.again = trio.Event()
                try:
                    await self._play_once(board)
                except Exception as error:
                    # An internal error must not end the other games.
                    self._faults.tell(error)
                await board.again.wait()
                board.wish = board.wish.swap_sides()

    async def _play_once(self, board: _Board) -> None:
        wish = board.wish
        adviser = self._make_engine(STRONGEST)
        person = WebPlayer("person", adviser, takes_back=True, turns=self._hints)
        # Set before the first event of the game, because the page then learns its seat.
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
