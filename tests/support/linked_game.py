"""A whole game in memory: the client's players linked with real move servers, or scripted ones."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

import trio
import trio.testing
from attrs import define, field
from trio.abc import Stream

from quoridor_net.match import Event, MatchSettings, play_match
from quoridor_net.outcome import Result
from quoridor_net.players import Player
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Move, Position
from quoridor_net.testing.move_servers import Script
from quoridor_net.testing.wire import WireLog
from server.listener import MoveServer
from server.session import ServerSettings


@define
class Played:
    """What a linked game left behind."""

    result: Result
    events: list[Event]
    log: WireLog
    reports: list[str] = field(factory=list)


def simple_server(
    reports: list[str] | None = None,
    make_player: Callable[[], Player[Position, Move]] = lambda: SimplePlayer(seed=1),
    jumps: Jumps = Jumps.OFFICIAL,
) -> Script:
    """Return the script of a real move server."""
    kept: list[str] = [] if reports is None else reports
    settings = ServerSettings("qnt:test", make_player, jumps=jumps, report=kept.append)
    return MoveServer(settings).serve_connection


async def play_linked(
    scripts: Mapping[int, Script], players: int = 2, settings: MatchSettings | None = None
) -> Played:
    """Play a game in which the given players are scripted and all others are real move servers.

    The wire log is checked for the protocol's promises.
    """
    log = WireLog()
    transcript = log.transcript()
    reports: list[str] = []
    events: list[Event] = []
    async with trio.open_nursery() as nursery:
        seats = []
        for number in range(1, players + 1):
            ours, theirs = trio.testing.memory_stream_pair()
            script = scripts.get(number, simple_server(reports))
            nursery.start_soon(_run, script, theirs)
            seats.append(LanPlayer(ours, number, transcript=transcript))
        for seat in seats:
            await seat.greet()
        result = await play_match(seats, settings, [events.append])
        nursery.cancel_scope.cancel()
    log.check()
    return Played(result, events, log, reports)


async def _run(script: Script, stream: Stream) -> None:
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        await script(stream)
