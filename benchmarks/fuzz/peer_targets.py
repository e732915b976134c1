"""Whole conversations of a client and of the checker with a faulty move server.

The server itself is sound, but each line of an input replaces one of its answers. An empty line keeps the
answer, ``-`` drops it, and ``!`` closes the connection instead. Everything runs in memory on a virtual clock.
"""

from __future__ import annotations

import itertools
import random
import zlib
from collections.abc import Iterator, Sequence

import click
import trio
import trio.testing
from trio.abc import Stream

from benchmarks.fuzz.target import Target, check_showable
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

#: Maximum number of lines of an input; games end sooner.
MOST_LINES = 40

#: Time after which every game has ended, unless the server never gave its name, in seconds.
HELLO_TIME = 10_000.0

_SILENT, _GONE = b"-", b"!"


class Replacing(Proxy):
    """A stream that sends the lines of an input instead of its data.

    Args:
        stream: the stream to send on.
        lines: the lines, shared by all connections; once they are used up, the data itself is sent.
    """

    def __init__(self, stream: Stream, lines: Iterator[bytes]) -> None:
        super().__init__(stream)
        self._lines = lines

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send a line, or ``data``.

        Raises:
            trio.BrokenResourceError: the line closed the connection.
        """
        line = next(self._lines, b"")
        if line == _GONE:
            await self.stream.aclose()
            raise trio.BrokenResourceError
        if line != _SILENT:
            await self.stream.send_all(line + b"\n" if line else data)


def feed_game(data: bytes) -> None:
    """Play a game with such a server; it must be decided without a failure of the client."""
    lines = iter(data.split(b"\n")[:MOST_LINES])
    players = 4 if zlib.crc32(data) % 4 == 0 else 2

    async def script(stream: Stream) -> None:
        await plays()(Replacing(stream, lines))

    async def play() -> None:
        # A client has no time limit for a name, so set one.
        with trio.move_on_after(HELLO_TIME) as waiting:
            try:
                linked = await play_linked({1: script}, players, MatchSettings(move_time=5.0))
            except ForfeitError as error:
                check_showable(f"{error}{error.line}{error.hint}")
                return
        if waiting.cancelled_caught:
            return
        check_showable(linked.result.sentence)
        for event in linked.events:
            if isinstance(event, PlayerOut):
                check_showable(f"{event.fault.sentence}{event.fault.line}{event.fault.hint}")

    trio.run(play, clock=trio.testing.MockClock(autojump_threshold=0))


def feed_server_check(data: bytes) -> None:
    """Check such a server, and format the report."""
    trio.run(_check, data, clock=trio.testing.MockClock(autojump_threshold=0))


async def _check(data: bytes) -> None:
    lines = iter(data.split(b"\n")[:MOST_LINES])
    # All checks would take too long: run the greeting and one other.
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
        await run_checks((first, chosen), server, report, ignore)
        nursery.cancel_scope.cancel()
    for line in itertools.chain(report_lines(report), (each.title for each in report.outcomes)):
        shown = click.unstyle(line)
        assert shown.isprintable(), ascii(shown[:200])
        assert len(shown) < 1000, f"{len(shown)} characters"


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
