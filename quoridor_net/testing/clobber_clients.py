"""Clients of the 2006 Clobber protocol with one fault each."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

import trio
from trio.abc import Stream

from quoridor_net.clobber import ClobberPosition
from quoridor_net.protocols.olympiad.messages import End, Error, Played, Settings, encode, parse_message

#: Runs a client on its end of the connection, which is closed afterwards.
Script = Callable[[Stream], Awaitable[None]]

MEGABYTE = 1_000_000


class lines_of:  # noqa: N801 - used like a function
    """The lines from the server, until it closes the connection."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._data = b""

    def __aiter__(self) -> lines_of:
        return self

    async def __anext__(self) -> bytes:
        while b"\n" not in self._data:
            data = bytes(await self._stream.receive_some(4096))
            if not data:
                raise StopAsyncIteration
            self._data += data
        line, _, self._data = self._data.partition(b"\n")
        return line


def misbehaves(name: str, act: Callable[[Stream, ClobberPosition], Awaitable[None]], ply: int = 0) -> Script:
    """Return a client that makes ``ply`` legal moves of its own, then calls ``act`` for each move."""

    async def script(stream: Stream) -> None:
        await stream.send_all(f"play clobber {name}\n".encode())
        position, own_moves, to_move = ClobberPosition.start(), 0, False
        async for line in lines_of(stream):
            match parse_message(line):
                case Settings(columns, rows, begins):
                    position, own_moves, to_move = ClobberPosition.start(columns, rows), 0, begins
                case Played(move):
                    position.push(move)
                    to_move = True
                case Error() | End():
                    to_move = False
            if not to_move or position.is_over:
                continue
            to_move = False
            if own_moves >= ply:
                await act(stream, position)
                continue
            own_moves += 1
            position.push(position.legal_moves[0])
            await stream.send_all(encode(Played(position.history[-1])))

    return script


def says(data: bytes) -> Callable[[Stream, ClobberPosition], Awaitable[None]]:
    """Return an act that sends ``data`` instead of a move."""

    async def act(stream: Stream, _position: ClobberPosition) -> None:
        await stream.send_all(data)

    return act


async def says_nothing(stream: Stream, _position: ClobberPosition) -> None:
    """Do not answer."""


async def moves_twice(stream: Stream, position: ClobberPosition) -> None:
    """Send two lines at once, the first of them a legal move."""
    line = encode(Played(position.legal_moves[0]))
    await stream.send_all(line * 2)


async def floods(stream: Stream, _position: ClobberPosition) -> None:
    """Send a megabyte without a line end."""
    with contextlib.suppress(trio.BrokenResourceError):
        await stream.send_all(b"x" * MEGABYTE)


async def hangs_up(stream: Stream, _position: ClobberPosition) -> None:
    """Close the connection."""
    await stream.aclose()
    # As if the program had exited.
    raise trio.ClosedResourceError


async def hangs_up_in_a_line(stream: Stream, position: ClobberPosition) -> None:
    """Send half a line and close the connection."""
    await stream.send_all(b"a 1 b")
    await hangs_up(stream, position)
