"""Linked roles: the client's end and the servers' ends of a game, joined by streams in memory."""

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
    """What a linked game left behind.

    Attributes:
        result: how it ended.
        events: what happened in it, in order.
        log: what crossed the wire.
    """

    result: Result
    events: list[Event]
    log: WireLog


async def play_linked(
    scripts: Mapping[int, Script], players: int = 2, settings: MatchSettings | None = None
) -> Linked:
    """Play a game between scripts of move servers, refereed as a display client does.

    Args:
        scripts: by player number; a player without one is a sound server.
        players: how many play, 2 or 4.
        settings: of the game; those of a usual game, without a limit of time, unless given.

    Raises:
        AssertionError: the client broke a promise of the protocol (:func:`check_promises`).
        ForfeitError: a script gave no name.
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
            # Raised below: out of the nursery it would come in a group.
            result = error
        nursery.cancel_scope.cancel()
    log.check()
    if isinstance(result, ForfeitError):
        raise result
    return Linked(result, events, log)


async def _run(script: Script, stream: Stream) -> None:
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        await script(stream)
