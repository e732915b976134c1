"""A whole Clobber tournament in memory: the real server with any clients."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence

import trio
import trio.testing
from attrs import define, evolve, field
from trio.abc import Stream

from quoridor_net.testing.clobber_clients import Script
from quoridor_net.tournament import Event, TournamentState
from server.clobber.lobby import Lobby
from server.clobber.tournament import Terms, play_clobber


@define
class Played:
    """A finished tournament.

    Attributes:
        state: its outcome.
        events: its events.
        reports: sentences that the server reported.
        wires: all bytes that the server sent, by client.
    """

    state: TournamentState = field(factory=TournamentState)
    events: list[Event] = field(factory=list)
    reports: list[str] = field(factory=list)
    wires: list[bytearray] = field(factory=list)


def record_wire(stream: Stream, wire: bytearray) -> Stream:
    """Record everything that the client receives in ``wire``, and return its end of the connection."""
    receive = stream.receive_some

    async def receive_some(max_bytes: int | None = None) -> bytes:
        data = bytes(await receive(max_bytes))
        wire.extend(data)
        return data

    stream.receive_some = receive_some  # type: ignore[method-assign]
    return stream


async def client_task(script: Script, stream: Stream) -> None:
    """Run a client to its end, whatever happens to its connection."""
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        await script(stream)
    await trio.aclose_forcefully(stream)


async def server_task(lobby: Lobby, stream: Stream) -> None:
    """Serve a connection like the real server, which closes it forcefully when its handler returns."""
    try:
        await lobby.serve_connection(stream)
    finally:
        await trio.aclose_forcefully(stream)


async def memory_pair() -> tuple[Stream, Stream]:
    """Return both ends of a connection in memory: the server's and the client's."""
    return trio.testing.memory_stream_pair()


async def tcp_pair() -> tuple[Stream, Stream]:
    """Return both ends of a loopback connection: the server's and the client's."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        there = await trio.testing.open_stream_to_socket_listener(listener)
        return await listener.accept(), there


async def wait_settled() -> None:
    """Wait until everything sent in memory has been read, so that clients enter one after another."""
    await trio.testing.wait_all_tasks_blocked(0.01)


async def play_tournament(
    scripts: Sequence[Script],
    *,
    games: int = 2,
    terms: Terms | None = None,
    connect: Callable[[], Awaitable[tuple[Stream, Stream]]] = memory_pair,
    state: TournamentState | None = None,
    entrants: int | None = None,
    late_time: float | None = None,
) -> Played:
    """Play a tournament between ``scripts``, which enter one after another.

    The time limit for a late move is ``late_time``, or that of other moves by default.
    """
    terms = terms or Terms(4, 4, 5.0)
    played = Played()
    admitting = terms if late_time is None else evolve(terms, move_time=late_time)
    expected = None if state is None else state.entrants
    played.state = state or played.state
    lobby = Lobby(admitting, entrants or len(scripts), expected, report=played.reports.append)
    async with trio.open_nursery() as clients:
        async with trio.open_nursery() as connections:
            for script in scripts:
                here, there = await connect()
                wire = bytearray()
                played.wires.append(wire)
                connections.start_soon(server_task, lobby, here)
                clients.start_soon(client_task, script, record_wire(there, wire))
                await wait_settled()
            await lobby.wait_until_full()
            await play_clobber(terms, lobby.close(), games, [played.events.append], played.state)
            connections.cancel_scope.cancel()
        await lobby.leave()
    return played
