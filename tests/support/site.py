"""A site of the web application on loopback, served by another thread for a browser in this one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Queue
from typing import TypeVar

import trio

from quoridor_net.match import Event, GameEnded, GameStarted, MoveMade, MoveRequested
from quoridor_net.moves import Move
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.web.application import Site, application
from quoridor_net.web.board import Board
from quoridor_net.web.games import Boards, Games
from quoridor_net.web.live import LiveGame
from quoridor_net.web.origin import names_of_this_machine
from quoridor_net.web.seat import Seat
from quoridor_net.web.serving import serve_browsers

T = TypeVar("T")

HOST = "127.0.0.1"


class ServedSite:
    """A running site.

    Attributes:
        url: its address.
        reports: the errors that it reported.
    """

    def __init__(self, port: int, token: trio.lowlevel.TrioToken, reports: list[str]) -> None:
        self.port = port
        self.url = f"http://{HOST}:{port}/"
        self.reports = reports
        self._token = token

    def call(self, function: Callable[[], T]) -> T:
        """Call ``function`` in the thread of the site, and return its result."""
        return trio.from_thread.run_sync(function, trio_token=self._token)

    def tell(self, listener: Callable[[Event], None], events: Sequence[Event]) -> None:
        """Pass ``events`` to ``listener``, such as a live game, in the thread of the site."""

        def give() -> None:
            for event in events:
                listener(event)

        self.call(give)


@contextmanager
def serve_site(make: Callable[[trio.Nursery], Site], port: int = 0) -> Iterator[ServedSite]:
    """Serve the site that ``make`` returns; its argument is a nursery for running games.

    With ``port``, a program that was started again takes the place of an earlier one.
    """
    started: Queue[ServedSite | BaseException] = Queue()
    stop = trio.Event()

    async def serve() -> None:
        reports: list[str] = []
        listeners = await trio.open_tcp_listeners(port, host=HOST)
        async with trio.open_nursery() as nursery:
            number = listeners[0].socket.getsockname()[1]
            url = f"http://{HOST}:{number}/"
            app = application(make(nursery), names_of_this_machine(HOST), reports.append, url)
            async with serve_browsers(app, listeners, reports.append):
                started.put(ServedSite(number, trio.lowlevel.current_trio_token(), reports))
                await stop.wait()
            nursery.cancel_scope.cancel()

    def run() -> None:
        try:
            trio.run(serve)
        except BaseException as error:
            started.put(error)
            raise

    thread = threading.Thread(target=run, name="site")
    thread.start()
    site = started.get()
    if isinstance(site, BaseException):
        raise site
    try:
        yield site
    finally:
        site.call(stop.set)
        thread.join()


def seat_people(*seats: Seat) -> tuple[Games, LiveGame]:
    """Return the games of a site with one board, which has ``seats``, and its first game."""
    games = Boards[Board]()
    number, live = games.begin_game()
    games.add(number, Board(number, live, seats))
    return games, live


def events_of(
    moves: Sequence[Move],
    position: Position,
    names: Sequence[str],
    seconds: Callable[[int], float] = lambda _ply: 1.0,
    move_time: float | None = None,
) -> list[Event]:
    """Return the events of a game from ``position``: ``moves``, then the next request or the end."""
    events: list[Event] = [GameStarted(tuple(names), position.copy(), move_time, 1000)]
    position = position.copy()
    for ply, move in enumerate(moves, 1):
        player = position.turn
        assert player is not None, "the game is over"
        events.append(MoveRequested(player, ply - 1))
        position.push(move)
        events.append(MoveMade(player, move, ply, seconds(ply), position.copy()))
    if position.turn is None:
        assert position.winner is not None, "the game ended without a winner"
        name = names[position.winner - 1]
        sentence = f"{name} (player {position.winner}) wins: it reached its goal line."
        result = Result(position.winner, Termination.GOAL, sentence, len(moves))
        events.append(GameEnded(result, tuple(names), position))
    else:
        events.append(MoveRequested(position.turn, len(moves)))
    return events
