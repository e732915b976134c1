"""Delay of a player's own move in the browser: ``python -m benchmarks.web_seat``.

A person plays against the simple player on a real site on loopback, while another process holds spectators.
Some of them have stopped reading. Prints the time from the message of a move to its echo, with and without
spectators.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import click
import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Event, Request, TextMessage

from benchmarks.table import print_table
from benchmarks.web import SPECTATORS, STALLED, spectators
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.net.listening import listen
from quoridor_net.output import ignore
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position
from quoridor_net.web.address import WebAddress
from quoridor_net.web.play import OwnGames
from quoridor_net.web.sites import play
from quoridor_net.web.wishes import Wish

#: Number of moves to measure, and seconds from an echo to the next move.
MOVES = 120
PAUSE = 0.4


class Tab:
    """The connection of a browser to the first game of a site."""

    def __init__(self, stream: trio.SocketStream, where: Endpoint) -> None:
        self._stream = stream
        self._protocol = WSConnection(ConnectionType.CLIENT)
        self._request = Request(
            host=str(where), target="/boards/1/live", extra_headers=[(b"Origin", f"http://{where}".encode())]
        )

    async def open(self) -> None:
        """Open the WebSocket."""
        await self._stream.send_all(self._protocol.send(self._request))
        while not isinstance(await self._next(), AcceptConnection):
            pass

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        await self._stream.send_all(self._protocol.send(TextMessage(json.dumps(message))))

    async def receive(self) -> list[dict[str, Any]]:
        """Return the events of the next message."""
        text = ""
        while True:
            event = await self._next()
            if isinstance(event, TextMessage):
                text += event.data
                if event.message_finished:
                    break
        message = json.loads(text)
        events: list[dict[str, Any]] = (
            message if isinstance(message, list) else message.get("reset", [message])
        )
        return events

    async def _next(self) -> Event:
        while (event := next(self._protocol.events(), None)) is None:
            self._protocol.receive_data(await self._stream.receive_some(65536))
        return event


async def make_moves(where: Endpoint, token: str) -> list[float]:
    """Play games in a seat; return the seconds from each move to its echo."""
    delays: list[float] = []
    adviser = SimplePlayer(1)
    async with await trio.open_tcp_stream(where.host, where.port) as stream:
        tab = Tab(stream, where)
        await tab.open()
        await tab.send({"sit": token})
        own, position, requested, sent_at = 0, "", (0, 0), 0.0
        while len(delays) < MOVES:
            for event in await tab.receive():
                position = event.get("position", position)
                if "refused" in event:
                    raise SystemExit(f"The site refused a message: {event['refused']}")
                if "seated" in event:
                    own = event["seated"]["player"]
                match event.get("event"):
                    case "move_made" if event["player"] == own and sent_at:
                        delays.append(trio.current_time() - sent_at)
                        sent_at = 0.0
                    case "move_requested":
                        requested = event["player"], event["ply"]
                    case "game_started":
                        # Sides change; the browser learns its player number after this.
                        own = 0
                    case "game_ended":
                        await tab.send({"rematch": True})
            player, ply = requested
            if player == own != 0 and not sent_at:
                requested = 0, 0
                await trio.sleep(PAUSE)
                move = await adviser.choose(Position.from_line(position), Clock())
                sent_at = trio.current_time()
                await tab.send({"move": str(move), "ply": ply})
    return delays


@asynccontextmanager
async def serve_play() -> AsyncIterator[tuple[Endpoint, str]]:
    """Serve a game on loopback during the block; yield the site's address and the token of the seat."""
    async with trio.open_nursery() as nursery:
        games = OwnGames(nursery, SimplePlayer)
        number, token = games.begin(Wish(level=1), "127.0.0.1")
        assert number == 1
        address = WebAddress("127.0.0.1", await listen("127.0.0.1", 0))
        async with address.open(play(games), ignore):
            where = Endpoint("127.0.0.1", address.listeners[0].socket.getsockname()[1])
            game = games.find(number)
            assert game is not None
            yield where, token
        nursery.cancel_scope.cancel()


async def measure(*, is_watched: bool) -> list[float]:
    """Return the delays of moves, in seconds, on a site with all spectators if ``is_watched``."""
    with ExitStack() as stack:
        async with serve_play() as (where, token):
            if is_watched:
                stack.enter_context(spectators(where))
                await trio.sleep(5)
            arguments = [sys.executable, "-m", "benchmarks.web_seat", "--seat", str(where), token]
            done = await trio.run_process(arguments, capture_stdout=True)
    delays: list[float] = json.loads(done.stdout)
    return delays


def describe(name: str, delays: list[float]) -> tuple[str, ...]:
    """Return a row with the median, the 99 % quantile and the maximum of ``delays``, in milliseconds."""
    quantiles = statistics.quantiles(delays, n=100)
    return (name, *(f"{1e3 * each:.1f}" for each in (statistics.median(delays), quantiles[98], max(delays))))


async def run() -> None:
    """Measure, and print the table."""
    alone = await measure(is_watched=False)
    seen = await measure(is_watched=True)
    print_table(
        f"Milliseconds from a person's move to its echo, {MOVES} moves",
        ("", "median", "99 %", "maximum"),
        [
            describe("alone", alone),
            describe(f"with {SPECTATORS} spectators, {STALLED} of them stalled", seen),
        ],
    )


@click.command()
@click.option("--seat", nargs=2, metavar="HOST:PORT TOKEN", help="Play in this seat, and print the delays.")
def main(seat: tuple[str, str] | None) -> None:
    """Measure the delay of a person's own move, and print a table."""
    if seat is None:
        trio.run(run)
    else:
        print(json.dumps(trio.run(make_moves, parse_endpoint(seat[0]), seat[1])))


if __name__ == "__main__":
    main()
