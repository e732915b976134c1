"""Athens sessions over TCP, several at the same time."""

from __future__ import annotations

import os
from collections.abc import Callable

import trio
from attrs import frozen
from trio import SocketStream

from quoridor_net.net.accepting import serve_connections
from quoridor_net.net.listening import listen, port_of
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.net.places import Places
from quoridor_net.net.sockets import address_of, close_gently
from quoridor_net.output import ignore
from quoridor_net.protocols.athens.engine_role import encode_reply

from .connection import ControllerStream
from .session import ControllerSession

#: Default number of sessions at the same time. Searches share the processors, so this bounds their delay.
SESSIONS = max(8, 2 * (os.cpu_count() or 1))

#: Reply to a controller that gets no place, instead of its first answer.
NO_PLACE = "all places for sessions are taken: try again later"


@frozen(eq=False)
class _Guest:
    """One connection for :class:`Places`; cancelling ``scope`` ends it."""

    address: str
    scope: trio.CancelScope
    connection: ControllerStream

    @property
    def is_idle(self) -> bool:
        """Whether the controller has been silent long enough to lose its place."""
        return self.connection.is_idle

    def turn_away(self, _sentence: str) -> None:
        """End the connection."""
        self.scope.cancel()


async def serve_sessions(
    make_session: Callable[[], ControllerSession],
    port: int,
    host: str | None = None,
    on_trouble: Callable[[str], None] = ignore,
    sessions: int = SESSIONS,
    networks: Networks = EVERYBODY,
    task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve every connection in its own session, until cancelled.

    Args:
        make_session: creates a session.
        port: the port to listen on; 0 for any free port.
        host: the address to listen on; None for all.
        on_trouble: called with a sentence when a session fails or a connection cannot be accepted.
        sessions: number of places; a session takes one with its first command. See :class:`Places`.
        networks: networks from which connections are accepted.
        task_status: gets the port as soon as connections are accepted.

    Raises:
        OSError: the port is not available.
    """
    places = Places(sessions)

    async def serve(stream: SocketStream) -> None:
        with trio.CancelScope() as scope:
            connection = ControllerStream(stream)
            guest = _Guest(address_of(stream), scope, connection)
            places.enter(guest)
            try:
                await _serve_one(make_session, on_trouble, connection, lambda: places.take(guest))
            finally:
                places.leave(guest)
                await close_gently(stream)

    listeners = await listen(host, port)
    task_status.started(port_of(listeners[0]))
    await serve_connections(serve, listeners, on_trouble, networks=networks)


async def _serve_one(
    make_session: Callable[[], ControllerSession],
    on_trouble: Callable[[str], None],
    connection: ControllerStream,
    take_place: Callable[[], bool],
) -> None:
    try:
        if await connection.wait_for_command():
            if take_place():
                await make_session().run(connection, connection, connection.wait_until_gone)
            else:
                await connection.send_all(encode_reply(False, [NO_PLACE]))
    except trio.BrokenResourceError:
        return
    except Exception as error:  # a failure ends only its own session (section 1.12)
        on_trouble(f"a session was closed after an internal error: {error!r}")
