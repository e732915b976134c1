"""Athens sessions over TCP, any number at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import trio
from attrs import frozen
from trio import SocketStream

from quoridor_net.frontend.session import Session
from quoridor_net.players.sockets import tune


@frozen
class Listening:
    """Where sessions can be had.

    Attributes:
        port: the port; the chosen one if port 0 was asked for.
    """

    port: int


async def serve_sessions(
    make_session: Callable[[], Session],
    port: int,
    host: str | None = None,
    on_trouble: Callable[[str], None] = lambda _sentence: None,
    task_status: trio.TaskStatus[Listening] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Give every connection a session of its own, until cancelled.

    Args:
        make_session: makes one session.
        port: where to listen; 0 for any free port.
        host: the address to listen on; None for all.
        on_trouble: told a sentence when a session fails; the others go on.
        task_status: is given the port as soon as connections are accepted.

    Raises:
        OSError: the port cannot be had.
    """
    async with trio.open_nursery() as nursery:
        handler = partial(_serve_one, make_session, on_trouble)
        listeners = await nursery.start(partial(trio.serve_tcp, host=host), handler, port)
        task_status.started(Listening(listeners[0].socket.getsockname()[1]))


async def _serve_one(
    make_session: Callable[[], Session], on_trouble: Callable[[str], None], stream: SocketStream
) -> None:
    tune(stream)
    try:
        await make_session().run(stream, stream)
        await _say_goodbye(stream)
    except trio.BrokenResourceError:
        return
    except Exception as error:  # one session's failure is its own (section 1.12)
        on_trouble(f"a session was closed after an internal error: {error!r}")


async def _say_goodbye(stream: SocketStream) -> None:
    """Let the controller read the last reply: closing while unread bytes wait could destroy it."""
    await stream.send_eof()
    with trio.move_on_after(0.5):
        while await stream.receive_some(4096):
            pass
