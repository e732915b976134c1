"""Games that people start in the browser, against the engine or each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import trio
from attrs import evolve
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quoridor_net.events import Event, GameStarted
from quoridor_net.match import MatchSettings, play_match
from quoridor_net.output import ignore
from quoridor_net.players import Player
from quoridor_net.players.auto_level import STRONGEST
from quoridor_net.rules import Move, Position
from quoridor_net.web.board import Board
from quoridor_net.web.faults import Faults
from quoridor_net.web.games import Boards
from quoridor_net.web.live import LiveGame
from quoridor_net.web.messages import address_of, read_object
from quoridor_net.web.pair import LEAST_KEY, MOST_KEY, Pair, PairedPlayer
from quoridor_net.web.refusals import RefusalPhrase, RefusedError, refusal
from quoridor_net.web.seat import MAX_HINTS, Seat, WebPlayer
from quoridor_net.web.turns import Turns
from quoridor_net.web.wishes import FRIEND, Wish, parse_wish

#: Maximum numbers of games against the engine, because each engine has its own tables, and of games between
#: two people. :meth:`OwnGames.begin` makes room when all places are taken.
MAX_GAMES = 8
MAX_PAIRS = 32

#: Time after which a game without spectators is abandoned, in seconds.
ABANDONED_TIME = 600.0

#: Time after which a game without spectators makes room for another of its address, in seconds; browsers
#: reconnect sooner.
LEFT_TIME = 10.0

#: Returns a new engine player of a level.
MakeEngine = Callable[[int], Player[Position, Move]]


class _Board(Board):
    """A board for one or two people.

    Args:
        game: number of its first game.
        live: its first game.
        wish: settings of the game.
        address: address of the browser that started it.
        rematch: starts another game.
    """

    def __init__(
        self, game: int, live: LiveGame, wish: Wish, address: str, rematch: Callable[[], None]
    ) -> None:
        self.pair = Pair(game, rematch) if wish.opponent == FRIEND else None
        seats = (Seat(game, rematch),) if self.pair is None else self.pair.seats
        super().__init__(game, live, seats, address)
        self.wish = wish if self.pair is None else wish.draw_lots()
        self.scope = trio.CancelScope()
        # Set by the wish for another game.
        self.again = trio.Event()
        self.begun_at = trio.current_time()

    @property
    def unwatched_for(self) -> float:
        """Seconds since anybody followed the game; negative while somebody does."""
        if self.live.spectators:
            return -1.0
        return trio.current_time() - max(self.begun_at, self.live.left_at)


class OwnGames(Boards[_Board]):
    """The games that a program runs for people, each with its own seats.

    Args:
        nursery: runs the games.
        make_engine: makes the opponents and the advisers for hints.
        usual: default settings of a game.
        settings: time and ply limits.
        report: gets a sentence about each internal error that ended a game.
        first: number of the first game. A board has the number of its first game.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        make_engine: MakeEngine,
        usual: Wish | None = None,
        settings: MatchSettings | None = None,
        report: Callable[[str], None] = ignore,
        first: int = 1,
    ) -> None:
        super().__init__(first)
        self._nursery = nursery
        self._faults = Faults(report)
        self._make_engine = make_engine
        self._usual = usual or Wish()
        self._settings = evolve(settings or MatchSettings(), takes_back=True)
        self._hints = Turns(MAX_HINTS)

    @property
    def routes(self) -> Sequence[Route]:
        """The routes for starting and joining games."""
        return (
            Route("/play", self._answer, methods=["POST"]),
            Route("/join", self._admit, methods=["POST"]),
        )

    @property
    def usual(self) -> Wish:
        """The default settings of a game."""
        return self._usual

    def begin(self, wish: Wish, address: str) -> tuple[int, str]:
        """Start a game, or wait for a friend; return its number and the token of the seat.

        When all places are taken, a game that its address has left makes room for another of that address. No
        address can shut out others by starting many games: the one with the most games loses the one that has
        been idle longest to an address with fewer.

        Args:
            wish: settings of the game.
            address: address of the browser.

        Raises:
            RefusedError: there is no room for another game.
        """
        self._make_room(address, with_friend=wish.opponent == FRIEND)
        number, live = self.begin_game()
        board = _Board(number, live, wish, address, partial(self._play_again, number))
        self.add(number, board)
        self._nursery.start_soon(self._play, board)
        return number, board.seats[0].token

    def join(self, invitation: str, key: str) -> tuple[int, str | None]:
        """Accept an invitation; return the number of the game, and the token of the seat unless it is taken.

        Args:
            invitation: the invitation.
            key: a secret of the browser.

        Raises:
            RefusedError: the invitation is not valid.
        """
        for number, board in self._boards.items():
            if board.pair is not None and invitation.startswith(f"{number}-"):
                seat = board.pair.accept_invitation(invitation, key)
                return board.game, None if seat is None else seat.token
        raise RefusedError("no_seat", RefusalPhrase.NO_INVITATION())

    def _play_again(self, number: int) -> None:
        # A browser may not know yet that its board was removed to make room.
        if number not in self._boards:
            raise RefusedError("not_possible", RefusalPhrase.NO_BOARD())
        self._boards[number].again.set()

    async def _answer(self, request: Request) -> Response:
        try:
            wish = parse_wish(await read_object(request), self._usual)
            number, token = self.begin(wish, address_of(request))
        except RefusedError as error:
            return refusal(error.sentence, 503 if error.code == "full" else 400)
        return JSONResponse({"game": number, "token": token})

    async def _admit(self, request: Request) -> Response:
        try:
            message = await read_object(request)
            match message:
                case {"invitation": str(invitation), "key": str(key)} if LEAST_KEY <= len(key) <= MOST_KEY:
                    number, token = self.join(invitation, key)
                case _:
                    raise RefusedError("malformed", RefusalPhrase.INVITATION(least=LEAST_KEY, most=MOST_KEY))
        except RefusedError as error:
            return refusal(error.sentence, 404 if error.code == "no_seat" else 400)
        return JSONResponse({"game": number, "token": token})

    def _make_room(self, address: str, *, with_friend: bool) -> None:
        """End abandoned games, or else one that ``address`` left, or one of an address with too many.

        Args:
            address: address of the browser that starts a game.
            with_friend: whether it is a game between two people; these have places of their own.
        """
        most_games = MAX_PAIRS if with_friend else MAX_GAMES

        def find_boards() -> dict[int, _Board]:
            return {n: board for n, board in self._boards.items() if (board.pair is not None) == with_friend}

        boards = find_boards()
        for number, board in boards.items():
            is_over = len(boards) >= most_games and board.live.is_over
            if board.unwatched_for >= (0.0 if is_over else ABANDONED_TIME):
                self._end(number)
        boards = find_boards()
        if len(boards) < most_games:
            return
        left = [
            number
            for number, board in boards.items()
            if board.address == address and board.unwatched_for >= LEFT_TIME
        ]
        if left:
            self._end(min(left, key=self._use))
            return
        numbers = Counter(board.address for board in boards.values())
        [(greatest, most)] = numbers.most_common(1)
        if most < numbers[address] + 2:
            raise RefusedError("full", RefusalPhrase.NO_ROOM(most=most_games))
        games = [number for number, board in boards.items() if board.address == greatest]
        self._end(min(games, key=self._use))

    def _use(self, number: int) -> tuple[bool, float]:
        """Return a sort key that puts the least used game first."""
        live = self._boards[number].live
        return live.spectators > 0, live.happened_at

    def _end(self, number: int) -> None:
        self.remove(number).scope.cancel()

    async def _play(self, board: _Board) -> None:
        """Play one game after another on a board, until its place is needed."""
        with board.scope:
            while True:
                try:
                    if board.pair is None:
                        await self._play_engine(board)
                    else:
                        await self._play_pair(board, board.pair)
                except Exception as error:
                    # An internal error must not end the other games.
                    self._faults.tell(error)
                await board.again.wait()
                board.again = trio.Event()
                board.wish = board.wish.swap_sides()

    async def _play_pair(self, board: _Board, pair: Pair) -> None:
        """Play one game between two people, once the invitation is accepted."""
        await pair.accepted.wait()
        wish = board.wish
        host, guest = PairedPlayer("host"), PairedPlayer("guest")
        players = [host, guest] if wish.seat() == 1 else [guest, host]
        listener = self._listener(board, {pair.host: host, pair.guest: guest}, players)
        settings = self._settings_of(wish, agrees_draws=True)
        try:
            await play_match(players, settings, [pair, listener])
        finally:
            for seat in pair.seats:
                seat.leave()

    async def _play_engine(self, board: _Board) -> None:
        """Play one game against the engine."""
        wish = board.wish
        [own_seat] = board.seats
        adviser = self._make_engine(STRONGEST)
        person = WebPlayer("person", adviser, takes_back=True, turns=self._hints)
        seat = wish.seat()
        players: list[Player[Position, Move]] = []
        for number in range(1, wish.players + 1):
            player = person if number == seat else self._make_engine(wish.level)
            if player is not person:
                player.name = f"engine:level={wish.level}"
            players.append(player)
        own_seat.next_levels = _list_next_levels(wish)
        listener = self._listener(board, {own_seat: person}, players)
        try:
            result = await play_match(players, self._settings_of(wish), [listener])
            board.wish = wish.follow_result(seat, result.winner)
        finally:
            own_seat.leave()

    def _listener(
        self, board: _Board, seated: Mapping[Seat, WebPlayer], players: Sequence[Player[Position, Move]]
    ) -> Callable[[Event], None]:
        """Return a listener that shows a game at ``board``, once the people ``seated`` have their seats."""

        def show(event: Event) -> None:
            if isinstance(event, GameStarted):
                for seat, person in seated.items():
                    seat.take(person, players.index(person) + 1)
                # A second press of the button meant this game.
                board.again, board.begun_at = trio.Event(), trio.current_time()
            self.show(board, event)

        return show

    def _settings_of(self, wish: Wish, *, agrees_draws: bool = False) -> MatchSettings:
        clock = wish.game_clock()
        return evolve(self._settings, position=wish.position(), clock=clock, agrees_draws=agrees_draws)


def _list_next_levels(wish: Wish) -> Mapping[str, int] | None:
    """Return the level of the next game by the person's result; None if it does not follow the results."""
    if not wish.auto_level:
        return None
    winners = {"won": 1, "drawn": None, "lost": 2}
    return {result: wish.follow_result(1, winner).level for result, winner in winners.items()}
