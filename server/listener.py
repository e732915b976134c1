"""The listening part of a move server: any number of clients, each with a session of its own."""

from __future__ import annotations

import itertools

import trio
from trio.abc import Stream

from quoridor_net.players.sockets import tune
from server.session import ServerSettings, Session


class MoveServer:
    """Serves display clients until it is cancelled, or until the first game is over with ``once``."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._connections = itertools.count(1)
        self._playing = 0
        self._finished = trio.Event()

    async def serve(self, listeners: list[trio.SocketListener]) -> None:
        """Accept connections on ``listeners`` and serve them."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, self.serve_connection, listeners)
            await self._finished.wait()
            nursery.cancel_scope.cancel()

    async def serve_connection(self, stream: Stream) -> None:
        """Serve one client. Whatever goes wrong ends this connection and nothing else."""
        number = next(self._connections)
        tune(stream)
        session = Session(stream, number, self._settings, self._take_place)
        try:
            await session.run()
        except Exception as error:
            self._settings.alarm(f"[{number}] ERROR: internal error: {_first(error)!r}")
        finally:
            await trio.aclose_forcefully(stream)
            self._playing -= session.has_place
        if session.game is not None and self._settings.once:
            self._finished.set()

    def _take_place(self) -> bool:
        if self._playing >= (1 if self._settings.once else self._settings.games):
            return False
        self._playing += 1
        return True


def _first(error: Exception) -> BaseException:
    """Return what a nursery wrapped in groups."""
    inner: BaseException = error
    while isinstance(inner, BaseExceptionGroup):
        inner = inner.exceptions[0]
    return inner
