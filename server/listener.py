"""The listener of a move server: any number of clients, each with its own session."""

from __future__ import annotations

import itertools

import trio
from trio.abc import Stream

from quoridor_net.net.accepting import serve_connections
from quoridor_net.net.errors import first_error
from quoridor_net.net.places import Places
from quoridor_net.net.sockets import address_of, close_gently

from .session import ServerSettings, Session


class MoveServer:
    """Serves display clients until it is cancelled or, with ``once``, until the first game is over."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._connections = itertools.count(1)
        self._places = Places(1 if settings.once else settings.games)
        self._finished = trio.Event()

    async def serve(self, listeners: list[trio.SocketListener]) -> None:
        """Accept connections on ``listeners`` and serve them."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(
                serve_connections,
                self.serve_connection,
                listeners,
                self._warn,
                None,
                self._settings.networks,
            )
            await self._finished.wait()
            nursery.cancel_scope.cancel()

    async def serve_connection(self, stream: Stream, address: str | None = None) -> None:
        """Serve one client. An error ends this connection only.

        Args:
            stream: the connection, which this closes.
            address: address of the client, for a fair share of the places; by default that of the socket.
        """
        number = next(self._connections)
        address = address_of(stream) if address is None else address
        was_played = False
        try:
            with self._settings.open_transcript(number) as transcript:
                session = Session(stream, number, self._settings, self._places, address, transcript)
                await session.run()
                was_played = session.was_played
        except Exception as error:
            self._settings.alarm(f"[{number}] ERROR: internal error: {first_error(error)!r}")
        finally:
            await close_gently(stream)
        if was_played and self._settings.once:
            self._finished.set()

    def _warn(self, sentence: str) -> None:
        self._settings.alarm(f"WARNING: {sentence}")
