"""Linked games: the client's end and the servers' ends of a game, joined by in-memory streams."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import trio
import trio.testing
from attrs import frozen
from trio.abc import Stream

from quoridor_net.match import Event, MatchSettings, play_match
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.players.lan import LanPlayer
from quoridor_net.testing.move_servers import Script, plays
from quoridor_net.testing.wire import WireLog


@frozen
class Linked:
    """The outcome of a linked game.

    Attributes:
        result: the result.
        events: the events, in order.
        log: the lines on the wire.
    """

    result: Result
    events: list[Event]
    log: WireLog


async def play_linked(
    scripts: Mapping[int, Script], players: int = 2, settings: MatchSettings | None = None
) -> Linked:
    """Play a game between scripted move servers, refereed as by the display client.

    Args:
        scripts: by player number; a player without a script is a correct server.
        players: number of players, 2 or 4.
        settings: settings of the match; default a standard game without time limits.

    Raises:
        AssertionError: the client broke a promise of the protocol (:func:`check_promises`).
        ForfeitError: a script did not give its name.
    """
    log = WireLog()
    transcript = log.transcript()
    events: list[Event] = []
    result: Result | ForfeitError
    async with trio.open_nursery() as nursery:
        seats = []
        for number in range(1, players + 1):
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(_run, scripts.get(number) or plays(), theirs)
            seats.append(LanPlayer(ours, number, transcript=transcript))
        try:
            for seat in seats:
                await seat.greet()
            result = await play_match(seats, settings, [events.append])
        except ForfeitError as error:
            # Raised below, because the nursery would wrap it in a group.
            result = error
        nursery.cancel_scope.cancel()
    log.check()
    if isinstance(result, ForfeitError):
        raise result
    return Linked(result, events, log)


async def _run(script: Script, stream: Stream) -> None:
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        await script(stream)
