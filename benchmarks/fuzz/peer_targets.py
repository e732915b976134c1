"""Whole conversations: what a client and the checker make of a move server that says something else at times.

The server plays soundly; each line of an input takes the place of one of its answers. An empty line leaves
the answer as it is, ``-`` leaves it out, and ``!`` ends the connection instead. All is in memory, and by a
virtual clock.
"""

from __future__ import annotations

import itertools
import random
import zlib
from collections.abc import Iterator, Sequence

import click
import trio
import trio.testing
from attrs import evolve
from trio.abc import Stream

from benchmarks.fuzz.target import Target, fit_to_show
from quoridor_net.check.catalogue import report_on
from quoridor_net.check.checklist import run_checks
from quoridor_net.check.lan_server.checks import CHECKS
from quoridor_net.check.lan_server.server import ServerUnderTest
from quoridor_net.check.text_report import report_lines
from quoridor_net.match import MatchSettings, PlayerOut
from quoridor_net.outcome import ForfeitError
from quoridor_net.output import ignore
from quoridor_net.testing import play_linked, plays
from quoridor_net.testing.proxies import Proxy

#: Lines of one input: games are over sooner.
MOST_LINES = 40

#: Seconds after which a game is over unless a server never gave its name.
HELLO_TIME = 10_000.0

_SILENT, _GONE = b"-", b"!"


class Replacing(Proxy):
    """Sends the next line of an input instead of what it is given.

    Args:
        stream: carries the bytes.
        lines: what is sent, in all connections together; what is given where there is none left.
    """

    def __init__(self, stream: Stream, lines: Iterator[bytes]) -> None:
        super().__init__(stream)
        self._lines = lines

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send a line, or ``data``.

        Raises:
            trio.BrokenResourceError: the connection was ended.
        """
        line = next(self._lines, b"")
        if line == _GONE:
            await self.stream.aclose()
            raise trio.BrokenResourceError
        if line != _SILENT:
            await self.stream.send_all(line + b"\n" if line else data)


def feed_game(data: bytes) -> None:
    """A game of a client with such a server: it is decided, and the client keeps its promises."""
    lines = iter(data.split(b"\n")[:MOST_LINES])
    players = 4 if zlib.crc32(data) % 4 == 0 else 2

    async def script(stream: Stream) -> None:
        await plays()(Replacing(stream, lines))

    async def play() -> None:
        # Who waits for a name sets a limit of his own.
        with trio.move_on_after(HELLO_TIME) as waiting:
            try:
                linked = await play_linked({1: script}, players, MatchSettings(move_time=5.0))
            except ForfeitError as error:
                fit_to_show(f"{error}{error.line}{error.hint}")
                return
        if waiting.cancelled_caught:
            return
        fit_to_show(linked.result.sentence)
        for event in linked.events:
            if isinstance(event, PlayerOut):
                fit_to_show(f"{event.fault.sentence}{event.fault.line}{event.fault.hint}")

    trio.run(play, clock=trio.testing.MockClock(autojump_threshold=0))


def feed_server_check(data: bytes) -> None:
    """A check of such a server, and the report of it."""
    trio.run(_check, data, clock=trio.testing.MockClock(autojump_threshold=0))


async def _check(data: bytes) -> None:
    lines = iter(data.split(b"\n")[:MOST_LINES])
    # Everything would take too long: the greeting, and one check as if those before it had passed.
    first, *others = CHECKS
    chosen = others[zlib.crc32(data) % len(others)]
    report = report_on("lan_server", "the server")
    async with trio.open_nursery() as nursery:

        async def connect() -> Stream:
            await trio.lowlevel.checkpoint()
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(serve, theirs)
            return ours

        async def serve(stream: Stream) -> None:
            try:
                await plays()(Replacing(stream, lines))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                pass
            finally:
                await trio.aclose_forcefully(stream)

        server = ServerUnderTest(connect, report)
        await run_checks((first, evolve(chosen, needs=())), server, report, ignore)
        nursery.cancel_scope.cancel()
    for line in itertools.chain(report_lines(report), (each.title for each in report.outcomes)):
        told = click.unstyle(line)
        assert told.isprintable(), ascii(told[:200])
        assert len(told) < 1000, f"{len(told)} characters"


_WORDS = (
    b"IAM TESUJI ATARI GOTE KIKASHI HELLO MYOUSHU GAME qnt:walker a:b 0 1 2 3 4 (4,1) (4, 1) (4, 2) (4, 7)"
    b" (3, 0) [(3, 1), h] [(0,0),v] [(8, 8), h] v] ( ) [ ] , - ! x 99 -1"
).split(b" ")


def _samples(source: random.Random) -> Sequence[bytes]:
    said = (
        b"TESUJI (4, 1)",
        b"TESUJI [(3, 4), h]",
        b"TESUJI [(6, 2), v]",
        b"IAM a:b",
        b"",
        b"",
        b"",
        b"-",
        b"!",
    )
    return [b"\n".join(source.choices(said, k=source.randrange(1, 20))) for _ in range(40)]


TARGETS = (
    Target("game", feed_game, _samples, _WORDS),
    Target("server-check", feed_server_check, _samples, _WORDS),
)
